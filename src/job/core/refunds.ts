import { type Result, ok, refuse } from '../../contract/result.ts'
import { DAY, MINUTE } from '../../contract/timestamp.ts'
import type { RefundAnswer } from '../../psp/answer.ts'
import type { Fact, FactOf, RefundOutcome } from './facts.ts'
import { committed, isUnderWay, refundAnswered, refundsAt } from './money-back.ts'
import { partsOf } from './parts.ts'
import { nextCheck } from './questions.ts'
import { type Payment, type Refund, type State, type Where, findPayment } from './state.ts'

/** The answer to a refund. `accountRefused`: the PSP refused the account, so it took nothing. */
export type RefundAsked = RefundAnswer | { is: 'refused'; message: string; accountRefused: true }

/** A refund that somebody wants. `amount`: null for all of one payment. `call`: names the request. */
export type WantedRefund = Pick<Refund, 'id' | 'fingerprint' | 'call' | 'description'> & {
  amount: number | null
}

/** A reason why the hub does not ask the PSP for a refund. `rest`: how much could be refunded. */
export type RefundRefusal =
  | { is: 'unpaid' }
  | { is: 'nothing-left' }
  | { is: 'too-much'; rest: number; inParts: boolean }
  | { is: 'other-refund' }
  | { is: 'too-many' }

/** The most refunds of one job that its PSP has seen, failed ones included; and the most of all. */
const MOST_REFUNDS = { seen: 100, all: 300 }

/** A refund fails if the PSP does not know it this long (ms) after the hub asked. */
const LOST_AFTER = 10 * MINUTE
/**
 * A refund also fails if the PSP took it this long (ms) ago and does not know it any more: Mollie's
 * dashboard can drop refunds.
 */
const VANISHED_AFTER = DAY

/**
 * Decides about a refund before the hub asks the PSP, so that never more goes back than was paid,
 * even if several requests come at once. The refund goes back to the payment with most left: a job
 * may have payments at two accounts, or a gift card and a card may have paid it together. The same
 * id again changes nothing.
 */
export function decideRefund(state: State, wanted: WantedRefund): Result<Fact[], RefundRefusal> {
  const known = state.refunds.find(({ id }) => id === wanted.id)
  if (known) return known.fingerprint === wanted.fingerprint ? ok([]) : refuse({ is: 'other-refund' })
  const paid = state.payments.filter((payment) => payment.paid > 0)
  if (paid.length === 0) return refuse({ is: 'unpaid' })
  const seen = state.refunds.filter((refund) => !refund.unseen)
  if (seen.length >= MOST_REFUNDS.seen || state.refunds.length >= MOST_REFUNDS.all)
    return refuse({ is: 'too-many' })
  const [most] = paid
    .flatMap((payment) => sourcesOf(state, payment))
    .toSorted((one, other) => other.rest - one.rest)
  if (!most || most.rest === 0) return refuse({ is: 'nothing-left' })
  const { where, rest } = most
  const amount = wanted.amount ?? rest
  if (amount > rest) return refuse({ is: 'too-much', rest, inParts: 'part' in where })
  const { id: refund, fingerprint, call, description } = wanted
  return ok([{ is: 'refund-asked', refund, fingerprint, call, amount, description, ...where }])
}

/** Returns the payments, or their parts, that can be refunded, and how much of each. */
function sourcesOf(state: State, payment: Payment): { where: Where & { part?: string }; rest: number }[] {
  const { account, reference } = payment
  const rest = restOf(state, payment)
  const parts = partsOf(payment.moves, payment.paid)
  if (parts.length === 0) return [{ where: { account, reference }, rest }]
  return parts.map(({ part, amount, refunded, cancelled, chargedBack }) => {
    const ofPart = state.refunds.filter((refund) => refund.part === part)
    const underWay = committed(ofPart.filter(isUnderWay))
    const gone = Math.max(refunded, committed(ofPart) - underWay) + underWay
    const left = Math.max(amount - chargedBack - cancelled - gone, 0)
    return { where: { account, reference, part }, rest: Math.min(rest, left) }
  })
}

/** Returns the fact that the hub asks again for a refund that the PSP has not made yet. */
export function askedAgain(known: Refund): FactOf<'refund-asked'> {
  const { id: refund, fingerprint, call, amount, description, account, reference, part } = known
  const asked = { refund, fingerprint, call, amount, description, account, reference }
  return { is: 'refund-asked', ...asked, ...(part === undefined ? {} : { part }) }
}

/** Returns what may still go back: the amount paid, less all that went back or may yet. */
export function restOf({ refunds }: State, payment: Payment): number {
  const { paid, chargedBack, foreign } = payment
  return Math.max(paid - chargedBack - foreign - committed(refundsAt(refunds, payment)), 0)
}

export function recordRefund(
  state: State,
  { id, asked, answer }: { id: string; asked: number; answer: RefundAsked },
  now: number,
): Fact[] {
  const refund = state.refunds.find((one) => one.id === id)
  if (!refund) return []
  const fact = { is: 'refund-answered', refund: id, asked, outcome: outcomeOf(refund, answer, now) } as const
  return isSameAfter(state, refund, refundAnswered(state, fact, now)) ? [] : [fact]
}

/** Returns whether an answer tells nothing new: nothing of the refund, and no end of its checks. */
function isSameAfter(state: State, refund: Refund, answered: State): boolean {
  const after = answered.refunds.find(({ id }) => id === refund.id) ?? refund
  const isSame = after.state === refund.state && after.pspId === refund.pspId && after.error === refund.error
  // The total fell, which called for this check.
  const isCalledFor = (findPayment(state, refund)?.fellAt ?? 0) > refund.lastCheckAt
  const isPlanned = nextCheck(answered, after) !== null
  return isSame && !isCalledFor && isPlanned === (nextCheck(state, refund) !== null)
}

function outcomeOf(refund: Refund, answer: RefundAsked, now: number): RefundOutcome {
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
      if (refund.state === 'asking' && now >= refund.askedAt + LOST_AFTER)
        return { is: 'failed', message: 'The payment service provider was not reached.' }
      if (refund.state === 'pending' && now >= refund.answeredAt + VANISHED_AFTER)
        return { is: 'failed', message: 'The payment service provider has dropped the refund.' }
      return { is: 'no-answer', message: 'The payment service provider does not know the refund.' }
  }
}
