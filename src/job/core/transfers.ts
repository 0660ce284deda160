import type { MoneyMove, Transfer, Transfers } from '../../psp/answer.ts'
import { disputeOf } from './parts.ts'

/*
 * The captures, releases, refunds and disputes of a payment, as its PSP lists or signs them. A transfer begins as
 * `pending` and ends as `done` or `failed`; what was done may be `returned`. An answer that lags behind adds
 * nothing and removes nothing.
 */

export const TRANSFER_KINDS = ['capture', 'release', 'refund', 'dispute'] as const
export type TransferKind = (typeof TRANSFER_KINDS)[number]

/** `at`: when (ms) the hub learnt of its state; 0 if it does not know. */
export type Known = Transfer & { at: number }
export type Lists = { readonly [Kind in TransferKind]?: readonly Known[] }

/** The ids of what the hub asked for: its own, and the PSP's as far as it is known. */
type Ids = { id: string; pspId: string | null }

/** The states that may follow each state. One that failed and is listed as done was done after all. */
const NEXT: Readonly<Record<Transfer['state'], readonly Transfer['state'][]>> = {
  pending: ['done', 'failed', 'returned'],
  done: ['returned'],
  failed: ['done'],
  returned: ['done'],
}

/** The id of what a PSP shows in its total, but not in its list. */
export const TOTAL = 'total'

function isSame(one: Transfer, { id, own }: Transfer): boolean {
  return one.id === id || (own !== undefined && one.own === own)
}

function moved(known: Known | undefined, shown: Transfer, now: number): Known {
  // What stands for a PSP's total has no state of its own.
  if (!known || (known.id === TOTAL && known.amount !== shown.amount)) return { ...shown, at: now }
  const wanted = known.state === 'done' && shown.state === 'failed' ? 'returned' : shown.state
  const isMoved = NEXT[known.state].includes(wanted)
  return { ...known, ...shown, state: isMoved ? wanted : known.state, at: isMoved ? now : known.at }
}

/** Merges what a PSP lists into what is known. A kind that the answer lacks stays. */
export function merged(known: Lists | null, shown: Transfers, now: number): Lists {
  const lists = TRANSFER_KINDS.flatMap((kind) => {
    const [before, list] = [known?.[kind] ?? [], shown[kind]]
    if (!list) return known?.[kind] ? [[kind, before] as const] : []
    const kept = before.filter((one) => one.id !== TOTAL && !list.some((other) => isSame(one, other)))
    const knownAs = (one: Transfer) => before.find((other) => isSame(other, one))
    const all = list.map((one) => moved(knownAs(one), one, now))
    return [[kind, [...kept, ...all]] as const]
  })
  return Object.fromEntries(lists)
}

/** The kind and the state of what a move reports. Other moves are no transfers. */
const OF_MOVES: Readonly<Partial<Record<MoneyMove['kind'], readonly [TransferKind, Transfer['state']]>>> = {
  capture: ['capture', 'done'],
  'capture-failed': ['capture', 'failed'],
  refund: ['refund', 'done'],
  'refund-failed': ['refund', 'failed'],
  'release-failed': ['release', 'failed'],
}

/** Returns the transfers that signed moves report, in whatever order these came. What failed once has failed. */
export function listsOfMoves(moves: readonly MoneyMove[]): Lists {
  const lists: { [Kind in TransferKind]?: Known[] } = {}
  for (const move of moves) {
    const [kind, state] = move.cancelled ? (['release', 'done'] as const) : (OF_MOVES[move.kind] ?? [])
    if (!kind || !state) continue
    const own = move.instruction ?? move.refund
    const shown = {
      id: move.reference ?? own ?? move.id,
      ...(own === undefined ? {} : { own }),
      amount: move.amount,
      state,
      ...(move.error === undefined ? {} : { why: move.error }),
    }
    const list = (lists[kind] ??= [])
    const place = list.findIndex((one) => isSame(one, shown))
    const known = list[place]
    if (!known) list.push({ ...shown, at: 0 })
    else if (known.state === 'done') list[place] = { ...shown, ...known, state }
  }
  const disputes = disputesOfMoves(moves)
  return disputes.length === 0 ? lists : { ...lists, dispute: disputes }
}

/** A dispute may be won, and lost in a second round. It is `returned` once all of its money has come back. */
function disputesOfMoves(moves: readonly MoneyMove[]): Known[] {
  const about = moves.filter(({ kind }) => kind === 'chargeback' || kind === 'chargeback-reversed')
  return Array.from(Map.groupBy(about, disputeOf), ([id, all]) => {
    const taken = all.reduce((sum, { kind, amount }) => sum + (kind === 'chargeback' ? amount : -amount), 0)
    const most = Math.max(...all.map(({ amount }) => amount))
    return { id: id ?? '', amount: taken > 0 ? taken : most, state: taken > 0 ? 'done' : 'returned', at: 0 }
  })
}

/** Returns what a payment's PSP lists or, if it lists nothing, what it has signed. */
export function listsOf({
  transfers,
  moves,
}: {
  transfers: Lists | null
  moves: readonly MoneyMove[]
}): Lists {
  return transfers && Object.keys(transfers).length > 0 ? transfers : listsOfMoves(moves)
}

/** Sums what is done (minor units); undefined without a list. */
export function doneIn(list: readonly Transfer[] | undefined): number | undefined {
  return list?.filter(({ state }) => state === 'done').reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * Sums what others than the hub did or do (minor units); undefined without a list. What a total has beyond its list
 * may be an instruction that the list lacks.
 */
export function byOthersIn(
  list: readonly Transfer[] | undefined,
  instructions: readonly (Ids & { amount: number; state: string })[],
): number | undefined {
  if (!list) return undefined
  const sumOf = (all: readonly { amount: number }[]) => all.reduce((sum, { amount }) => sum + amount, 0)
  const isOwn = (shown: Transfer) => instructions.some((one) => isOf(one, shown))
  const counted = list.filter((one) => (one.state === 'done' || one.state === 'pending') && !isOwn(one))
  const isListed = (one: Ids) => list.some((shown) => isOf(one, shown))
  const unlisted = instructions.filter((one) => one.state !== 'failed' && !isListed(one))
  const [totals, others] = [
    counted.filter(({ id }) => id === TOTAL),
    counted.filter(({ id }) => id !== TOTAL),
  ]
  return sumOf(others) + Math.max(sumOf(totals) - sumOf(unlisted), 0)
}

/** Returns whether a transfer is what the hub asked for by an instruction. Some PSPs show only the beginning of its id. */
export function isOf({ id, pspId }: Ids, shown: Transfer): boolean {
  return shown.id === pspId || (shown.own !== undefined && id.startsWith(shown.own))
}
