import { DAY } from '../../contract/timestamp.ts'
import type { MoneyMove } from '../../psp/answer.ts'
import type { FactOf } from './facts.ts'
import { type Instruction, isUnderWay, withOthers, withPrompt } from './payment.ts'
import { LONGEST_INSTRUCTION, LONGEST_UNTAKEN, LOOK } from './schedule.ts'
import { type State, changePayment, findPayment } from './state.ts'

/*
 * An instruction goes from `asking` to `pending`, `done` or `failed`; by way of `waiting` if the PSP does
 * it later. An answer of the API or a signed notification settles it. A done one may still fail: a refund
 * bounces. A failed one stays failed unless a notification says that it was done. This is the same for
 * captures, releases and refunds. At its end (`endOf`) the hub gives it up, whatever the PSP says or does
 * not say. docs/architecture.md draws it.
 */

export function instructionsOf({ captures, refunds }: State): Instruction[] {
  return [...captures, ...refunds]
}

export function findInstruction(state: State, id: string): Instruction | undefined {
  return instructionsOf(state).find((one) => one.id === id)
}

export function eachInstruction(state: State, change: (one: Instruction) => Instruction): State {
  return { ...state, captures: state.captures.map(change), refunds: state.refunds.map(change) }
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
export function instructed(state: State, fact: FactOf<'instructed'>, now: number): State {
  const { is: _, ...wanted } = fact
  const asked = { state: 'asking', askedAt: now, lastCheckAt: now } as const
  const known = findInstruction(state, fact.id)
  if (known)
    return eachInstruction(state, (one) => (one === known ? { ...one, ...asked, round: one.round + 1 } : one))
  const fresh = { ...wanted, at: now, round: 1, ...asked, pspId: null, error: null, answeredAt: 0 }
  return fact.kind === 'refund'
    ? { ...state, refunds: [...state.refunds, fresh] }
    : { ...state, captures: [...state.captures, fresh] }
}

/** Release 1.0 knew no other instruction than a refund, and had a fact of its own for it. */
export function refundAsked({ refund: id, ...fact }: FactOf<'refund-asked'>): FactOf<'instructed'> {
  return { ...fact, is: 'instructed', kind: 'refund', id }
}

/** Applies what the PSP said about an instruction. */
export function answered(
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

/** The moves of money that settle an instruction of each kind. */
type SettlingMoves = { done: MoneyMove['kind']; failed: MoneyMove['kind']; notYet?: MoneyMove['kind'] }
const SETTLED_BY: Readonly<Record<Instruction['kind'], SettlingMoves>> = {
  capture: { done: 'capture', failed: 'capture-failed' },
  release: { done: 'refund', failed: 'release-failed' },
  refund: { done: 'refund', failed: 'refund-failed', notYet: 'refund-not-yet' },
}

/** Settles an instruction by what notifications say about it. */
export function settledByMoves(given: Instruction, moves: readonly MoneyMove[], now: number): Instruction {
  const isNamed = (move: MoneyMove) => (move.instruction ?? move.refund) === given.id
  // The answer with the PSP's reference may be lost.
  const pspId = given.pspId ?? moves.find(isNamed)?.reference ?? null
  const own = moves.filter((move) => isNamed(move) || move.reference === pspId)
  const one = { ...given, pspId }
  const ofKind = (kind: MoneyMove['kind'] | undefined) => own.filter((move) => move.kind === kind)
  const { done, failed, notYet } = SETTLED_BY[one.kind]
  const [failure] = ofKind(failed)
  if (failure)
    return one.state === 'failed'
      ? one
      : { ...one, state: 'failed', error: failure.error ?? one.error, answeredAt: now }
  if (ofKind(done).length > 0) return one.state === 'done' ? one : { ...one, state: 'done', answeredAt: now }
  const later = ofKind(notYet)[one.round - 1]
  const isOpen = one.state === 'asking' || one.state === 'pending'
  return isOpen && later ? { ...postponed(one, later.error ?? null), lastCheckAt: now, answeredAt: now } : one
}

/** How often, over more than a day, the hub asks for what the PSP cannot do yet. */
const MOST_ROUNDS = LOOK.length + 1

function postponed(one: Instruction, error: string | null): Instruction {
  return { ...one, state: one.round < MOST_ROUNDS ? 'waiting' : 'failed', error }
}
