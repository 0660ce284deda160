import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { type NewRefund, capture, chargeBack, failRefund, refund, reverseChargeback } from './money-back.ts'
import { Outcome, type Payment, completed, endedAs, isOpen, paidWrongly, told } from './payment.ts'
import { type Weather, weatherOf } from './weather.ts'

/**
 * What may happen to a payment beside the ends that a customer chooses. `seconds` is after how long
 * it goes on by itself, null for never; `amount` is in minor units, null for the whole.
 */
export type Change =
  | { is: 'underway'; to: 'paid' | 'failed'; seconds: number | null }
  | { is: 'late'; seconds: number | null }
  | { is: 'pay' | 'cancel' | 'expire' }
  | { is: 'authorize' | 'arrive' | 'fail' | 'pay-late' | 'release' | 'fail-refund' | 'reverse-chargeback' }
  | { is: 'chargeback' | 'capture' | 'wrong-amount'; amount: number | null }
  | { is: Weather['is']; seconds: number }
  | { is: 'refuse'; reason: string }
  | { is: 'refund'; refund: NewRefund }

/** What becomes of a payment by a change; or why it cannot happen to it as it stands. */
export function changed(payment: Payment, change: Change, now: number): Result<Payment, string> {
  switch (change.is) {
    case 'pay':
      return isOpen(payment)
        ? ok(completed(payment, 'paid', now))
        : refuse('Only an open payment can be paid')
    case 'cancel':
    case 'expire':
      return isOpen(payment)
        ? ok(endedAs(payment, ENDS[change.is], now))
        : refuse(`Only an open payment can ${change.is}`)
    case 'wrong-amount':
      return isOpen(payment)
        ? ok(paidWrongly(payment, change.amount, now))
        : refuse('Only an open payment can be paid')
    case 'slow':
    case 'down':
      return ok({ ...payment, weather: weatherOf(change.is, change.seconds, now) })
    case 'refuse':
      return ok({ ...payment, refuses: change.reason })
    case 'underway':
      // Mollie sends no notification of a payment that is pending.
      return isOpen(payment)
        ? ok({ ...payment, stage: 'pending', ...nextOf(change.to, change.seconds, now) })
        : refuse('Only an open payment can be on its way')
    case 'late':
      return isOpen(payment)
        ? ok({ ...endedAs(payment, 'expired', now), ...nextOf('paid', change.seconds, now) })
        : refuse('Only an open payment can expire')
    case 'authorize':
      return isOpen(payment)
        ? ok(told({ ...payment, stage: 'authorized' }, now))
        : refuse('Only an open payment can be authorized')
    case 'arrive':
      return payment.stage === 'pending'
        ? ok(endedAs(payment, 'paid', now))
        : refuse('Only money that is on its way can arrive')
    case 'fail':
      return isOpen(payment) || payment.stage === 'pending'
        ? ok(endedAs(payment, 'failed', now))
        : refuse('Only a payment that is open or on its way can fail')
    case 'release':
      return payment.stage === 'authorized'
        ? ok(endedAs(payment, 'expired', now))
        : refuse('Only money that is reserved can be released')
    case 'pay-late':
      return LATE.has(payment.status)
        ? ok(endedAs(payment, 'paid', now))
        : refuse('Only a payment that has ended unpaid can be paid late')
    case 'capture':
      return capture(payment, change.amount, now)
    case 'refund':
      return refund(payment, change.refund, now)
    case 'fail-refund':
      return failRefund(payment, now)
    case 'chargeback':
      return chargeBack(payment, change.amount, now)
    case 'reverse-chargeback':
      return reverseChargeback(payment, now)
  }
}

const ENDS = { cancel: 'canceled', expire: 'expired' } as const

const LATE: ReadonlySet<Payment['status']> = new Set(['expired', 'canceled', 'failed'])

function nextOf(status: 'paid' | 'failed', seconds: number | null, now: number): Pick<Payment, 'next'> {
  return seconds === null ? {} : { next: { status, at: now + seconds * 1000 } }
}

/** What a customer chooses on the sandbox's page that is no end at once. */
export const Slow = v.picklist(['underway', 'bounced', 'authorized', 'late'])

/** What a customer chooses there that is paid, by a PSP in trouble. */
export const Rough = v.picklist(['short', 'slowly', 'silent', 'refusing'])

export const Choice = v.picklist([...Outcome.options, ...Slow.options, ...Rough.options])
export type Choice = v.InferOutput<typeof Choice>

const PAY = { is: 'pay' } as const

/**
 * What such a choice does, one after the other, and how many seconds later it goes on by itself.
 */
export const CHANGES: Readonly<Record<Exclude<Choice, Outcome>, readonly Change[]>> = {
  underway: [{ is: 'underway', to: 'paid', seconds: 60 }],
  bounced: [{ is: 'underway', to: 'failed', seconds: 60 }],
  authorized: [{ is: 'authorize' }],
  late: [{ is: 'late', seconds: 60 }],
  short: [{ is: 'wrong-amount', amount: null }],
  slowly: [PAY, { is: 'slow', seconds: 5 }],
  silent: [PAY, { is: 'down', seconds: 60 }],
  refusing: [PAY, { is: 'refuse', reason: 'The balance of the account is too low' }],
}
