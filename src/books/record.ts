import { partsOf } from '../job/core/parts.ts'
import type { Movement, State } from '../job/core/state.ts'
import type { LineKind } from '../psp/payouts.ts'

/** The kinds of lines that the hub has a record of. */
type Recorded = Exclude<LineKind, 'fee' | 'correction'>

export function isRecorded(kind: LineKind | undefined): kind is Recorded {
  return kind !== undefined && kind !== 'fee' && kind !== 'correction'
}

/**
 * The hub's record of a payment at an account: of each kind the amounts that moved, each once. They
 * are minor units of the job's currency, below zero where money went away. `failed`: refunds that
 * the PSP had counted, and that failed.
 */
export type Known = Readonly<Record<Recorded | 'failed', readonly number[]>> & { currency: string }

/** Returns the record of a job at an account; null if it has no payment there. */
export function knownOf(job: State, account: string): Known | null {
  const here = (one: { account: string }) => one.account === account
  const payments = job.payments.filter(here)
  if (payments.length === 0) return null
  const moved = (kind: Movement['is']) =>
    job.movements.filter((one) => one.is === kind && here(one)).map(({ amount }) => amount)
  const parts = payments.flatMap(({ moves, paid }) => partsOf(moves, paid).map(({ amount }) => amount))
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
    payment: [...parts, ...without(moved('payment'), parts)],
    refund: [...asked, ...without(without(refunds, failed), asked)],
    chargeback: moved('chargeback'),
    reversal,
    failed,
  }
}

/**
 * Returns the amounts that explain lines of a kind. A refund that failed explains a line only where
 * the PSP has paid it back: `back` are the lines of money that came back.
 */
export function recordOf(known: Known, kind: Recorded, back: readonly number[]): readonly number[] {
  if (kind !== 'refund') return known[kind]
  const left = [...back]
  const paidBack = known.failed.filter((amount) => {
    const at = left.indexOf(-amount)
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  })
  return [...known.refund, ...paidBack]
}

/**
 * Returns what the record has for each line: its amount if it is explained, else what is left.
 * `before` are the lines that were booked before; a correction among them has the other sign. Each
 * amount of the record explains once: the line of its amount, a line that several of them come to,
 * or several lines that come to it.
 */
export function explain(
  record: readonly number[],
  before: readonly number[],
  lines: readonly number[],
): number[] {
  const isBack = (amount: number) => amount * sumOf(record) < 0
  const standing = without(
    before.filter((one) => !isBack(one)),
    before.filter(isBack).map((one) => -one),
  )
  const first = take(record, standing)
  const open = standing.filter((_, at) => !first.isExplained[at])
  const { free, isExplained } = take(first.free, [...open, ...lines])
  return lines.map((line, at) => (isExplained[open.length + at] ? line : sumOf(free)))
}

/** Explains lines by the amounts of a record, and returns those that are still free. */
function take(record: readonly number[], lines: readonly number[]) {
  let free = [...record]
  const isExplained = lines.map((line) => {
    const at = free.indexOf(line)
    if (at !== -1) free.splice(at, 1)
    return at !== -1
  })
  for (const [at, line] of lines.entries()) {
    const some = isExplained[at] ? null : someOf(free, line)
    if (!some) continue
    free = free.filter((_, one) => !some.includes(one))
    isExplained[at] = true
  }
  free = free.filter((amount) => {
    const open = lines.flatMap((line, at) => (isExplained[at] ? [] : { line, at }))
    const some = someOf(
      open.map(({ line }) => line),
      amount,
    )
    for (const one of some ?? []) isExplained[open[one]?.at ?? -1] = true
    return some === null
  })
  return { free, isExplained }
}

/** Of more amounts than these only the sum of all is tried: the ways double with each. */
const MOST = 12

/** Returns which of the amounts come to a sum, by their places; null if none do. */
function someOf(amounts: readonly number[], sum: number): number[] | null {
  if (amounts.length > MOST) return sumOf(amounts) === sum ? [...amounts.keys()] : null
  const ways = new Map<number, number[]>([[0, []]])
  for (const [at, amount] of amounts.entries())
    for (const [before, places] of Array.from(ways))
      if (!ways.has(before + amount)) ways.set(before + amount, [...places, at])
  return ways.get(sum) ?? null
}

/** Takes amounts of one sign off others: each off an equal one, else off the last ones. */
function without(amounts: readonly number[], taken: readonly number[]): number[] {
  return taken.reduce<number[]>(
    (left, one) => {
      const equal = left.indexOf(one)
      if (equal !== -1) return left.toSpliced(equal, 1)
      let rest = Math.abs(one)
      return left
        .toReversed()
        .map((amount) => {
          const off = Math.min(Math.abs(amount), rest)
          rest -= off
          return amount - Math.sign(amount) * off
        })
        .filter((amount) => amount !== 0)
        .toReversed()
    },
    [...amounts],
  )
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, one) => sum + one, 0)
}
