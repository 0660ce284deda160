import type { JobDetail } from './job-detail.ts'
import type { ListedJob } from './job-search.ts'

/** The sums of a payment, as a list has them: what was ordered, what was taken, and what went back. */
export type JobMoney = Pick<
  ListedJob,
  'status' | 'amount' | 'paid' | 'tip' | 'released' | 'refunded' | 'chargedBack'
>

/** Returns the sums of a payment that is shown by itself. All of its order was due at the first step. */
export function moneyIn(job: JobDetail): JobMoney {
  return {
    status: job.status,
    amount: job.payments.steps[0]?.amountDue ?? job.amountDue,
    paid: job.amountPaid,
    tip: job.amountTip ?? '0',
    released: job.amountReleased ?? '0',
    refunded: job.amountRefunded ?? '0',
    chargedBack: job.amountChargedBack ?? '0',
  }
}

/** Returns an amount in ten-thousandths, which fit every currency. */
function exact(amount: string): number {
  return Math.round(Number(amount) * 10_000)
}

/** Says how much was taken, and of what, if that is not the order's amount; `text` writes an amount. */
export function sumText({ amount, paid, tip }: JobMoney, text: (amount: string) => string): string {
  if (exact(paid) === 0) return text(amount)
  const isWhole = exact(paid) - (exact(tip) || 0) === exact(amount)
  return isWhole ? text(paid) : `${text(paid)} of ${text(amount)}`
}

/** What became of a payment's money in addition to its status. */
export type MoneyWord = { is: 'tip' | 'released' | 'refunded' | 'charged-back'; text: string }

/** Says which part is a tip, and what was released, refunded and charged back: of what was paid, or all. */
export function moneyWords(money: JobMoney, text: (amount: string) => string): MoneyWord[] {
  const { paid, tip, released, refunded, chargedBack } = money
  const ofPaid = (part: string, what: string) =>
    exact(part) >= exact(paid) ? what : `${text(part)} of ${text(paid)} ${what.toLowerCase()}`
  const words: (MoneyWord & { of: string })[] = [
    { is: 'charged-back', of: chargedBack, text: ofPaid(chargedBack, 'Charged back') },
    { is: 'refunded', of: refunded, text: ofPaid(refunded, 'Refunded') },
    { is: 'released', of: released, text: `${text(released)} released` },
    { is: 'tip', of: tip, text: `${text(tip)} tip` },
  ]
  return words.filter(({ of }) => exact(of) > 0).map(({ is, text: says }) => ({ is, text: says }))
}
