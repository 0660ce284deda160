import * as v from 'valibot'
import {
  AUTHORIZED,
  type Meaning,
  OPEN,
  PAID,
  type PatienceTable,
  UNDERWAY,
  closedAs,
  endedAs,
} from '../meaning.ts'

/** https://docs.stripe.com/api/checkout/sessions/object: `status` and `payment_status` */
export const SessionStatus = v.picklist(['open', 'complete', 'expired'])
export type SessionStatus = v.InferOutput<typeof SessionStatus>

export const PaymentStatus = v.picklist(['paid', 'unpaid', 'no_payment_required'])
export type PaymentStatus = v.InferOutput<typeof PaymentStatus>

/** https://docs.stripe.com/payments/paymentintents/lifecycle */
export const IntentStatus = v.picklist([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
  'processing',
  'succeeded',
  'canceled',
])
export type IntentStatus = v.InferOutput<typeof IntentStatus>

/**
 * `none`: the answer does not bring the payment intent. `unknown`: it brings one in a status that
 * is not in Stripe's list.
 */
export type SeenIntent = IntentStatus | 'none' | 'unknown'

function of<Value>(words: readonly SeenIntent[], value: Value): Partial<Record<SeenIntent, Value>> {
  return Object.fromEntries(words.map((word) => [word, value]))
}

/**
 * What a session means whose money is not there, by the status of its payment intent; null where
 * that is not known.
 *
 * `complete`: the customer is done, and cannot pay the same session again. Where the payment
 * failed, "contact the customer […] and request that they place a new order":
 * https://docs.stripe.com/checkout/fulfillment. A voucher waits for the customer's bank as
 * `requires_action`.
 *
 * `expired`: Stripe has cancelled the payment intent. Money that is there all the same is not given
 * up.
 */
const UNPAID: Record<SessionStatus, (intent: SeenIntent) => Meaning | null> = {
  open: () => OPEN,
  complete: (intent) => COMPLETE[intent] ?? null,
  expired: (intent) => EXPIRED[intent] ?? closedAs('EXPIRED'),
}

const MONEY: Partial<Record<SeenIntent, Meaning>> = {
  processing: UNDERWAY,
  succeeded: UNDERWAY,
  requires_capture: AUTHORIZED,
}

const COMPLETE: Partial<Record<SeenIntent, Meaning>> = {
  ...MONEY,
  ...of(['none', 'requires_action', 'requires_confirmation'], UNDERWAY),
  ...of(['requires_payment_method', 'canceled'], closedAs('FAILURE')),
}

const EXPIRED: Partial<Record<SeenIntent, Meaning>> = { ...MONEY, unknown: endedAs('EXPIRED') }

/**
 * What Stripe's three words mean together; null where the one that decides is not known. Money that
 * is there counts whatever the others say. The hub always asks for money, so a session that needed
 * none is a failure.
 */
export function meaningOf(status: SessionStatus, payment: PaymentStatus, intent: SeenIntent): Meaning | null {
  if (payment === 'paid') return PAID
  const isFree = payment === 'no_payment_required' && status === 'complete'
  return isFree ? closedAs('FAILURE') : UNPAID[status](intent)
}

/**
 * Days that money may be under way, from business days where Stripe counts those: SEPA 14
 * (https://docs.stripe.com/payments/sepa-debit), Bacs 7
 * (https://docs.stripe.com/payments/payment-methods/bacs-debit), and others that customers may
 * choose: https://docs.stripe.com/payments/payment-methods#payment-notification. Boleto may be
 * given up to 60 days, konbini too. Money is held for 31 days at most:
 * https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
 */
export const PATIENCE: PatienceTable = {
  methods: new Map([
    ['sepa_debit', 21],
    ['bacs_debit', 11],
    ['multibanco', 14],
    ['boleto', 62],
    ['konbini', 62],
  ]),
  otherwise: 14,
  authorized: 31,
}

/** https://docs.stripe.com/api/refunds/object: `status` */
export const RefundStatus = v.picklist(['pending', 'requires_action', 'succeeded', 'failed', 'canceled'])
export type RefundStatus = v.InferOutput<typeof RefundStatus>

export const REFUND_STATUSES: Record<RefundStatus, 'pending' | 'done' | 'failed'> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
}

/** https://docs.stripe.com/api/disputes/object: `status` */
export const DisputeStatus = v.picklist([
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'won',
  'lost',
  'prevented',
])
export type DisputeStatus = v.InferOutput<typeof DisputeStatus>

/**
 * Whether a dispute has taken money back: "Stripe deducts the dispute amount" when one is opened,
 * and gives it back when it is won. A warning is a question, and takes none:
 * https://docs.stripe.com/disputes/how-disputes-work
 */
export const TAKES_MONEY: Record<DisputeStatus, boolean> = {
  warning_needs_response: false,
  warning_under_review: false,
  warning_closed: false,
  needs_response: true,
  under_review: true,
  appeal_needs_response: true,
  appeal_under_review: true,
  won: false,
  lost: true,
  prevented: false,
}
