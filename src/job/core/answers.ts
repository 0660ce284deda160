import type { Action } from '../../contract/values.ts'
import type { Observation } from '../../psp/answer.ts'
import type { FactOf } from './facts.ts'
import { settledByLists, settledReleases } from './instructions.ts'
import { freshMoves, sumsIn, totalsIn, withMoves, withReservation, withTotals } from './ledger.ts'
import { dueAfter, dueOf, heldBy, ofPayment, paidOf, surplusIn } from './money.ts'
import { isBare } from './notices.ts'
import { isExpiry, largestPart, signedIn } from './parts.ts'
import { type Ledger, type Payment, type Where, withPrompt } from './payment.ts'
import { afterAnswer, afterSilence } from './ask-record.ts'
import { APART, LONGEST_STAGE, planOf, restAfter } from './schedule.ts'
import {
  type Standing,
  type State,
  changePayment,
  ended,
  findPayment,
  isPending,
  notifiedPayment,
} from './state.ts'
import { merged } from './transfers.ts'
import { actionFor, withMoneySteps, withOwnSteps, withStep } from './trace.ts'

/** Keeps what a notification says, and prompts a question to the PSP. */
export function notified(state: State, fact: FactOf<'notified'>, now: number): State {
  const known = notifiedPayment(state, fact)
  if (!known) return state
  const noted = changePayment(state, known, (payment) => {
    const { moves, asks } = payment
    const bare = isBare(fact) ? { count: asks.bare.count + 1, at: now } : asks.bare
    const rest = isBare(fact) ? asks.bare.at + restAfter(asks.bare.count) : 0
    const since = Math.max(fact.came, asks.lastAt + APART, rest)
    const all = [...moves, ...freshMoves(fact.moves ?? [], payment, state.order)]
    const isClaimed = fact.claims === 'SUCCESS' || asks.prompted?.isPaid === true
    const isPaid = isClaimed && dueAfter(state, signedIn(all) ?? Infinity) === 0
    return {
      ...payment,
      moves: all,
      other: largestPart(all, payment.paid) ?? fact.payment ?? payment.other,
      asks: { ...asks, bare, prompted: { since, tries: 0, isPaid } },
    }
  })
  return withMoneySteps(noted, withEndOfReservation(withMoves(noted, known, now), known, now))
}

/** Applies a PSP's answer. Answers may arrive in another order than the questions were asked. */
export function seen(state: State, fact: FactOf<'seen' | 'stopped'>, action: Action, now: number): State {
  const { asked, answer } = fact
  const known = findPayment(state, fact)
  if (!known) return state
  const isNewest = asked >= known.asks.answeredAt
  const { transfers: shown = {} } = answer
  const lists = merged(known.transfers, shown, sumsIn(known, answer), now)
  const settledBy = isNewest ? settledByLists(state, known, { lists, shown, asked, now }) : state
  const answered = changePayment(settledBy, fact, (payment) => {
    const asks = afterAnswer(payment.asks, asked, answer, state)
    const next = { ...payment, over: payment.over || isOver(answer), asks }
    const totals = totalsIn(answer, lists)
    // If the clock stepped back, an answer that looks older may be newer: other totals call for a question.
    if (!isNewest) {
      const paid = Math.max(payment.paid, answer.paid)
      return hasTotals(payment, totals) ? { ...next, paid } : withPrompt({ ...next, paid }, now)
    }
    const taken = { ...next, transfers: known.transfers || answer.transfers ? lists : null }
    const counted = withReservation(withTotals(taken, withRest(payment, answer, totals), settledBy), answer)
    return {
      ...counted,
      ...atTerminal(counted, answer),
      ...(answer.stage?.is === 'underway' ? signedAtTerminal(counted, state) : {}),
      expiresAt: answer.expiresAt ?? payment.expiresAt,
    }
  })
  const payment = findPayment(answered, fact)
  const released = payment && isNewest ? settledReleases(answered, payment, now) : answered
  const moved = withMoves(released, fact, now)
  const isOwn = known === state.payments[0]
  const stood = isOwn ? withStanding(moved, fact, known.expiresAt, now) : settled(moved, now)
  const after = withEndOfReservation(withLate(state, stood), fact, now)
  return withOwnSteps(state, withStep(after, actionFor(state, after, action)))
}

/** Once a payment has ended, nothing of it is reserved, even if the PSP does not say that. */
function withRest(
  { authorized: known }: Payment,
  { status, paid }: Observation,
  totals: Partial<Ledger>,
): Partial<Ledger> {
  if (status === 'PENDING') return totals
  const { authorized = known } = totals
  return { authorized, released: Math.max(authorized - paid, 0), ...totals }
}

function atTerminal({ progress, tip, card, other }: Payment, answer: Observation) {
  return {
    progress: answer.progress ?? progress,
    tip: answer.tip ?? tip,
    card: answer.card ?? card,
    other: answer.other ?? other,
  }
}

function hasTotals(
  payment: Payment,
  { refunded = payment.refunded, chargedBack = payment.chargedBack }: Partial<Ledger>,
): boolean {
  return refunded === payment.refunded && chargedBack === payment.chargedBack
}

function isOver({ status, closed }: Observation): boolean {
  return closed ?? status === 'SUCCESS'
}

/**
 * Moves PENDING to any end. An end without money can only become SUCCESS, if the PSP takes the money
 * after all. SUCCESS stays. Less than the whole amount is never SUCCESS: the job then waits until its
 * time is over, even if the whole was reserved before. At a terminal it fails at once.
 */
