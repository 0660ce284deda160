import { DAY } from '../../contract/timestamp.ts'
import type { MoneyMove, Transfer, Transfers } from '../../psp/answer.ts'

/*
 * The captures, releases, refunds and disputes of a payment, as its PSP lists or signs them. A transfer begins as
 * `pending` and ends as `done` or `failed`; what was done may be `returned`. An answer that lags behind adds
 * nothing and removes nothing.
 */

export const TRANSFER_KINDS = ['capture', 'release', 'refund', 'dispute'] as const
export type TransferKind = (typeof TRANSFER_KINDS)[number]

/**
 * `at`: when (ms) the hub learnt of its state; 0 if it does not know. `of`: the PSP's reference of the payment that
 * it belongs to, if several paid the order.
 */
export type Known = Transfer & { at: number; of?: string }
export type Lists = { readonly [Kind in TransferKind]?: readonly Known[] }
/** What notifications sign, with the payments that paid the order. */
export type Signed = Lists & { readonly authorise?: readonly Known[] }

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

/**
 * What a PSP took, but has not listed this long (ms) after, is lost: Mollie's dashboard drops refunds. A release that
 * the PSP has not carried out for so long may be repeated.
 */
export const VANISHED_AFTER = DAY

/** A PSP's total (minor units) of each kind of transfer, as far as it shows one. */
export type Totals = { readonly [Kind in TransferKind]?: number | undefined }

/**
 * Merges what a PSP lists into what is known. What its total has and the list does not explain is a transfer too.
 * A kind of which the answer has neither stays.
 */
export function merged(known: Lists | null, shown: Transfers, totals: Totals, now: number): Lists {
  const lists = TRANSFER_KINDS.flatMap((kind) => {
    const [before = [], list, total] = [known?.[kind], shown[kind], totals[kind]]
    if (!list && !known?.[kind]) return []
    if (!list && total === undefined) return [[kind, before] as const]
    const isDropped = ({ state, at }: Known) => list && state === 'pending' && now >= at + VANISHED_AFTER
    const isListed = (one: Known) => list?.some((other) => isSame(one, other))
    const kept = before.filter((one) => one.id !== TOTAL && !isListed(one) && !isDropped(one))
    const knownAs = (one: Transfer) => before.find((other) => isSame(other, one))
    const as = (one: Transfer) => moved(knownAs(one), one, now)
    const all = [...kept, ...(list ?? []).filter(({ id }) => id !== TOTAL).map(as)]
    const amount = (total ?? 0) - amountOf(all.filter((one) => isInTotal(kind, one)))
    return [[kind, amount > 0 ? [...all, as({ id: TOTAL, amount, state: 'done' })] : all] as const]
  })
  return Object.fromEntries(lists)
}

/** A total may have a pending transfer already, and a dispute that was won still. */
function isInTotal(kind: TransferKind, { state }: Transfer): boolean {
  return state !== 'failed' && (state !== 'returned' || kind === 'dispute')
}

function amountOf(all: readonly { amount: number }[]): number {
  return all.reduce((sum, { amount }) => sum + amount, 0)
}

/** The kind and the state of what a move reports. Other moves are no transfers. */
const OF_MOVES: Readonly<Partial<Record<MoneyMove['kind'], readonly [keyof Signed, Transfer['state']]>>> = {
  part: ['authorise', 'done'],
  capture: ['capture', 'done'],
  'capture-failed': ['capture', 'failed'],
  refund: ['refund', 'done'],
  'refund-failed': ['refund', 'failed'],
  'release-failed': ['release', 'failed'],
}

/** Returns the transfers that signed moves report, in whatever order these came. What failed once has failed. */
export function listsOfMoves(moves: readonly MoneyMove[]): Signed {
  const lists: { -readonly [Kind in keyof Signed]: Known[] } = {}
  for (const move of moves) {
    const [kind, state] = move.cancelled ? (['release', 'done'] as const) : (OF_MOVES[move.kind] ?? [])
    // A payment without a reference cannot be told from another one.
    if (!kind || !state || (kind === 'authorise' && move.reference === undefined)) continue
    const own = move.instruction ?? move.refund
    const shown = {
      id: move.reference ?? own ?? move.id,
      ...(own === undefined ? {} : { own }),
      ...(move.of === undefined ? {} : { of: move.of }),
      amount: move.amount,
      state,
      ...(move.error === undefined ? {} : { why: move.error }),
    }
    const list = (lists[kind] ??= [])
    const place = list.findIndex((one: Known) => isSame(one, shown))
    const known = list[place]
    if (!known) list.push({ ...shown, at: 0 })
    else list[place] = { ...shown, ...known, state: known.state === 'done' ? state : known.state }
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
    const [of] = all.flatMap((one) => one.of ?? [])
    return {
      id: id ?? '',
      ...(of === undefined ? {} : { of }),
      amount: taken > 0 ? taken : most,
      state: taken > 0 ? 'done' : 'returned',
      at: 0,
    }
  })
}

/** Returns the PSP's reference of a dispute. Release 1.0 stored it only within the move's id. */
function disputeOf({ reference, id }: MoneyMove): string | undefined {
  return reference ?? /:([^:]+)$/.exec(id)?.[1]
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
  return list && amountOf(list.filter(({ state }) => state === 'done'))
}

/** Returns the instructions that a list lacks. Those that failed are none any more. */
export function unlistedIn<One extends Ids & { state: string }>(
  list: readonly Transfer[],
  instructions: readonly One[],
): One[] {
  return instructions.filter((one) => one.state !== 'failed' && !list.some((shown) => isOf(one, shown)))
}

type Asked = Ids & { amount: number; state: string }

/** Sums what a list has of others than the hub. An instruction that failed, but that the PSP lists, counts here. */
function listedByOthers(list: readonly Transfer[], instructions: readonly Asked[]): number {
  const isOwn = (shown: Transfer) => instructions.some((one) => one.state !== 'failed' && isOf(one, shown))
  const isCounted = ({ id, state }: Transfer) => id !== TOTAL && (state === 'done' || state === 'pending')
  return amountOf(list.filter((one) => isCounted(one) && !isOwn(one)))
}

/** Returns how much of what others had done `before` (minor units) only the PSP's total has. */
export function earlierInTotal(
  list: readonly Transfer[],
  instructions: readonly Asked[],
  before: number,
): number {
  return Math.min(Math.max(before - listedByOthers(list, instructions), 0), totalOf(list))
}

/**
 * Sums what others than the hub did or do (minor units); undefined without a list. What a total has beyond its list
 * may be an instruction that the list lacks, except for what others had done `before`.
 */
export function byOthersIn(
  list: readonly Transfer[] | undefined,
  instructions: readonly Asked[],
  before: number,
): number | undefined {
  if (!list) return undefined
  const rest = totalOf(list) - amountOf(unlistedIn(list, instructions))
  return listedByOthers(list, instructions) + Math.max(rest, earlierInTotal(list, instructions, before))
}

/** Returns what a PSP's total has and its list does not explain (minor units). */
export function totalOf(list: readonly Transfer[]): number {
  return list.find(({ id }) => id === TOTAL)?.amount ?? 0
}

/** Returns whether a transfer is what the hub asked for by an instruction. Some PSPs show only the beginning of its id. */
export function isOf({ id, pspId }: Ids, shown: Transfer): boolean {
  return shown.id === pspId || (shown.own !== undefined && id.startsWith(shown.own))
}
