import type { FactOf, Outcome } from './facts.ts'
import type { Way } from '../../psp/answer.ts'
import { planOf } from './schedule.ts'
import type { Payment } from './payment.ts'
import { type State, ended, findPayment } from './state.ts'
import { stampOf, withStep } from './trace.ts'

export function attempted(state: State, fact: FactOf<'attempted'>, now: number): State {
  const { account, asked, ms, outcome } = fact
  const attempts = [...state.attempts, { account, at: asked, ms, outcome }]
  if (state.standing.is !== 'unannounced') {
    const isNew = outcome.is === 'took' && !findPayment(state, { account, reference: outcome.reference })
    const payments = isNew ? [...state.payments, paymentOf(state, account, outcome, now)] : state.payments
    return { ...state, attempts, payments }
  }
  const tried = { ...state, attempts, rounds: countRound(state) }
  const isBirth = state.entry.number === 1
  switch (outcome.is) {
    case 'took': {
      const payment = paymentOf(state, account, outcome, now)
      const open: State = {
        ...tried,
        payments: [payment],
        standing: { is: 'open', until: payment.expiresAt + planOf(state).grace },
        error: null,
      }
      if (payment.way === 'terminal') return withStep(open, 'Statuspull')
      return { ...open, updated: isBirth ? state.updated : stampOf(state) }
    }
    case 'refused': {
      // Only a terminal's order can still be unannounced after a cancel.
      const end = state.cancel ? 'CANCELLED' : 'FAILURE'
      const refused = ended({ ...tried, error: outcome.message }, end, now)
      const [start] = state.steps
      return isBirth && start
        ? { ...refused, steps: [{ ...start, status: end }] }
        : withStep(refused, 'Statuspull')
    }
    case 'no-answer':
    case 'not-asked':
      return isFirstOfRound(state) ? { ...tried, error: wordsOf(outcome) } : tried
  }
}

type InVain = Exclude<Outcome, { is: 'took' | 'refused' }>

function wordsOf(outcome: InVain): string {
  if (outcome.is === 'no-answer') return outcome.message
  const since = new Date(outcome.since).toISOString().slice(0, 19)
  const why = outcome.tooMany ? 'too many orders came at once' : `it has not answered since ${since}Z`
  return `The payment service provider was not asked: ${why}.`
}

/** Returns whether an attempt is the first of its round. One entry holds a whole round. */
function isFirstOfRound({ rounds, entry }: State): boolean {
  return rounds.entry !== entry.number
}

function countRound(state: State): State['rounds'] {
  const { rounds, entry } = state
  return isFirstOfRound(state) ? { count: rounds.count + 1, entry: entry.number } : rounds
}

type Acceptance = Extract<Outcome, { is: 'took' }>

function wayOf(took: Acceptance): Way {
  return 'terminal' in took
    ? { way: 'terminal', terminal: took.terminal }
    : { way: 'page', checkoutUrl: took.checkoutUrl }
}

function paymentOf(state: State, account: string, took: Acceptance, now: number): Payment {
  const way = wayOf(took)
  return {
    account,
    reference: took.reference,
    ...way,
    expiresAt: took.expiresAt ?? now + planOf(state).life,
    authorized: 0,
    paid: 0,
    released: 0,
    refunded: 0,
    lost: 0,
    chargedBack: 0,
    authorizedAt: 0,
    captureBefore: 0,
    inParts: false,
    foreign: 0,
    foreignCaptured: 0,
    transfers: null,
    over: false,
    moves: [],
    other: null,
    progress: way.way === 'terminal' ? 'waiting-for-card' : null,
    tip: 0,
    card: null,
    asks: {
      answeredAt: 0,
      lastAt: 0,
      notBefore: 0,
      unanswered: null,
      failure: null,
      prompted: null,
      bare: { count: 0, at: 0 },
      atEnd: 0,
      countedAt: 0,
    },
  }
}

/** Returns until when (ms) an account wants no request, by its last answer; 0 for no such wish. */
export function heldAt({ attempts }: State, account: string): number {
  const outcome = attempts.findLast((attempt) => attempt.account === account)?.outcome
  return outcome?.is === 'no-answer' ? (outcome.notBefore ?? 0) : 0
}

/** Returns when (ms) the first of the accounts that were asked may be asked again; 0 for at once. */
export function heldUntil(state: State): number {
  if (state.attempts.length === 0) return 0
  return Math.min(...state.attempts.map(({ account }) => heldAt(state, account)))
}

/** How long (ms) after a failed round a customer's visit starts no other round. */
const ROUNDS_APART = 2000

/** Returns whether a customer visits too soon after a failed round to start another. */
export function isSoonAfterRound({ rounds, attempts }: State, now: number): boolean {
  const last = Math.max(...attempts.map(({ at, ms }) => at + ms))
  // The create made the first round. A customer who opens the link at once may have more luck.
  return rounds.count > 1 && now < last + ROUNDS_APART
}
