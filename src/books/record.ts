import { decimalsOf } from '../contract/money.ts'
import { type MoneyTransfer, transfersOf } from '../job/core/all-transfers.ts'
import { givenBackIn, partsOfPayment } from '../job/core/parts.ts'
import type { Payment } from '../job/core/payment.ts'
import type { State } from '../job/core/state.ts'
import { TOTAL } from '../job/core/transfers.ts'
import type { PayoutLine } from '../psp/payouts/payouts.ts'

/** A line, or money that explains one. `gross`: minor units, below zero for money that left. */
export type Moved = Pick<PayoutLine, 'kind' | 'gross'>
type Line = Moved & Pick<PayoutLine, 'transfer'>

/**
 * What explains a line. `ids`: the PSP's id of a transfer, and the hub's. `needs`: it explains one only next to a
 * line of this kind with the opposite amount.
 */
type Item = Moved & { ids?: readonly string[]; needs?: Moved['kind'] }

/** The hub's record of a job at an account. It has no fees and corrections. */
export type PaymentRecord = { currency: string; items: readonly Item[] }

/** Returns the record of a job at an account, or null if it has no payment there. */
export function recordAt(job: State, account: string): PaymentRecord | null {
  const payments = job.payments.filter((one) => one.account === account)
  if (payments.length === 0) return null
  return { currency: job.order.currency, items: payments.flatMap((one) => itemsOf(job, one)) }
}

const KINDS = ['payment', 'refund', 'chargeback', 'reversal'] as const

/**
 * Returns the transfers of a payment, the parts in which it was paid, and of each kind the sum of all else that
 * moved. PSPs pay reserved money out by its captures.
 */
function itemsOf(job: State, payment: Payment): Item[] {
  const { account, reference, authorized, moves, paid } = payment
  const isHeld = authorized > 0
  const asPayment = (amount: number): Item => ({ kind: 'payment', gross: amount })
  const parts = isHeld ? [] : partsOfPayment(moves, paid).map(({ amount }) => asPayment(amount))
  const givenBack = isHeld ? [] : givenBackIn(moves, paid).map(asPayment)
  const transfers = transfersOf({ ...job, payments: [payment] })
    .filter(({ kind, id }) => kind !== (isHeld ? 'release' : 'capture') && id !== TOTAL)
    .flatMap(itemsOfTransfer)
  const moved = job.movements
    .filter((one) => one.account === account && one.reference === reference)
    .map(({ is, amount }) => ({ kind: is, gross: amount }))
  const known = [...parts, ...transfers]
  const rest = KINDS.map((kind) => ({ kind, gross: sumOf(moved, kind) - sumOf(known, kind) }))
  return [...rest.filter((one) => !isTakenBack(one)), ...givenBack, ...known]
}

/** A refund that failed has no line, or two: its PSP pays it back. */
function itemsOfTransfer({ kind, id, own, amount, state }: MoneyTransfer): Item[] {
  const ids = [id, own].filter((one) => one !== null)
  if (kind === 'capture') return state === 'done' ? [{ kind: 'payment', gross: amount, ids }] : []
  const gone: Item = { kind: kind === 'dispute' ? 'chargeback' : 'refund', gross: -amount, ids }
  const back: Item = { kind: 'reversal', gross: amount, ids }
  if (state !== 'failed' && state !== 'returned') return [gone]
  if (kind === 'dispute') return state === 'returned' ? [gone, back] : []
  const pair = (one: Item, needs: Moved['kind']) => ({ ...one, needs })
  return kind === 'refund' ? [pair(gone, back.kind), pair(back, gone.kind)] : []
}

/** Returns whether an amount lacks the sign of its kind: it corrects another one, or is nothing. */
function isTakenBack({ kind, gross }: Moved): boolean {
  return kind === 'refund' || kind === 'chargeback' ? gross >= 0 : gross <= 0
}

function sumOf(all: Iterable<Moved>, kind: Moved['kind']): number {
  return Array.from(all).reduce((sum, one) => (one.kind === kind ? sum + one.gross : sum), 0)
}

