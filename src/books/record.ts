import { givenBackIn, partsOfPayment } from '../job/core/parts.ts'
import type { Movement, State } from '../job/core/state.ts'
import type { LineKind } from '../psp/payouts.ts'

/**
 * The hub's record of a payment at an account: of each kind the amounts that moved, each once. They
 * are minor units of the job's currency, below zero where money went away. `failed`: refunds that
 * the PSP had counted, and that failed. There is none of fees and corrections.
 */
type Amounts = readonly number[]
export type Known = { readonly [Kind in LineKind | 'failed']?: Amounts } & { currency: string }

/** Returns the record of a job at an account; null if it has no payment there. */
export function knownOf(job: State, account: string): Known | null {
  const here = (one: { account: string }) => one.account === account
  const payments = job.payments.filter(here)
  if (payments.length === 0) return null
  const moved = (kind: Movement['is']) => movedOf(job, account, kind)
  // A PSP pays reserved parts out by their captures.
  const atOnce = payments.filter(({ authorized }) => authorized === 0)
  const parts = atOnce.flatMap(({ moves, paid }) => partsOfPayment(moves, paid).map(({ amount }) => amount))
  const givenBack = atOnce.flatMap(({ moves, paid }) => givenBackIn(moves, paid))
  // The hub knows its own refunds one by one, and those of others as the PSP's total has them.
  const asked = job.refunds.filter((one) => one.state !== 'failed' && here(one)).map(({ amount }) => -amount)
  const [refunds, reversal] = [moved('refund'), moved('reversal')]
  let gone = -sumOf(refunds) - payments.reduce((sum, { refunded }) => sum + refunded, 0)
  const failed = reversal.flatMap((amount) => {
    if (amount > gone) return []
    gone -= amount
    return -amount
  })
  return {
    currency: job.order.currency,
    payment: [...parts, ...without(moved('payment'), parts), ...givenBack],
    refund: [...asked, ...without(without(refunds, failed), asked), ...givenBack.map((amount) => -amount)],
    chargeback: moved('chargeback'),
    reversal,
    failed,
  }
}

/**
 * Returns the amounts of a kind that moved at an account. A capture that failed while its order waited
 * took its amount off the payments again.
 */
export function movedOf({ movements }: State, account: string, kind: Movement['is']): number[] {
  const all = movements.filter((one) => one.is === kind && one.account === account)
  const amounts = all.map(({ amount }) => amount)
  if (kind !== 'payment') return amounts
  const failed = amounts.filter((amount) => amount < 0).map((amount) => -amount)
  return without(
    amounts.filter((amount) => amount > 0),
    failed,
  )
}

/**
 * Returns the amounts that explain lines of a kind. A refund that failed explains a line only where
 * the PSP has paid it back: `back` are the lines of money that came back.
 */
export function recordOf({ failed = [], ...known }: Known, kind: LineKind, back: Amounts): Amounts {
  const record = known[kind] ?? []
  return kind === 'refund' ? [...record, ...failed.filter((amount) => back.includes(-amount))] : record
}

/** An amount of a record or of a line. It is used once it explains, or is explained. */
type Item = { amount: number; isUsed: boolean }

/**
 * Returns what the record has for each line: its amount if it is explained, else what is left.
 * `before` are the lines that were booked before; a correction among them has the other sign. Each
 * amount of the record explains once: the line of its amount, a line that several of them come to,
 * or several lines that come to it.
 */
export function explain(record: Amounts, before: Amounts, lines: Amounts): number[] {
  const isBack = (amount: number) => amount * sumOf(record) < 0
  const back = before.filter(isBack).map((amount) => -amount)
  const standing = before.filter((amount) => !isBack(amount))
  const itemsOf = (amounts: Amounts) => amounts.map((amount): Item => ({ amount, isUsed: false }))
  const [known, booked, told] = [itemsOf(record), itemsOf(without(standing, back)), itemsOf(lines)]
  for (const all of [booked, [...booked, ...told]]) {
    use(all, known, oneOf)
    use(all, known, someOf)
    use(known, all, someOf)
  }
  const left = sumOf(unused(known).map(({ amount }) => amount))
  return told.map(({ amount, isUsed }) => (isUsed ? amount : left))
}

/** Uses each of `ones` with those of `many` that come to its amount. */
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

/** Of more amounts than these only the sum of all is tried: the ways double with each. */
const MOST = 12

/** Returns those of the items that come to a sum; null if none do. */
function someOf(items: readonly Item[], sum: number): Item[] | null {
  const ways = new Map<number, Item[]>([[0, []]])
  if (items.length > MOST) ways.set(sumOf(items.map(({ amount }) => amount)), [...items])
  for (const item of items.length > MOST ? [] : items)
    for (const [before, some] of Array.from(ways))
      if (!ways.has(before + item.amount)) ways.set(before + item.amount, [...some, item])
  return ways.get(sum) ?? null
}

/** Takes amounts of one sign off others: each off an equal one, else off the last. */
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
