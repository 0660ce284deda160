import * as v from 'valibot'
import type { Status } from '../../domain/job.ts'

const SessionStatus = v.picklist(['open', 'complete', 'expired'])
const PaymentStatus = v.picklist(['paid', 'unpaid', 'no_payment_required'])
const IntentStatus = v.picklist([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
  'processing',
  'succeeded',
  'canceled',
])

/** It is expanded in an answer to a pull, and an id in others. A session that nobody has begun to pay has none. */
const Intent = v.nullish(v.union([v.string(), v.object({ status: IntentStatus })]))

/**
 * https://docs.stripe.com/api/checkout/sessions/object. What decides is strict. The rest can be of any form: a session is paid
 * all the same.
 */
export const Session = v.object({
  id: v.pipe(v.string(), v.startsWith('cs_')),
  status: SessionStatus,
  payment_status: PaymentStatus,
  currency: v.string(),
  amount_total: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  expires_at: v.fallback(v.nullish(v.pipe(v.number(), v.safeInteger())), null),
  url: v.fallback(v.nullish(v.string()), null),
  payment_intent: v.optional(v.unknown()),
})
export type Session = v.InferOutput<typeof Session>

/**
 * A payment's status has two parts: how the session stands, and whether its money is there. Null where a part that decides
 * cannot be read.
 */
export const statusOf = (session: Session): Status | null => {
  switch (session.status) {
    case 'open':
      return 'PENDING'
    case 'expired':
      return 'EXPIRED'
    case 'complete':
      return COMPLETE[session.payment_status](session)
  }
}

/**
 * https://docs.stripe.com/checkout/fulfillment: a session is unpaid while a method that takes days is at work. Only the
 * payment intent shows that its money will not come. The hub always asks for money, so a session that needed none is a
 * failure.
 */
const COMPLETE: Record<Session['payment_status'], (session: Session) => Status | null> = {
  paid: () => 'SUCCESS',
  unpaid: ({ payment_intent }) => {
    const intent = v.safeParse(Intent, payment_intent)
    if (!intent.success) return null
    return typeof intent.output === 'object' && intent.output !== null
      ? UNPAID[intent.output.status]
      : 'PENDING'
  },
  no_payment_required: () => 'FAILURE',
}

/** https://docs.stripe.com/payments/paymentintents/lifecycle: a payment intent that failed waits for another payment
 * method. */
const UNPAID: Record<v.InferOutput<typeof IntentStatus>, Status> = {
  requires_payment_method: 'FAILURE',
  requires_confirmation: 'PENDING',
  requires_action: 'PENDING',
  requires_capture: 'PENDING',
  processing: 'PENDING',
  succeeded: 'PENDING',
  canceled: 'FAILURE',
}