/** Returns what of a record can explain lines, given all of them. */
function itemsNextTo({ items }: PaymentRecord, lines: readonly Moved[]): Item[] {
  return items.filter(
    ({ gross, needs }) => !needs || lines.some((line) => line.kind === needs && line.gross === -gross),
  )
}

/** Returns what of a record is in no line yet. A line for a part of a sum leaves the rest of it. */
export function unbooked(record: PaymentRecord, lines: readonly Moved[]) {
  const [items, parts] = [new Set(itemsNextTo(record, lines)), new Set(lines)]
  settle(items, parts)
  return Array.from(items, ({ kind, gross, ids }) => {
    return { kind, ids, gross: ids ? gross : gross - sumOf(parts, kind) }
  })
}

/**
 * Returns what a record has for each line: its amount if it is explained, otherwise the rest of the record. A line
 * that names a transfer is explained only by that; any other by an amount that is the same, or by all that is left.
 * `before`: the lines booked earlier. `settlesParts`: the PSP may pay out only a part of a payment.
 */
export function explain(
  record: PaymentRecord,
  before: readonly Moved[],
  given: readonly Line[],
  settlesParts = false,
): number[] {
  const lines = given.map((line) => ({ ...line }))
  const known = itemsNextTo(record, [...before, ...lines])
  const named = ({ kind, transfer = '' }: Line) =>
    known.find((one) => one.kind === kind && one.ids?.includes(transfer))
  const claimed = new Set(lines.flatMap((line) => named(line) ?? []))
  // What a correction took back may be booked again. Earlier lines have no names, so they use named items last.
  const again = before.filter(isTakenBack).map(({ kind, gross }) => ({ kind, gross: -gross }))
  const items = new Set<Moved>([...again, ...known.filter((one) => !claimed.has(one)), ...claimed])
  const booked = new Set(before.filter((one) => !isTakenBack(one)))
  settle(items, booked)
  const byName = new Map<Moved, number>()
  for (const line of lines) {
    const item = named(line)
    if (item) byName.set(line, items.has(item) ? item.gross : 0)
    if (item?.gross === line.gross) items.delete(item)
  }
  const open = new Set<Moved>(lines.filter((line) => !byName.has(line)))
  settle(items, open, booked)
  const arePart = settlesParts && isPart(known, [...before, ...lines], record.currency)
  return lines.map((line) => {
    const { kind, gross } = line
    if (gross === 0 || (arePart && kind === 'payment')) return gross
    const rest = { kind, gross: sumOf(items, kind) - sumOf(booked, kind) }
    const unexplained = isTakenBack(rest) ? 0 : rest.gross
    return byName.get(line) ?? (open.has(line) ? unexplained : gross)
  })
}

/**
 * Returns whether the lines of payments are only a part of what was paid, so that a gift card may have paid the
 * rest, of at least one unit of the currency.
 */
function isPart(known: readonly Moved[], lines: readonly Moved[], currency: string): boolean {
  const rest = sumOf(known, 'payment') - sumOf(lines, 'payment')
  return lines.every((one) => one.kind !== 'payment' || one.gross > 0) && rest >= 10 ** decimalsOf(currency)
}

/**
 * Removes lines, and the items that explain them: each the one with its amount; or all of a kind, if they are the
 * sum of one line or of all, together with what is `booked`.
 */
function settle(items: Set<Moved>, lines: Set<Moved>, booked = new Set<Moved>()): void {
  for (const line of lines) {
    const same = [...items].find(({ kind, gross }) => kind === line.kind && gross === line.gross)
    if (same && items.delete(same)) lines.delete(line)
  }
  for (const [kind, some] of Map.groupBy(lines, (line) => line.kind)) {
    const rest = sumOf(items, kind) - sumOf(booked, kind)
    const summed = [...some.map((line) => [line]), some].find((ones) => sumOf(ones, kind) === rest) ?? []
    for (const line of summed) lines.delete(line)
    for (const left of summed.length > 0 ? [items, booked] : [])
      for (const one of left) if (one.kind === kind) left.delete(one)
  }
}
