import { type Result, ok, refuse } from '../../contract/result.ts'
import { type Payment, type Refund, ended, remaining, taken, told } from './payment.ts'
import { weatherOf, wishIn } from './weather.ts'

type Status = Payment['status']

const ANY: readonly Status[] = ['open', 'pending', 'authorized', 'paid', 'failed', 'canceled', 'expired']

/** The changes of a payment, each with the statuses in which it may happen. */
const BEFORE = {
  pay: ['open'],
  fail: ['open', 'pending'],
  cancel: ['open'],
  expire: ['open'],
  underway: ['open'],
  arrive: ['pending'],
  authorize: ['open'],
  capture: ['authorized'],
  release: ['authorized'],
  late: ['open'],
  'pay-late': ['expired', 'canceled', 'failed'],
  refund: ['paid'],
  'fail-refund': ['paid'],
  chargeback: ['paid'],
  'reverse-chargeback': ['paid'],
  'wrong-amount': ['open'],
  slow: ANY,
  down: ANY,
  refuse: ANY,
} as const satisfies Record<string, readonly Status[]>

/** The changes that anybody with a payment's reference may cause. Only the hub captures. */
export const ACTIONS = Object.keys(BEFORE).filter((name) => name !== 'capture')

/**
 * A change. `amount` is in minor units, or all of it if missing. `after`: how many seconds later
 * the payment goes on by itself, to `outcome`. `seconds` is for the weather. `key`: the hub's id of
 * its refund; `description`: that refund's words.
 */
export type Change = {
  is: keyof typeof BEFORE
  amount?: number | undefined
  after?: number | undefined
  outcome?: 'paid' | 'failed' | undefined
  seconds?: number | undefined
  reason?: string | undefined
  key?: string
  description?: string
}

export function isAction(name: string): name is Change['is'] {
  return ACTIONS.includes(name)
}

/** Returns the payment after a change, or why the change cannot happen now. */
export function changed(payment: Payment, change: Change, now: number): Result<Payment, string> {
  const { is } = change
  const before: readonly Status[] = BEFORE[is]
  if (!before.includes(payment.status)) return refuse(`It takes a payment that is ${before.join(' or ')}`)
  switch (is) {
    case 'pay':
      return wishIn(payment.description)?.is === 'wrong-amount'
        ? ok(paidWrongly(payment, undefined, now))
        : ok(ended(payment, 'paid', now))
    case 'wrong-amount':
      return ok(paidWrongly(payment, change.amount, now))
    case 'arrive':
    case 'pay-late':
      return ok(ended(payment, 'paid', now))
    case 'fail':
      return ok(ended(payment, 'failed', now))
    case 'cancel':
      return ok(ended(payment, 'canceled', now))
    case 'expire':
    case 'release':
      return ok(ended(payment, 'expired', now))
    case 'late':
      return ok({ ...ended(payment, 'expired', now), ...nextOf(change, now) })
    case 'underway':
      // Mollie sends no notification of a payment that is pending.
      return ok({ ...payment, status: 'pending', ...nextOf(change, now) })
    case 'authorize':
      return ok(told({ ...payment, status: 'authorized' }, now))
    case 'capture':
      return captured(payment, change.amount ?? payment.amount, now)
    case 'refund':
      return withRefund(payment, change, now)
    case 'fail-refund':
      return withoutRefund(payment, now)
    case 'chargeback':
      return chargedBack(payment, change.amount, now)
    case 'reverse-chargeback':
      return payment.chargedBack
        ? ok(told({ ...payment, chargedBack: 0 }, now))
        : refuse('Nothing of the payment was charged back')
    case 'slow':
    case 'down':
      return ok({ ...payment, weather: weatherOf(is, change.seconds, now) })
    case 'refuse':
      return ok({ ...payment, refuses: change.reason ?? 'The refund is not possible' })
  }
}

function nextOf({ after, outcome = 'paid' }: Change, now: number): Pick<Payment, 'next'> {
  return after === undefined ? {} : { next: { status: outcome, at: now + after * 1000 } }
}

/** Pays another amount than the order's: by default one unit less. */
function paidWrongly(payment: Payment, amount: number | undefined, now: number): Payment {
  return { ...ended(payment, 'paid', now), captured: amount ?? Math.max(payment.amount - 1, 1) }
}

function captured(payment: Payment, amount: number, now: number): Result<Payment, string> {
  return amount === 0 || amount > payment.amount
    ? refuse('The amount is higher than what is reserved')
    : ok({ ...ended(payment, 'paid', now), captured: amount })
}

/** The most refunds of a payment: its object stores each. */
const MOST_REFUNDS = 100

/** Gives money back, once for each key. */
function withRefund(
  payment: Payment,
  { key, amount, description = '' }: Change,
  now: number,
): Result<Payment, string> {
  const { id, refunds = [], refuses } = payment
  if (key !== undefined && refunds.some((refund) => refund.key === key)) return ok(payment)
  if (key !== undefined && refuses !== undefined) return refuse(refuses)
  const rest = remaining(payment)
  const back = amount ?? rest
  if (back === 0 || back > rest) return refuse('The amount is higher than what remains of the payment')
  if (refunds.length === MOST_REFUNDS) return refuse(`A payment takes ${MOST_REFUNDS} refunds at most`)
  const made: Refund = {
    id: `${id.replace('tr_', 're_')}_${refunds.length + 1}`,
    amount: back,
    description,
    createdAt: now,
    key: key ?? null,
    failed: false,
  }
  return ok(told({ ...payment, refunds: [...refunds, made] }, now))
}

/** Makes the newest refund fail, so that its money is back. */
function withoutRefund(payment: Payment, now: number): Result<Payment, string> {
  const { refunds = [] } = payment
  const newest = refunds.findLast(({ failed }) => !failed)
  if (!newest) return refuse('No refund of the payment can fail')
  const failed = refunds.with(refunds.indexOf(newest), { ...newest, failed: true })
  return ok(told({ ...payment, refunds: failed }, now))
}

/** Takes money back for the customer's bank, whether it was refunded or not. */
function chargedBack(payment: Payment, amount: number | undefined, now: number): Result<Payment, string> {
  const before = payment.chargedBack ?? 0
  const rest = taken(payment) - before
  const more = amount ?? rest
  return more === 0 || more > rest
    ? refuse('The amount is higher than what remains of the payment')
    : ok(told({ ...payment, chargedBack: before + more }, now))
}

/**
 * The choices on the sandbox's page: how the payment ends, what takes longer, and payments at a PSP
 * in trouble. Each makes its changes in order.
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
