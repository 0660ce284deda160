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

export const MollieStatus = v.picklist([
  'open',
  'pending',
  'authorized',
  'paid',
  'canceled',
  'expired',
  'failed',
])
export type MollieStatus = v.InferOutput<typeof MollieStatus>

/**
 * https://docs.mollie.com/docs/status-change. `pending`: "the actual payment process has been started, but it is not complete
 * yet". An authorized payment is not yet paid: the hub captures it.
 */
export const STATUSES: Record<MollieStatus, Meaning> = {
  open: OPEN,
  pending: UNDERWAY,
  authorized: AUTHORIZED,
  paid: PAID,
  canceled: closedAs('CANCELLED'),
  expired: closedAs('EXPIRED'),
  failed: closedAs('FAILURE'),
}

/**
 * A bank transfer that the customer sends late may still arrive, so no end of it is final for good:
 * https://docs.mollie.com/docs/status-change#expiry-times-per-payment-method
 */
const LATE_METHODS: ReadonlySet<string> = new Set(['banktransfer'])

export function meaningOf(status: MollieStatus, method: string | null): Meaning {
  const meaning = STATUSES[status]
  return meaning.is === 'ended' && LATE_METHODS.has(method ?? '') ? endedAs(meaning.status) : meaning
}

/**
 * Days that money may be under way: https://docs.mollie.com/docs/status-change#expiry-times-per-payment-method.
 * Authorisations are held for 28 days at most: https://docs.mollie.com/docs/place-a-hold-for-a-payment
 */
export const PATIENCE: PatienceTable = {
  methods: new Map([
    ['banktransfer', 30],
    ['directdebit', 21],
    ['bacs', 21],
    ['multibanco', 7],
  ]),
  otherwise: 7,
  authorized: 28,
}

export const MollieRefundStatus = v.picklist([
  'queued',
  'pending',
  'processing',
  'refunded',
  'failed',
  'canceled',
])

/** https://docs.mollie.com/docs/refunds: Mollie takes up to two working days to send a refund on. */
export const REFUND_STATUSES: Record<
  v.InferOutput<typeof MollieRefundStatus>,
  'pending' | 'done' | 'failed'
> = {
  queued: 'pending',
  pending: 'pending',
  processing: 'pending',
  refunded: 'done',
  failed: 'failed',
  canceled: 'failed',
}
