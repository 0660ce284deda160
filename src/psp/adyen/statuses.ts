import * as v from 'valibot'
import { type Meaning, OPEN, PAID, type PatienceTable, UNDERWAY, endedAs } from '../meaning.ts'

/** The enum of `status` in PaymentLinkResponse: https://docs.adyen.com/api-explorer/Checkout/71/get/paymentLinks/(linkId) */
export const LinkStatus = v.picklist(['active', 'completed', 'expired', 'paid', 'paymentPending'])
export type LinkStatus = v.InferOutput<typeof LinkStatus>

/**
 * `paymentPending`: "The shopper is in the process of making the payment. Applies to payment methods with an asynchronous
 * flow." No end of a link is final for good: a session that the shopper began before may still be authorised, for cards
 * within twelve hours (https://docs.adyen.com/api-explorer/Webhooks/1/post/OFFER_CLOSED).
 */
export const STATUSES: Record<LinkStatus, Meaning> = {
  active: OPEN,
  paymentPending: UNDERWAY,
  completed: PAID,
  paid: PAID,
  expired: endedAs('EXPIRED'),
}

/** A link is stopped by making it expire. The hub did that itself, so the payment is cancelled. */
export const STATUSES_WHEN_STOPPED: Record<LinkStatus, Meaning> = {
  ...STATUSES,
  expired: endedAs('CANCELLED'),
}

/**
 * Days that money may be under way. A link does not say which method it is paid by, and Adyen names no limit for a pending
 * link: 28 days leave room for direct debits and bank transfers. They are also the longest delay before a capture
 * (`captureDelayHours` in https://docs.adyen.com/api-explorer/Checkout/71/post/payments: at most 672 hours).
 */
export const PATIENCE: PatienceTable = { methods: new Map(), otherwise: 28, authorized: 28 }
