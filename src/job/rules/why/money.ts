import type { Job } from '../job.ts'
import { NOTHING_BACK } from '../money-back.ts'
import { paidElsewhere } from '../other-payments.ts'
import { type Finding, NOTHING_TO_DO, at, money } from './causes.ts'

/** What is not as it should be with the money of a payment, or has gone back; what matters most comes first. */
export function whyMoney(job: Job): Finding[] {
  return [elsewhere(job), chargedBack(job), refund(job), amount(job), late(job)].filter(
    (found) => found !== null,
  )
}

function elsewhere(job: Job): Finding | null {
  const there = (job.otherPayments ?? []).filter(({ paid }) => paid > 0)
  if (there.length === 0) return null
  const which = there
    .map(({ account, reference, paid }) => `${money(job, paid)} at ${account} (${reference ?? 'unknown'})`)
    .join(' and ')
  return job.paid > job.order.amount
    ? {
        cause: 'paid-twice',
        happened: `The order was paid more than once: besides ${job.account}, ${which}.`,
        todo: 'Give one payment back at the PSP of the other account.',
      }
    : {
        cause: 'paid-at-other-account',
        happened: `Money came at an account that had not answered when the order was announced: ${which}.`,
        todo: `${NOTHING_TO_DO} A refund is made at the PSP of that account.`,
      }
}

function chargedBack(job: Job): Finding | null {
  const { chargedBack: total, steps } = job.moneyBack ?? NOTHING_BACK
  if (total === 0) return null
  const step = steps.findLast(({ action }) => action === 'Chargeback')
  const when = step ? ` The hub learnt it at ${at(step.at / 1000)}.` : ''
  return {
    cause: 'charged-back',
    happened: `${money(job, total)} was charged back.${when}`,
    todo: 'The shop answers the dispute at the PSP, within its time, or accepts it.',
  }
}

function refund(job: Job): Finding | null {
  const { refunded: total, refunds } = job.moneyBack ?? NOTHING_BACK
  const newest = refunds.at(-1)
  const isPending = (state: string) => state === 'asking' || state === 'pending'
  if (newest?.state === 'failed') {
    return {
      cause: 'refund-failed',
      happened: `The refund of ${money(job, newest.amount)} failed: ${newest.error ?? 'the PSP did not say why'}`,
      todo: 'Mend what the PSP says, then run job refund once more, or give the money back at the PSP.',
    }
  }
  const pending = refunds.findLast(({ state }) => isPending(state))
  if (pending) {
    const check = pending.checkAt === null ? '' : ` The hub asks again at ${at(pending.checkAt)}.`
    const stand = pending.state === 'asking' ? 'the PSP has not answered' : 'the PSP is sending it'
    return {
      cause: 'refund-pending',
      happened: `A refund of ${money(job, pending.amount)} was asked for at ${at(pending.at)}, and ${stand}.${check}`,
      todo: 'Wait. A refund may take days.',
    }
  }
  return total > 0
    ? { cause: 'refunded', happened: `${money(job, total)} was given back.`, todo: NOTHING_TO_DO }
    : null
}

function amount(job: Job): Finding | null {
  const { paid, order, status } = job
  if (paid > order.amount && paidElsewhere(job) === 0) {
    return {
      cause: 'overpaid',
      happened: `The customer paid ${money(job, paid - order.amount)} more than was due.`,
      todo: 'Give the rest back: job refund with --amount, or at the PSP.',
    }
  }
  return paid > 0 && status !== 'SUCCESS'
    ? {
        cause: 'paid-in-part',
        happened: `Only ${money(job, paid)} of ${money(job, order.amount)} was paid.`,
        todo: 'Give it back, or let the shop collect the rest by a new payment job.',
      }
    : null
}

function late(job: Job): Finding | null {
  return job.late
    ? {
        cause: 'paid-late',
        happened: 'The money came after the job had ended.',
        todo: 'The shop sees that it still delivers, or gives the money back.',
      }
    : null
}
