import { type Result, ok, refuse } from '../../contract/result.ts'
import { PLAYS, type PlayName, isPlay, scenesAfterCancel } from './plays.ts'
import {
  type RefundOrCapture,
  type Payment,
  afterMove,
  asOf,
  ended,
  held,
  letGo,
  paid,
  played,
  remaining,
  reserved,
  taken,
  notifying,
} from './payment.ts'
import { outageOf, wishIn } from './wishes.ts'

type Status = Payment['status']

const ANY: readonly Status[] = ['open', 'pending', 'authorized', 'paid', 'failed', 'canceled', 'expired']

/** The changes of a payment, each with the statuses in which it can happen. */
const BEFORE = {
  pay: ['open'],
  fail: ['open', 'pending'],
  cancel: ['open'],
  expire: ['open'],
  underway: ['open'],
  arrive: ['pending'],
  authorize: ['open'],
  capture: ['authorized'],
  'fail-capture': ['authorized', 'paid'],
  release: ['authorized'],
  late: ['open'],
  'pay-late': ['expired', 'canceled', 'failed'],
  refund: ['authorized', 'paid'],
  'fail-refund': ['authorized', 'paid'],
  chargeback: ['authorized', 'paid'],
  'reverse-chargeback': ['authorized', 'paid'],
  'wrong-amount': ['open'],
  slow: ANY,
  down: ANY,
  refuse: ANY,
} as const satisfies Record<string, readonly Status[]>

/** The changes that anyone with a payment's reference may cause. */
export const ACTIONS = [...Object.keys(BEFORE), ...Object.keys(PLAYS)]

/**
 * A change. `amount` is in minor units; missing for all. `after`: after this many seconds the payment
 * continues by itself, to `outcome`. `seconds` is for an outage. `key`: the hub's id of its instruction;
 * `description`: the text of the refund or capture; `isFinal`: this capture releases the rest.
 */
export type Change = {
  is: keyof typeof BEFORE | PlayName
  amount?: number | undefined
  after?: number | undefined
  outcome?: 'paid' | 'failed' | undefined
  seconds?: number | undefined
  reason?: string | undefined
  key?: string
  description?: string
  isFinal?: boolean
}

export function isAction(name: string): name is Change['is'] {
  return ACTIONS.includes(name)
}

/** Returns the payment after a change, or why the change cannot happen now. */
export function changed(payment: Payment, change: Change, now: number): Result<Payment, string> {
  const { is } = change
  const before: readonly Status[] = isPlay(is) ? ['open'] : BEFORE[is]
  if (!before.includes(payment.status)) return refuse(`It takes a payment that is ${before.join(' or ')}`)
  if (isPlay(is))
    return payment.terminal
      ? ok(asOf(played(payment, is, now), now))
      : refuse('It takes a payment at a terminal')
  switch (is) {
    case 'pay':
      return wishIn(payment.description)?.is === 'wrong-amount'
        ? ok(paidWrongly(payment, undefined, now))
        : ok(paid(payment, now))
    case 'wrong-amount':
      return ok(paidWrongly(payment, change.amount, now))
    case 'arrive':
    case 'pay-late':
      return ok(paid(payment, now))
    case 'fail':
      return ok(ended(payment, 'failed', now))
    case 'cancel':
      return cancelled(payment, now)
    case 'expire':
      return ok(ended(payment, 'expired', now))
    case 'late':
      return ok({ ...ended(payment, 'expired', now), ...nextOf(change, now) })
    case 'underway':
      // Mollie sends no notification of a payment that is pending.
      return ok({ ...payment, status: 'pending', ...nextOf(change, now) })
    case 'authorize':
      return ok(reserved(payment, now))
    case 'capture':
      return withCapture(payment, change, now)
    case 'fail-capture':
      return withoutNewest(payment, 'captures', now)
    case 'release':
      return withRelease(payment, change, now)
    case 'refund':
      return withRefund(payment, change, now)
    case 'fail-refund':
      return withoutNewest(payment, 'refunds', now)
    case 'chargeback':
      return chargedBack(payment, change.amount, now)
    case 'reverse-chargeback':
      return payment.chargedBack
        ? ok(notifying({ ...payment, chargedBack: 0 }, now))
        : refuse('Nothing of the payment was charged back')
    case 'slow':
    case 'down':
      return ok({ ...payment, weather: outageOf(is, change.seconds, now) })
    case 'refuse':
      return ok({ ...payment, refuses: change.reason ?? 'The refund is not possible' })
  }
}

/** Cancels, unless the card is being authorised. */
function cancelled(payment: Payment, now: number): Result<Payment, string> {
  const { isLate, ...rest } = payment
  if (isLate) return ok(asOf({ ...rest, scenes: scenesAfterCancel(now) }, now))
  return payment.progress === 'authorising'
    ? refuse('It takes a payment whose card is not being authorised')
    : ok(ended(payment, 'canceled', now))
}

function nextOf({ after, outcome = 'paid' }: Change, now: number): Pick<Payment, 'next'> {
  return after === undefined ? {} : { next: { status: outcome, at: now + after * 1000 } }
}

/** Pays an amount other than the order's: by default one minor unit less. */
function paidWrongly(payment: Payment, amount: number | undefined, now: number): Payment {
  return { ...ended(payment, 'paid', now), captured: amount ?? Math.max(payment.amount - 1, 1) }
}

