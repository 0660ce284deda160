import { decimalsOf } from '../contract/money.ts'
import { givenBackIn, partsOfPayment } from '../job/core/parts.ts'
import type { Movement, State } from '../job/core/state.ts'
import type { LineKind } from '../psp/payouts.ts'

/**
 * The hub's record of a payment at an account: for each kind of line, every amount that moved. The
 * amounts are minor units of the job's currency, below zero for money that left. `failed`: refunds that failed;
 * `uncounted`: those of them that the PSP never counted, so that none was counted back. The hub has no record of
 * fees and corrections.
 */
type Amounts = readonly number[]
export type PaymentRecord = { readonly [Kind in LineKind | 'failed' | 'uncounted']?: Amounts } & {
  currency: string
}

/** Returns the record of a job at an account, or null if it has no payment there. */
export function recordAt(job: State, account: string): PaymentRecord | null {
  const here = (one: { account: string }) => one.account === account
  const payments = job.payments.filter(here)
  if (payments.length === 0) return null
  const moved = (kind: Movement['is']) => movedOf(job, account, kind)
  // PSPs pay reserved money out by its captures.
  const atOnce = payments.filter(({ authorized }) => authorized === 0)
  const parts = atOnce.flatMap(({ moves, paid }) => partsOfPayment(moves, paid).map(({ amount }) => amount))
  const givenBack = atOnce.flatMap(({ moves, paid }) => givenBackIn(moves, paid))
  // The hub knows its own refunds one by one, but all others only as a part of the PSP's total.
  const refundsThat = (haveFailed: boolean) =>
    job.refunds
      .filter((one) => (one.state === 'failed') === haveFailed && here(one))
      .map(({ amount }) => -amount)
  const asked = refundsThat(false)
  const [refunds, reversal] = [moved('refund'), moved('reversal')]
  let gone = -sumOf(refunds) - payments.reduce((sum, { refunded }) => sum + refunded, 0)
  const counted = reversal.flatMap((amount) => {
    if (amount > gone) return []
    gone -= amount
    return -amount
  })
  const uncounted = without(refundsThat(true), counted)
  return {
    currency: job.order.currency,
    payment: [...parts, ...without(moved('payment'), parts), ...givenBack],
    refund: [...asked, ...without(without(refunds, counted), asked), ...givenBack.map((amount) => -amount)],
    chargeback: moved('chargeback'),
    reversal,
    failed: [...counted, ...uncounted],
    uncounted,
  }
}

/**
 * Returns the amounts of a kind that moved at an account. A capture that failed while its order
 * waited leaves no payment.
 */
export function movedOf({ movements }: State, account: string, kind: Movement['is']): number[] {
  const all = movements.filter((one) => one.is === kind && one.account === account)
  const amounts = all.map(({ amount }) => amount)
  if (kind !== 'payment') return amounts
  const made = amounts.filter((amount) => amount > 0)
  const failed = amounts.filter((amount) => amount < 0).map((amount) => -amount)
  return without(made, failed)
}

/**
 * Returns the amounts that explain lines of a kind. A refund that failed explains a line only if the PSP has paid
 * it back, and the line that pays it back only next to the first. `opposite`: the lines of reversals for a
 * refund, and those of refunds for a reversal.
 */
export function amountsOf(known: PaymentRecord, kind: LineKind, opposite: Amounts): Amounts {
  const { failed = [], uncounted = [], [kind]: record = [] } = known
  const inBoth = (amount: number) => opposite.includes(-amount)
  if (kind === 'refund') return [...record, ...failed.filter(inBoth)]
  return kind === 'reversal' ? [...record, ...uncounted.map((amount) => -amount).filter(inBoth)] : record
}

/**
 * Returns whether lines of payments are only a part of what was paid, so that a gift card may have paid the rest,
 * of at least one unit of the currency.
 */
export function isPart(record: Amounts, lines: Amounts, currency: string): boolean {
  const rest = sumOf(record) - sumOf(lines)
  return lines.every((amount) => amount > 0) && rest >= 10 ** decimalsOf(currency)
}

/** An amount of a record or of a line. It is used once it explains something or is explained. */
type Item = { amount: number; isUsed: boolean }

/**
 * Returns what the record has for each line: the line's amount if it is explained, otherwise the rest
 * of the record. `before`: the lines booked earlier; a correction among them has the opposite sign.
 * Each amount of the record explains once: a line of the same amount, a line that is the sum of
 * several amounts, or several lines whose sum it is.
 */
export function explain(record: Amounts, before: Amounts, lines: Amounts): number[] {
  const isBack = (amount: number) => amount * sumOf(record) < 0
  const back = before.filter(isBack).map((amount) => -amount)
  const standing = before.filter((amount) => !isBack(amount))
  const itemsOf = (amounts: Amounts) => amounts.map((amount): Item => ({ amount, isUsed: false }))
  const [known, booked, current] = [itemsOf(record), itemsOf(without(standing, back)), itemsOf(lines)]
  for (const all of [booked, [...booked, ...current]]) {
    use(all, known, oneOf)
    use(all, known, someOf)
    use(known, all, someOf)
  }
  const left = sumOf(unused(known).map(({ amount }) => amount))
  return current.map(({ amount, isUsed }) => (isUsed ? amount : left))
}

/** Uses each of `ones` together with those of `many` whose sum is its amount. */
function use(ones: readonly Item[], many: readonly Item[], find: typeof someOf): void {
  for (const one of unused(ones)) {
    const found = find(unused(many), one.amount)
    for (const item of found ? [one, ...found] : []) item.isUsed = true
  }
}

function unused(items: readonly Item[]): Item[] {
  return items.filter(({ isUsed }) => !isUsed)
}

function oneOf(items: readonly Item[], sum: number): Item[] | null {
  const found = items.find(({ amount }) => amount === sum)
  return found ? [found] : null
}

/** The most amounts of which all sums are tried: each doubles their number. Of more, only the total is. */
const MOST = 12

/** Returns items with this sum, or null if there are none. */
function someOf(items: readonly Item[], sum: number): Item[] | null {
  const ways = new Map<number, Item[]>([[0, []]])
  if (items.length > MOST) ways.set(sumOf(items.map(({ amount }) => amount)), [...items])
  for (const item of items.length > MOST ? [] : items)
    for (const [before, some] of Array.from(ways))
      if (!ways.has(before + item.amount)) ways.set(before + item.amount, [...some, item])
  return ways.get(sum) ?? null
}

/** Removes amounts of one sign from others: each an equal one, or else as much of the last one. */
export function without(amounts: Amounts, taken: Amounts): number[] {
  return taken.reduce<number[]>(
    (left, one) => {
      const equal = left.indexOf(one)
      const rest = (left.at(-1) ?? 0) - one
      if (equal !== -1) return left.toSpliced(equal, 1)
      return rest * one > 0 ? [...left.slice(0, -1), rest] : left.slice(0, -1)
    },
    [...amounts],
  )
}

function sumOf(amounts: Amounts): number {
  return amounts.reduce((sum, one) => sum + one, 0)
}
