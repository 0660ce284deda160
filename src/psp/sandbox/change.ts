import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { type NewRefund, capture, chargeBack, failRefund, refund, reverseChargeback } from './money-back.ts'
import { Outcome, type Payment, endedAs, isOpen, told } from './payment.ts'

/**
 * What may happen to a payment beside the ends that a customer chooses. `seconds` is after how long
 * it goes on by itself, null for never; `amount` is in minor units, null for the whole.
 */
export type Change =
  | { is: 'underway'; to: 'paid' | 'failed'; seconds: number | null }
  | { is: 'late'; seconds: number | null }
  | { is: 'pay' | 'cancel' | 'expire' }
  | { is: 'authorize' | 'arrive' | 'fail' | 'pay-late' | 'release' | 'fail-refund' | 'reverse-chargeback' }
  | { is: 'chargeback' | 'capture'; amount: number | null }
  | { is: 'refund'; refund: NewRefund }

/** What becomes of a payment by a change; or why it cannot happen to it as it stands. */
export function changed(payment: Payment, change: Change, now: number): Result<Payment, string> {
  switch (change.is) {
    case 'pay':
    case 'cancel':
    case 'expire':
      return isOpen(payment)
        ? ok(endedAs(payment, ENDS[change.is], now))
        : refuse(`Only an open payment can ${change.is === 'pay' ? 'be paid' : change.is}`)
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

const ENDS = { pay: 'paid', cancel: 'canceled', expire: 'expired' } as const

const LATE: ReadonlySet<Payment['status']> = new Set(['expired', 'canceled', 'failed'])

function nextOf(status: 'paid' | 'failed', seconds: number | null, now: number): Pick<Payment, 'next'> {
  return seconds === null ? {} : { next: { status, at: now + seconds * 1000 } }
}

/** What a customer chooses on the sandbox's page that is no end at once. */
export const Slow = v.picklist(['underway', 'bounced', 'authorized', 'late'])

export const Choice = v.picklist([...Outcome.options, ...Slow.options])
export type Choice = v.InferOutput<typeof Choice>

/** What such a choice does, and how many seconds later it goes on by itself. */
export const SLOW_OUTCOMES = {
  underway: { is: 'underway', to: 'paid', seconds: 60 },
  bounced: { is: 'underway', to: 'failed', seconds: 60 },
  authorized: { is: 'authorize' },
  late: { is: 'late', seconds: 60 },
} as const satisfies Record<v.InferOutput<typeof Slow>, Change>
