import { DAY, MINUTE } from '../../contract/timestamp.ts'
import type { MoneyMove, Transfer, Transfers } from '../../psp/answer.ts'
import type { FactOf } from './facts.ts'
import { committed, heldBy, ofPayment } from './money.ts'
import { foreignOf, withOthers } from './others.ts'
import { type Instruction, type Payment, about, isUnderWay, withPrompt } from './payment.ts'
import { LONGEST_INSTRUCTION, LONGEST_UNTAKEN, LOOK } from './schedule.ts'
import { type State, changePayment, findPayment } from './state.ts'
import {
  type Lists,
  VANISHED_AFTER,
  earlierInTotal,
  isOf,
  listsOfMoves,
  totalOf,
  unlistedIn,
} from './transfers.ts'

/*
 * An instruction goes from `asking` to `pending`, `done` or `failed`; by way of `waiting` if the PSP does
 * it later. An answer of the API or a signed notification settles it. A done one may still fail: a refund
 * bounces. A failed one stays failed unless a notification says that it was done. This is the same for
 * captures, releases and refunds. At its end (`endOf`) the hub gives it up, whatever the PSP says or does
 * not say. docs/architecture.md draws it.
 */

export function findInstruction(state: State, id: string): Instruction | undefined {
  return state.instructions.find((one) => one.id === id)
}

export function eachInstruction(state: State, change: (one: Instruction) => Instruction): State {
  return { ...state, instructions: state.instructions.map(change) }
}

/** Returns when (ms) the hub gives up an instruction of which the PSP has not said what became of it. */
export function endOf({ at, state }: Pick<Instruction, 'at' | 'state'>): number {
  return at + (state === 'pending' ? LONGEST_INSTRUCTION : LONGEST_UNTAKEN)
}

/** Returns whether the hub now gives up an instruction, because nobody said what became of it. */
export function isOverdue(one: Instruction, now: number): boolean {
  return isUnderWay(one) && now >= endOf(one)
}

/** How long (ms) a PSP may leave a request unanswered before a person should look. */
const LOOKED_AT_AFTER = DAY

/** Returns whether a person should look at the PSP, because it does not say, or never said, what it did. */
export function isUnconfirmed({ state, askedAt, overdue }: Instruction, now: number): boolean {
  return overdue === true || (state === 'asking' && now >= askedAt + LOOKED_AT_AFTER)
}

/** Returns the description of an instruction whose request gives none. */
export function descriptionOf({ order }: State, kind: Instruction['kind']): string {
  const names = { refund: 'Refund of order', capture: 'Order', release: 'Release of order' }
  return `${names[kind]} ${order.orderNumber}`
}

/** Applies that the hub instructs a PSP, for the first time or again after a `not-yet`. */
export function withInstruction(state: State, fact: FactOf<'instructed'>, now: number): State {
  const { is: _, ...wanted } = fact
  const asked = { state: 'asking', askedAt: now, lastCheckAt: now } as const
  const known = findInstruction(state, fact.id)
  if (known)
    return eachInstruction(state, (one) => (one === known ? { ...one, ...asked, round: one.round + 1 } : one))
  const fresh = { ...wanted, at: now, round: 1, ...asked, pspId: null, error: null, answeredAt: 0 }
  return { ...state, instructions: [...state.instructions, fresh] }
}

/** Release 1.0 knew no other instruction than a refund, and had a fact of its own for it. */
export function refundAsked({ refund: id, ...fact }: FactOf<'refund-asked'>): FactOf<'instructed'> {
  return { ...fact, is: 'instructed', kind: 'refund', id }
}

/** Applies what the PSP said about an instruction. */
export function withAnswer(
  state: State,
  { id, outcome }: Pick<FactOf<'instruction-answered'>, 'id' | 'outcome'>,
  now: number,
): State {
  const known = findInstruction(state, id)
  if (!known) return state
  const moves = findPayment(state, known)?.moves ?? []
  const next = settledByMoves(withOutcome({ ...known, lastCheckAt: now }, outcome), moves, now)
  const isMoved = next.state !== known.state && next.state !== 'waiting'
  const after = isMoved ? { ...next, answeredAt: now } : next
  const changed = eachInstruction(state, (one) => (one === known ? after : one))
  if (!isMoved) return changed
  // The PSP may refuse because an operator acted in its dashboard, so the hub asks for the totals.
  const isDeaf = 'accountRefused' in outcome || 'overdue' in outcome
  return changePayment(changed, known, (payment) => {
    const counted = withOthers(payment, changed)
    return isDeaf ? counted : withPrompt(counted, now)
  })
}

function withOutcome(one: Instruction, outcome: FactOf<'instruction-answered'>['outcome']): Instruction {
  switch (outcome.is) {
    case 'failed':
      if (one.state === 'failed') return one
      return {
        ...one,
        state: 'failed',
        error: outcome.message,
        ...(outcome.accountRefused ? { unseen: true } : {}),
        ...(outcome.overdue ? { overdue: true } : {}),
      }
    case 'not-yet':
      return one.state === 'asking' ? postponed(one, outcome.message) : one
    case 'no-answer':
      return one
    case 'taken':
    case 'done':
      if (one.state === 'failed' || one.state === 'done') return one
      return {
        ...one,
        state: outcome.is === 'done' ? 'done' : 'pending',
        error: null,
        pspId: outcome.reference ?? one.pspId,
      }
  }
}