type Moves = 'refunds' | 'captures'

/** The most refunds of a payment, and the most captures: its object stores them all. */
const MOST_MOVES = 100

/** Adds a refund or a capture of all that is left (`rest`), or of a part. */
function withMove(
  payment: Payment,
  moves: Moves,
  rest: number,
  { key, amount = rest, description = '' }: Change,
  now: number,
): Result<Payment, string> {
  const before = payment[moves] ?? []
  const [prefix, source] =
    moves === 'refunds' ? ['re', 'what remains of the payment'] : ['cpt', 'what is held']
  if (amount === 0 || amount > rest) return refuse(`The amount is higher than ${source}`)
  if (before.length === MOST_MOVES) return refuse(`A payment can have at most ${MOST_MOVES} ${moves}`)
  const made: RefundOrCapture = {
    id: `${payment.id.replace('tr', prefix)}_${before.length + 1}`,
    amount,
    description,
    createdAt: now,
    key: key ?? null,
    failed: false,
  }
  return ok({ ...payment, [moves]: [...before, made] })
}

/** Makes the newest refund fail, which returns its money, or the newest capture, whose money is held again. */
function withoutNewest(payment: Payment, moves: Moves, now: number): Result<Payment, string> {
  const before = payment[moves] ?? []
  const newest = before.findLast(({ failed }) => !failed)
  if (!newest) return refuse(`None of the payment's ${moves} can fail`)
  const failed = { ...payment, [moves]: before.with(before.indexOf(newest), { ...newest, failed: true }) }
  return ok(moves === 'refunds' ? notifying(failed, now) : afterMove(failed, 'canceled', now))
}

function hasKey(moves: readonly RefundOrCapture[] = [], key: string | undefined): boolean {
  return key !== undefined && moves.some((move) => move.key === key)
}

/** Gives money back, once for each key. */
function withRefund(payment: Payment, change: Change, now: number): Result<Payment, string> {
  const { refunds, refuses } = payment
  if (hasKey(refunds, change.key)) return ok(payment)
  if (change.key !== undefined && refuses !== undefined) return refuse(refuses)
  const made = withMove(payment, 'refunds', remaining(payment), change, now)
  return made.ok ? ok(notifying(made.value, now)) : made
}

/** Captures, once for each key. The hub's captures fail if the order's number asks for that. */
function withCapture(payment: Payment, change: Change, now: number): Result<Payment, string> {
  const { key, isFinal } = change
  if (hasKey(payment.captures, key)) return ok(payment)
  const made = withMove(payment, 'captures', held(payment), change, now)
  if (!made.ok) return made
  if (key !== undefined && wishIn(payment.description)?.is === 'capture-fails')
    return withoutNewest(made.value, 'captures', now)
  return ok(isFinal ? letGo(made.value, 'canceled', now) : afterMove(made.value, 'canceled', now))
}

/** Releases everything that is held, for the hub or by itself. */
function withRelease(payment: Payment, { key }: Change, now: number): Result<Payment, string> {
  if (key === undefined) return ok(letGo(payment, 'expired', now))
  return wishIn(payment.description)?.is === 'release-fails'
    ? refuse('The bank does not release the money')
    : ok(letGo(payment, 'canceled', now))
}

/** Takes money back for the customer's bank, even if it was refunded. */
function chargedBack(payment: Payment, amount: number | undefined, now: number): Result<Payment, string> {
  const before = payment.chargedBack ?? 0
  const rest = taken(payment) - before
  const more = amount ?? rest
  return more === 0 || more > rest
    ? refuse('The amount is higher than what remains of the payment')
    : ok(notifying({ ...payment, chargedBack: before + more }, now))
}

/**
 * The choices on the sandbox's page: how the payment ends, what takes longer, and payments at a PSP in
 * trouble. Each makes its changes in order.
 */
export const CHOICES = {
  ends: {
    paid: [{ is: 'pay' }],
    failed: [{ is: 'fail' }],
    canceled: [{ is: 'cancel' }],
    expired: [{ is: 'expire' }],
    open: [],
  },
  slow: {
    underway: [{ is: 'underway', after: 60 }],
    bounced: [{ is: 'underway', after: 60, outcome: 'failed' }],
    authorized: [{ is: 'authorize' }],
    late: [{ is: 'late', after: 60 }],
  },
  rough: {
    short: [{ is: 'wrong-amount' }],
    slowly: [{ is: 'pay' }, { is: 'slow', seconds: 5 }],
    silent: [{ is: 'pay' }, { is: 'down' }],
    refusing: [{ is: 'pay' }, { is: 'refuse', reason: 'The balance of the account is too low' }],
  },
} as const satisfies Record<string, Record<string, readonly Change[]>>

/** The choices of a customer at a terminal, in the order of the buttons. */
export const AT_TERMINAL = {
  tap: { is: 'tap' },
  pin: { is: 'pin' },
  tip: { is: 'tip' },
  'wrong-pin': { is: 'wrong-pin' },
  'soft-decline': { is: 'soft-decline' },
  declined: { is: 'declined' },
  stop: { is: 'cancel' },
  away: { is: 'away' },
  unplugged: { is: 'unplugged' },
  'late-cancel': { is: 'late-cancel' },
} as const satisfies Readonly<Record<string, Change>>
