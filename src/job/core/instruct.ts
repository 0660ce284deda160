import { type Result, ok, refuse } from '../../contract/result.ts'
import { DAY, MINUTE } from '../../contract/timestamp.ts'
import type { InstructionAnswer, InstructionKind } from '../../psp/answer.ts'
import type { Fact, FactOf, InstructionOutcome } from './facts.ts'
import { answered, findInstruction, instructionsOf, isOverdue } from './instructions.ts'
import { partsOfPayment, signedIn, takenIn } from './parts.ts'
import { type Instruction, type Payment, type Where, about, committed, isUnderWay } from './payment.ts'
import { nextCheck } from './questions.ts'
import { capturableOf, uncoveredOf } from './reserved.ts'
import { type State, findPayment } from './state.ts'

/** The result of an instruction. `accountRefused`: the PSP refused the account, so it did nothing. */
export type InstructionResult = InstructionAnswer | { is: 'refused'; message: string; accountRefused: true }

/**
 * An instruction that a point of sale or an operator wants. `amount`: null for all that is left of one
 * payment. `call`: names the request.
 */
export type InstructionRequest = Pick<Instruction, 'kind' | 'id' | 'fingerprint' | 'call' | 'description'> & {
  amount: number | null
  final?: boolean
}

/** A reason why the hub does not instruct a PSP. `rest`: the most that would be possible. */
export type InstructionRefusal = { kind: InstructionKind } & (
  | { is: 'unpaid'; isReserved: boolean }
  | { is: 'not-reserved' }
  | { is: 'nothing-left' }
  | { is: 'too-much'; rest: number; inParts: boolean }
  | { is: `other-${InstructionKind}` }
  | { is: 'too-many' }
)

/**
 * The most refunds of one job that its PSP has seen, including failed ones, and the most in all. The
 * same holds for captures and releases together.
 */
const MOST = { seen: 100, all: 300 }

/** An instruction fails if the PSP does not know it this long (ms) after the hub asked. */
const LOST_AFTER = 10 * MINUTE
/**
 * It also fails if the PSP took it this long (ms) ago and has lost it: Mollie's dashboard drops refunds. A
 * release that the PSP has not carried out for so long may be repeated.
 */
const VANISHED_AFTER = DAY

/** Money that an instruction can be about: of a payment, or of one of its parts. */
type Source = { where: Where & { part?: string }; rest: number }

/**
 * Decides about an instruction before the hub asks the PSP. So the hub never captures more than is
 * reserved, nor refunds more than was captured, even if several requests come at once. The instruction is
 * about the payment with the most left: a job may have payments at two accounts, or a gift card and a card
 * may have paid it together. The same id again changes nothing. `once`: accounts whose PSP captures a
 * payment only once unless it says otherwise of one, so that this capture leaves nothing. A release that is
 * on its way needs no second one, unless the PSP has not carried it out for a day: the hub then repeats it.
 */
export function decideInstruction(
  state: State,
  wanted: InstructionRequest,
  once: readonly string[],
  now: number,
): Result<Fact[], InstructionRefusal> {
  const { kind } = wanted
  const known = findInstruction(state, wanted.id)
  if (known)
    return known.fingerprint === wanted.fingerprint && known.kind === kind
      ? ok([])
      : refuse({ kind, is: `other-${kind}` })
  const nothing = whyNothing(state, kind)
  if (nothing) return refuse(nothing)
  if (isTooMany(kind === 'refund' ? state.refunds : state.captures)) return refuse({ kind, is: 'too-many' })
  const releases = kind === 'release' ? releasing(state) : []
  if (releases.length > 0)
    return ok(releases.filter(({ askedAt }) => askedAt + VANISHED_AFTER <= now).map(askedAgain))
  const sources = kind === 'refund' ? paidOf(state) : reservedOf(state, kind)
  const [most] = sources.toSorted((one, other) => other.rest - one.rest)
  if (!most || most.rest === 0) return refuse({ kind, is: 'nothing-left' })
  const { where, rest } = most
  const amount = wanted.amount ?? rest
  if (amount > rest) return refuse({ kind, is: 'too-much', rest, inParts: 'part' in where })
  const { id, fingerprint, call, description, final } = wanted
  const fact = { is: 'instructed', kind, id, fingerprint, call, amount, description, ...where } as const
  const isOnly = once.includes(where.account) && findPayment(state, where)?.inParts !== true
  const isFinal = final === true || (kind === 'capture' && isOnly)
  return ok([{ ...fact, ...(isFinal ? { final: true } : {}) }])
}

function whyNothing(state: State, kind: InstructionKind): InstructionRefusal | null {
  const { payments } = state
  const isReserved = payments.some(({ authorized }) => authorized > 0)
  if (kind !== 'refund') return isReserved ? null : { kind, is: 'not-reserved' }
  const isPaid = payments.some((payment) => takenOf(state, payment) > 0)
  return isPaid ? null : { kind, is: 'unpaid', isReserved }
}

function isTooMany(instructions: readonly Instruction[]): boolean {
  const seen = instructions.filter(({ unseen }) => !unseen)
  return seen.length >= MOST.seen || instructions.length >= MOST.all
}

function releasing({ captures }: State): Instruction[] {
  return captures.filter((one) => one.kind === 'release' && isUnderWay(one))
}