/** An instruction fails if the PSP does not list it this long (ms) after the hub asked. */
const LOST_AFTER = 10 * MINUTE

/**
 * Settles a payment's instructions by what its PSP lists. `shown`: the kinds that its answer to a question of `asked`
 * (ms) lists, so that what they lack may be lost.
 */
export function settledByLists(
  state: State,
  payment: Payment,
  { lists, shown, asked, now }: { lists: Lists; shown: Transfers; asked: number; now: number },
): State {
  const all = about(state.instructions, payment)
  return eachInstruction(state, (one) => {
    const list = lists[one.kind]
    if (!list || !all.includes(one)) return one
    const alike = all.filter(({ kind }) => kind === one.kind)
    const before = foreignOf(payment, one.kind)
    const next = settledByList(one, list, alike, before) ?? (shown[one.kind] ? missed(one, asked) : one)
    return next.state === one.state ? next : { ...next, answeredAt: now }
  })
}

/**
 * Returns null if nothing shows what became of the instruction. `alike`: all of its kind. `before`: what others had done
 * (minor units).
 */
function settledByList(
  one: Instruction,
  list: readonly Transfer[],
  alike: readonly Instruction[],
  before: number,
): Instruction | null {
  // A PSP may list releases without the hub's id, and so the one that nobody else asked for.
  const isFree = (shown: Transfer) => !alike.some((other) => isOf(other, shown))
  const found =
    list.find((shown) => isOf(one, shown)) ??
    (one.kind === 'release' && isUnderWay(one) ? list.findLast(isFree) : undefined)
  if (found) return settledAs(one, found)
  if (!isUnproven(one)) return one
  // The PSP's total has more than its list: perhaps this, and surely if no other instruction explains it.
  const unlisted = unlistedIn(list, alike)
  const open = unlisted.filter(isUnproven)
  const proven = unlisted.filter((other) => other.state === 'done' && !isUnproven(other))
  const rest = totalOf(list) - earlierInTotal(list, alike, before) - committed(proven)
  if (rest < one.amount) return null
  const fitting = open.filter(({ amount }) => amount === rest)
  const isThis = committed(open) === rest || (fitting.length === 1 && one.amount === rest)
  return isThis ? { ...one, state: 'done', error: null } : one
}

/** Returns whether only a list shows what became of an instruction. A refund without an id was done by a total. */
function isUnproven({ kind, state, pspId }: Instruction): boolean {
  return (
    state === 'asking' || state === 'pending' || (kind === 'refund' && state === 'done' && pspId === null)
  )
}

function settledAs(one: Instruction, { id: pspId, state, why }: Transfer): Instruction {
  if (state === 'done') return one.state === 'done' ? one : { ...one, pspId, state, error: null }
  if (state === 'pending')
    return one.state === 'asking' || one.state === 'waiting' ? { ...one, pspId, state, error: null } : one
  const error = why ?? one.error
  return one.state === 'failed' ? one : { ...one, pspId, state: 'failed', error }
}

/** Settles the releases of a payment of which its PSP holds nothing any more: not all PSPs list releases. */
export function settledReleases(state: State, payment: Payment, now: number): State {
  if (payment.authorized === 0 || heldBy(payment) > 0) return state
  const releases = ofPayment(state, payment, 'release').filter(isUnderWay)
  return releases.length === 0
    ? state
    : eachInstruction(state, (one) =>
        releases.includes(one) ? { ...one, state: 'done', error: null, answeredAt: now } : one,
      )
}

/** Fails an instruction that the PSP has not listed for long. */
function missed(one: Instruction, asked: number): Instruction {
  const { kind, state, askedAt, answeredAt } = one
  const isLost = state !== 'pending' && asked >= askedAt + LOST_AFTER
  const isDropped = state === 'pending' && asked >= answeredAt + VANISHED_AFTER
  if (isLost) return { ...one, state: 'failed', error: 'The payment service provider was not reached.' }
  return isDropped
    ? { ...one, state: 'failed', error: `The payment service provider has dropped the ${kind}.` }
    : one
}

/** Settles an instruction by what notifications say about it. Their lists are never complete. */
export function settledByMoves(one: Instruction, moves: readonly MoneyMove[], now: number): Instruction {
  const found = listsOfMoves(moves)[one.kind]?.find((shown) => isOf(one, shown))
  if (found) {
    const next = settledAs({ ...one, pspId: one.pspId ?? found.id }, found)
    return next.state === one.state ? next : { ...next, answeredAt: now }
  }
  const isNotYet = (move: MoneyMove) => move.kind === 'refund-not-yet' && move.refund === one.id
  const later = moves.filter(isNotYet)[one.round - 1]
  const isOpen = one.state === 'asking' || one.state === 'pending'
  return isOpen && later ? { ...postponed(one, later.error ?? null), lastCheckAt: now, answeredAt: now } : one
}

/** How often, over more than a day, the hub asks for what the PSP cannot do yet. */
const MOST_ROUNDS = LOOK.length + 1

function postponed(one: Instruction, error: string | null): Instruction {
  return { ...one, state: one.round < MOST_ROUNDS ? 'waiting' : 'failed', error }
}
