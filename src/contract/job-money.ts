import type { JobDetail } from './job-detail.ts'
import type { ListedJob } from './job-search.ts'
import { FIGURES, type Figure, type FigureWith, figuresWith } from './money-figures.ts'
import type { Step } from './payment-job.ts'
import { recordOf } from './record-of.ts'

/** The sums of a payment, as a list has them: what was ordered, what was taken, and what became of it. */
export type JobMoney = Pick<ListedJob, 'status' | 'amount' | 'paid' | FigureWith<'mood'>>

/** Returns the sums of a payment that is shown by itself. All of its order was due at the first step. */
export function moneyIn(job: JobDetail): JobMoney {
  return {
    status: job.status,
    amount: job.payments.steps[0]?.amountDue ?? job.amountDue,
    paid: job.amountPaid,
    ...recordOf(figuresWith('mood'), (name) => job[FIGURES[name].api] ?? '0'),
  }
}

/** Returns what is left of what was paid after all that went back. */
export function netOf(money: Readonly<Record<'paid' | FigureWith<'isBack'>, number>>): number {
  return figuresWith('isBack').reduce((left, name) => left - money[name], money.paid)
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

/** Returns the figures of a payment that have a mood and are not zero, in words: of what was paid, or all. */
export function moneyWords(money: JobMoney, text: (amount: string) => string) {
  return figuresWith('mood')
    .filter((name) => exact(money[name]) > 0)
    .toReversed()
    .map((name) => {
      const { word, mood, isBack } = { isBack: false, ...FIGURES[name] }
      const [part, whole] = [text(money[name]), text(money.paid)]
      if (!isBack) return { name, mood, text: `${part} ${word}` }
      const isAll = exact(money[name]) >= exact(money.paid)
      return { name, mood, text: isAll ? word : `${part} of ${whole} ${word}` }
    })
}

/** Returns the figures of a payment that it has, each in words. */
export function figuresIn(job: JobDetail) {
  return figuresWith('word').flatMap((name) => {
    const amount = job[FIGURES[name].api] ?? '0'
    return 'always' in FIGURES[name] || exact(amount) > 0 ? [{ name, word: wordOf(name, job), amount }] : []
  })
}

/** Returns the word for a figure. If money was reserved, what is paid was captured. */
function wordOf(name: Figure, { amountAuthorized }: Pick<Step, 'amountAuthorized'>): string {
  return name === 'paid' && amountAuthorized !== undefined ? 'captured' : FIGURES[name].word
}

/** Returns the figures that a step of the trace changed, and whether they fell. `earlier`: the steps before it. */
export function changesIn(step: Step, earlier: readonly Step[]) {
  const isOwn = ({ action }: Step) => figuresWith('action').some((name) => FIGURES[name].action === action)
  return (['paid', ...figuresWith('inTrace')] as const).flatMap((name) => {
    const { api } = FIGURES[name]
    const hasIt = (one: Step) => !('action' in FIGURES[name]) || isOwn(one)
    const [was, is] = [Number(earlier.findLast(hasIt)?.[api] ?? 0), Number(step[api] ?? 0)]
    if (was === is || !hasIt(step)) return []
    const inAll = was > 0 && is > was ? ' in all' : ''
    return [{ amount: step[api] ?? '0.00', word: wordOf(name, step) + inAll, isLess: is < was }]
  })
}
