import * as v from 'valibot'
import { AUTHORIZED, type Meaning, OPEN, PAID, type PatienceTable, UNDERWAY, endedAs } from '../meaning.ts'

/**
 * The statuses of the API's document (openapi/components/schemas/Status.yaml and FinancialStatus.yaml in
 * https://github.com/MultiSafepay/docs), and those that MultiSafepay's own clients know besides (`Transaction.php`).
 */
export const OrderStatus = v.picklist([
  'initialized',
  'uncleared',
  'reserved',
  'completed',
  'shipped',
  'declined',
  'cancelled',
  'void',
  'expired',
  'refunded',
  'partial_refunded',
  'chargeback',
  'chargedback',
])
export type OrderStatus = v.InferOutput<typeof OrderStatus>

/**
 * https://docs.multisafepay.com/docs/payment-statuses. What was refunded or charged back was paid before. No end is final for
 * good by itself: with Second Chance a customer pays for an order that was cancelled, and MultiSafepay reopens it
 * (https://docs.multisafepay.com/docs/second-chance).
 */
export const STATUSES: Record<OrderStatus, Meaning> = {
  initialized: OPEN,
  uncleared: UNDERWAY,
  reserved: AUTHORIZED,
  completed: PAID,
  shipped: PAID,
  declined: endedAs('FAILURE'),
  cancelled: endedAs('CANCELLED'),
  void: endedAs('CANCELLED'),
  expired: endedAs('EXPIRED'),
  refunded: PAID,
  partial_refunded: PAID,
  chargeback: PAID,
  chargedback: PAID,
}

/**
 * What the transaction's status (`financial_status`) means where the order is completed or shipped: its money may still be under
 * way. Completed and initialized is "authorized and the funds reserved":
 * https://docs.multisafepay.com/docs/manual-capture
 */
export const WHEN_COMPLETED: Record<OrderStatus, Meaning> = { ...STATUSES, initialized: AUTHORIZED }

/**
 * Methods whose order is under way once it is initialized: the customer has been told where to send the money. A Multibanco
 * payment can no longer be cancelled then: https://docs.multisafepay.com/docs/bank-transfer, …/multibanco
 */
export const SLOW_METHODS: ReadonlySet<string> = new Set(['BANKTRANS', 'MULTIBANCO'])

/**
 * Days that money may be under way. Bank transfer: "didn't complete payment within 60 days". Direct debit: 22 days over 500 EUR.
 * Multibanco: 72 hours, and its settlement. Others are payments under review, for five days
 * (https://docs.multisafepay.com/docs/uncleared), and bank debits. Cards are reserved for 30 days at most
 * (https://docs.multisafepay.com/docs/manual-capture).
 */
export const PATIENCE: PatienceTable = {
  methods: new Map([
    ['BANKTRANS', 60],
    ['DIRDEB', 22],
    ['MULTIBANCO', 7],
  ]),
  otherwise: 14,
  authorized: 30,
}

/**
 * The status of a refund, which is a transaction of its own: https://docs.multisafepay.com/docs/payment-statuses. A reserved one
 * can be cancelled, and is void then (openapi/components/requestBody/CancelRefund.yaml).
 */
export const REFUND_STATUSES: Record<OrderStatus, 'pending' | 'done' | 'failed'> = {
  initialized: 'pending',
  uncleared: 'pending',
  reserved: 'pending',
  completed: 'done',
  shipped: 'done',
  declined: 'failed',
  cancelled: 'failed',
  void: 'failed',
  expired: 'failed',
  refunded: 'done',
  partial_refunded: 'done',
  chargeback: 'pending',
  chargedback: 'pending',
}