function withStanding(
  state: State,
  { answer, ...where }: Where & { answer: Observation },
  knownEnd: number,
  now: number,
): State {
  const { status, expiresAt, stage, captureBefore } = answer
  const stood = status === 'SUCCESS' || stage?.is === 'underway' ? settled(state, now) : state
  if (!isPending(stood)) return stood
  // A terminal takes no second card for the rest.
  if (status === 'SUCCESS' && state.order.terminal) return { ...ended(stood, 'FAILURE', now), error: IN_PART }
  if (status !== 'PENDING' && status !== 'SUCCESS') {
    const end = ended(stood, endOf(state, where, status), now)
    return answer.reason === undefined ? end : { ...end, error: answer.reason }
  }
  const until = (expiresAt ?? knownEnd) + planOf(state).grace
  const next = status === 'SUCCESS' ? ({ is: 'open' } as const) : stage
  const standing = nextStanding(stood.standing, next, until, now)
  return {
    ...stood,
    standing:
      standing.is === 'authorized' && captureBefore ? { ...standing, until: captureBefore } : standing,
  }
}

const IN_PART =
  'paid_in_part: The bank approved only a part of the amount. Take the rest as another payment, or refund this part.'

/**
 * Returns how a payment ends of which nothing is left to capture. CANCELLED: its point of sale asked for
 * the release, even if the PSP refused that first and the hub tried again. EXPIRED: only the hub released,
 * because the time to capture was over. Without a release the PSP's own word counts.
 */
function endOf(
  state: State,
  where: Where,
  otherwise: 'FAILURE' | 'CANCELLED' | 'EXPIRED',
): 'FAILURE' | 'CANCELLED' | 'EXPIRED' {
  const releases = ofPayment(state, where, 'release')
  if (releases.every((one) => one.state === 'failed')) return otherwise
  return releases.some(({ byHub }) => !byHub) ? 'CANCELLED' : 'EXPIRED'
}

/** Settles or ends a job once all of its reserved money is captured or let go. */
function withEndOfReservation(state: State, where: Where, now: number): State {
  const payment = findPayment(state, where)
  if (!payment || payment.authorized === 0) return state
  const stood = settled(state, now)
  const isGone = payment.paid === 0 && heldBy(payment) === 0
  const isEnd = isPending(stood) && isGone && payment === state.payments[0]
  const otherwise = isExpiry(payment.moves) ? 'EXPIRED' : 'CANCELLED'
  return isEnd ? ended(stood, endOf(stood, where, otherwise), now) : stood
}

function nextStanding(standing: Standing, stage: Observation['stage'], until: number, now: number): Standing {
  if (stage === undefined) return standing.is === 'open' ? { is: 'open', until } : standing
  if (stage.is === 'open') return { is: 'open', until }
  const since = standing.is === stage.is ? standing.since : now
  return { is: stage.is, since, until: since + Math.min(stage.patience, LONGEST_STAGE) }
}

/** Moves a job to SUCCESS once its payments together leave nothing due. */
function settled(state: State, now: number): State {
  const isPaid = dueOf(state) === 0
  if (!isPaid || state.standing.is === 'paid') return state
  // A customer who was declined at a terminal may try again there, and pay.
  const error = state.order.terminal ? null : state.error
  return { ...state, standing: { is: 'paid', at: now }, error }
}

function withLate(before: State, after: State): State {
  return before.standing.is === 'ended' && paidOf(after) > paidOf(before) ? { ...after, late: true } : after
}

/** Applies the stop of a payment. What the customer paid before the stop counts first. */
export function stopped(state: State, fact: FactOf<'stopped'>, now: number): State {
  const { why, answer } = fact
  const isEnd = answer.status !== 'SUCCESS' && answer.status !== 'PENDING'
  if (why === 'expiry' && isEnd) {
    const open = { ...fact, answer: { ...answer, status: 'PENDING', closed: false } } as const
    const before = answer.paid > 0 ? seen(state, open, 'Statuspull', now) : state
    return seen(before, { ...fact, answer: { ...answer, status: 'EXPIRED' } }, 'Expire', now)
  }
  if (why === 'gave-up') return seen(state, fact, 'Return', now)
  const isCancelled = why === 'cancel' && answer.status === 'CANCELLED'
  return seen(state, fact, isCancelled ? 'Cancel' : 'Statuspull', now)
}

/** Applies that the PSP did not answer. It may have signed that a terminal took the money. */
export function unanswered(state: State, fact: FactOf<'unanswered'>, now: number): State {
  const silent = changePayment(state, fact, (payment) => ({
    ...payment,
    asks: afterSilence(payment.asks, fact, state),
  }))
  const counted = withMoves(
    changePayment(silent, fact, (payment) => ({ ...payment, ...signedAtTerminal(payment, state) })),
    fact,
    now,
  )
  if (paidOf(counted) === paidOf(state)) return silent
  const after = withLate(state, settled(counted, now))
  return withOwnSteps(state, withStep(after, actionFor(state, after, 'Statuspull')))
}

/**
 * Returns what a PSP has signed as paid at a terminal that is silent, or that stored the payment: there is no
 * other source. What the terminal took on top of the order is a tip. If the terminal has said how the payment
 * ended, that counts instead.
 */
function signedAtTerminal({ way, over, moves, paid, tip }: Payment, state: State) {
  const signed = way === 'terminal' && !over ? (signedIn(moves) ?? 0) : 0
  return signed > paid ? { paid: signed, tip: surplusIn(state, signed) } : { paid, tip }
}