/** Returns the most that can be captured, released or refunded by one instruction (minor units). */
export function mostOf(state: State, kind: InstructionKind): number {
  const sources = kind === 'refund' ? paidOf(state) : reservedOf(state, kind)
  return Math.max(0, ...sources.map(({ rest }) => rest))
}

function reservedOf(state: State, kind: 'capture' | 'release'): Source[] {
  return state.payments.map((payment) => {
    const { account, reference } = payment
    const held = capturableOf(state, payment)
    const rest = kind === 'release' ? held : Math.min(held, uncoveredOf(state))
    return { where: { account, reference }, rest }
  })
}

function paidOf(state: State): Source[] {
  return state.payments.flatMap((payment) => refundable(state, payment))
}

function refundable(state: State, payment: Payment): Source[] {
  const { account, reference } = payment
  const rest = refundableOf(state, payment)
  const parts = partsOfPayment(payment.moves, takenOf(state, payment))
  if (parts.length === 0) return [{ where: { account, reference }, rest }]
  return parts.map(({ part, amount, refunded, cancelled, chargedBack }) => {
    const ofPart = state.refunds.filter((refund) => refund.part === part)
    const underWay = committed(ofPart.filter(isUnderWay))
    const gone = Math.max(refunded, committed(ofPart) - underWay) + underWay
    const left = Math.max(amount - chargedBack - cancelled - gone, 0)
    return { where: { account, reference, part }, rest: Math.min(rest, left) }
  })
}

/** Returns what may still go back: the amount taken, less all that went back or may yet. */
export function refundableOf(state: State, payment: Payment): number {
  const { paid, chargedBack, foreign, moves } = payment
  const wanted = committed(about(state.refunds, payment))
  const isSigned = paid === 0 && takenOf(state, payment) > 0
  // Of money that only its signature shows, the hub counts no total that went back.
  const gone = isSigned
    ? Math.max(wanted, takenOf(state, payment) - (signedIn(moves) ?? 0))
    : foreign + wanted
  return Math.max(takenOf(state, payment) - chargedBack - gone, 0)
}

/**
 * Returns what the customer paid (minor units). Of a payment that has ended unpaid it is what the PSP has
 * signed as authorised and did not cancel: a person who finds that money at the PSP must be able to give it back.
 * If the order only reserves, so does an authorisation.
 */
function takenOf({ standing, order }: State, { paid, authorized, moves }: Payment): number {
  const isShown = paid > 0 || authorized > 0 || standing.is !== 'ended'
  return isShown || order.capture === 'manual' ? paid : takenIn(moves)
}

/** Returns the fact that the hub instructs the PSP again, after a `not-yet`. */
export function askedAgain(known: Instruction): FactOf<'instructed'> {
  const { kind, id, fingerprint, call, amount, description, account, reference, part, final, byHub } = known
  const asked = { kind, id, fingerprint, call, amount, description, account, reference }
  return {
    is: 'instructed',
    ...asked,
    ...(part === undefined ? {} : { part }),
    ...(final ? { final } : {}),
    ...(byHub ? { byHub } : {}),
  }
}

/** Decides what to record of an answer: nothing if it is no news. */
export function recordAnswer(
  state: State,
  { id, asked, answer }: { id: string; asked: number; answer: InstructionResult },
  now: number,
): Fact[] {
  const known = findInstruction(state, id)
  if (!known) return []
  const factOf = (outcome: InstructionOutcome) =>
    ({ is: 'instruction-answered', id, asked, outcome }) as const
  const said = factOf(outcomeOf(known, answer, now))
  const after = findInstruction(answered(state, said, now), id)
  const fact = after && isOverdue(after, now) ? factOf(givenUp(known)) : said
  return isSameAfter(state, known, answered(state, fact, now)) ? [] : [fact]
}

function givenUp({ kind }: Instruction): InstructionOutcome {
  const message = `The payment service provider never said what became of the ${kind}. Look there before you ask for it again.`
  return { is: 'failed', message, overdue: true }
}

/** Returns whether an answer is no news: it changes neither the instruction nor whether to check it. */
function isSameAfter(state: State, known: Instruction, next: State): boolean {
  const after = instructionsOf(next).find(({ id }) => id === known.id) ?? known
  const isSame = after.state === known.state && after.pspId === known.pspId
  // The total fell, which called for this check.
  const isCalledFor = known.kind !== 'release' && (findPayment(state, known)?.fellAt ?? 0) > known.lastCheckAt
  const isPlanned = nextCheck(next, after) !== null
  return isSame && !isCalledFor && isPlanned === (nextCheck(state, known) !== null)
}

function outcomeOf(known: Instruction, answer: InstructionResult, now: number): InstructionOutcome {
  switch (answer.is) {
    case 'taken':
      return { is: answer.state === 'done' ? 'done' : 'taken', reference: answer.reference }
    case 'refused':
    case 'failed':
      return {
        is: 'failed',
        message: answer.message,
        ...('accountRefused' in answer ? { accountRefused: true } : {}),
      }
    case 'not-yet':
      return answer
    case 'unavailable':
      return { is: 'no-answer', message: answer.message }
    case 'unknown':
      if (known.state === 'asking' && now >= known.askedAt + LOST_AFTER)
        return { is: 'failed', message: 'The payment service provider was not reached.' }
      if (known.state === 'pending' && now >= known.answeredAt + VANISHED_AFTER)
        return { is: 'failed', message: `The payment service provider has dropped the ${known.kind}.` }
      return { is: 'no-answer', message: `The payment service provider does not know the ${known.kind}.` }
  }
}
