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

/** https://docs.stripe.com/api/checkout/sessions/object */
export const Session = v.object({
  id: v.pipe(v.string(), v.startsWith('cs_')),
  status: SessionStatus,
  payment_status: PaymentStatus,
  currency: v.string(),
  amount_total: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  expires_at: v.pipe(v.number(), v.safeInteger()),
  url: v.nullish(v.string()),
  payment_intent: v.nullish(v.union([v.string(), v.object({ status: IntentStatus })])),
})
export type Session = v.InferOutput<typeof Session>

/** A payment's status has two parts: how the session stands, and whether its money is there. */
export const statusOf = (session: Session): Status => {
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
const COMPLETE: Record<Session['payment_status'], (session: Session) => Status> = {
  paid: () => 'SUCCESS',
  unpaid: ({ payment_intent: intent }) =>
    typeof intent === 'object' && intent !== null ? UNPAID[intent.status] : 'PENDING',
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
