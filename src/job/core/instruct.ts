import { siblingOf } from '../../contract/ids.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import type { InstructionAnswer, InstructionKind } from '../../psp/answer.ts'
import type { Fact, FactOf, InstructionOutcome } from './facts.ts'
import { findInstruction, isOverdue, withAnswer } from './instructions.ts'
import { type Source, committed, isRefundable, ofPayment, sourcesOf } from './money.ts'
import { type Instruction, OF_RESERVED, isUnderWay, ofKind } from './payment.ts'
import { type State, findPayment } from './state.ts'
import { VANISHED_AFTER } from './transfers.ts'

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

/**
 * Decides about an instruction before the hub asks the PSP. So the hub never captures more than is reserved, nor
 * refunds more than was captured, even if several requests come at once. A capture or a refund is about the payment
 * with the most left: a job may have payments at two accounts, or a gift card and a card may have paid it together.
 * A release is about each payment that holds money. The same id again changes nothing. `once`: accounts whose PSP
 * captures a payment only once unless it says otherwise of one, so that this capture leaves nothing. A release that
 * is on its way needs no second one, unless the PSP has not carried it out for a day: the hub then repeats it.
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
  const sources = sourcesOf(state, kind).filter(({ rest }) => rest > 0)
  if (kind === 'release') return decideRelease(state, wanted, sources, now)
  if (isTooMany(likes(state, kind))) return refuse({ kind, is: 'too-many' })
  const [most] = sources
  if (!most) return refuse({ kind, is: 'nothing-left' })
  const { where, rest } = most
  const amount = wanted.amount ?? rest
  if (amount > rest) return refuse({ kind, is: 'too-much', rest, inParts: 'part' in where })
  const isOnly = once.includes(where.account) && findPayment(state, where)?.inParts !== true
  const isFinal = wanted.final === true || (kind === 'capture' && isOnly)
  return ok([{ ...factFor(wanted, most, amount), ...(isFinal ? { final: true } : {}) }])
}

/** Releases each payment that holds money, under ids that follow from the wanted one. */
function decideRelease(
  state: State,
  wanted: InstructionRequest,
  sources: readonly Source[],
  now: number,
): Result<Fact[], InstructionRefusal> {
  const releases = ofKind(state, 'release').filter(isUnderWay)
  const late = releases.filter(({ askedAt }) => askedAt + VANISHED_AFTER <= now)
  if (sources.length === 0 && releases.length === 0) return refuse({ kind: 'release', is: 'nothing-left' })
  if (likes(state, 'release').length >= MOST.all) return refuse({ kind: 'release', is: 'too-many' })
  const fresh = sources.map((source, place) =>
    factFor({ ...wanted, id: siblingOf(wanted.id, place) }, source, source.rest),
  )
  return ok([...late.map(askedAgain), ...fresh])
}

function factFor(wanted: InstructionRequest, { where }: Source, amount: number): FactOf<'instructed'> {
  const { kind, id, fingerprint, call, description } = wanted
  return { is: 'instructed', kind, id, fingerprint, call, amount, description, ...where }
}

function whyNothing(state: State, kind: InstructionKind): InstructionRefusal | null {
  const isReserved = state.payments.some(({ authorized }) => authorized > 0)
  if (kind !== 'refund') return isReserved ? null : { kind, is: 'not-reserved' }
  return isRefundable(state) ? null : { kind, is: 'unpaid', isReserved }
}

/** Returns the instructions that share a limit with those of a kind: refunds, or captures and releases. */
export function likes(state: State, kind: InstructionKind): Instruction[] {
  return kind === 'refund' ? ofKind(state, kind) : ofKind(state, ...OF_RESERVED)
}

function isTooMany(instructions: readonly Instruction[]): boolean {
  const seen = instructions.filter(({ unseen }) => !unseen)
  return seen.length >= MOST.seen || instructions.length >= MOST.all
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

/**
 * Decides about an instruction that waits, before its next round: it fails if the money is no longer there, since
 * a bank took it back or somebody captured, released or refunded it meanwhile.
 */
export function askedOnce(state: State, known: Instruction, asked: number): Fact[] {
  const { id, kind, amount, account, reference, part } = known
  const isHere = ({ where }: Source) =>
    where.account === account && where.reference === reference && where.part === part
  const others = { ...state, instructions: state.instructions.filter((one) => one.id !== id) }
  const rest = sourcesOf(others, kind).find(isHere)?.rest ?? 0
  if (rest >= amount) return [askedAgain(known)]
  const message = `Too little money is left for the ${kind}.`
  return [{ is: 'instruction-answered', id, asked, outcome: { is: 'failed', message } }]
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
  const said = factOf(outcomeOf(answer))
  const next = findInstruction(withAnswer(state, said, now), id) ?? known
  const fact = isOverdue(next, now) ? factOf(givenUp(state, known)) : said
  const after = findInstruction(withAnswer(state, fact, now), id) ?? known
  return after.state === known.state && after.pspId === known.pspId ? [] : [fact]
}

/** Gives an instruction up. If a PSP lists no refunds, its total may have all of them, so that this one is done. */
function givenUp(state: State, { kind, pspId, ...where }: Instruction): InstructionOutcome {
  const payment = kind === 'refund' ? findPayment(state, where) : undefined
  const isInTotal =
    payment &&
    !payment.transfers?.refund &&
    payment.refunded >= payment.foreign + committed(ofPayment(state, payment, 'refund'))
  if (isInTotal) return { is: 'done', reference: pspId }
  const message = `The payment service provider never said what became of the ${kind}. Look there before you ask for it again.`
  return { is: 'failed', message, overdue: true }
}

function outcomeOf(answer: InstructionResult): InstructionOutcome {
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
  }
}
