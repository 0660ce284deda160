import type { NewOrder } from './multisafepay-requests.ts'

/** An order in MultiSafepay's memory, with the API key of its website. */
export type Held = {
  key: string
  order: NewOrder
  session: string
  status: string
  financialStatus: string
  /** The gateway that the customer chose, if it differs from the order's. */
  method?: string
  /** The part paid by gift card, in minor units. */
  giftCard?: number
  /** When the money was reserved, and when the reservation ends (ms). */
  hold?: { at: number; until: number }
  /** The card used at the terminal, and when (ms) something last happened there. */
  atTerminal?: { touched: number; card: Record<string, unknown> }
  /** The order of which this one is a captured part. */
  partOf?: string
  related: HeldRelated[]
}

/** A capture, a cancelled reservation, a refund or a chargeback of an order: openapi/components/schemas/RelatedTransactions.yaml */
export type HeldRelated = {
  amount: number
  costs: unknown[]
  created: string
  currency: string
  description: string
  modified: string
  order_id: string
  reference_transaction_id: number
  refund_order_id?: string
  status: string
  transaction_id: number
  type: 'capture' | 'auth-cancellation' | 'refund' | 'chargeback' | 'reverse-chargeback'
}

export const TRANSACTION_ID = 17_472_052_901

export function newRelated(
  { order }: Held,
  changes: Pick<HeldRelated, 'amount' | 'status' | 'transaction_id' | 'type'> & Partial<HeldRelated>,
): HeldRelated {
  return {
    costs: [],
    created: '2025-05-15T08:48:10',
    currency: order.currency,
    description: `Refund order ${order.order_id}`,
    modified: '2025-05-15T08:48:10',
    order_id: order.order_id,
    reference_transaction_id: TRANSACTION_ID,
    ...changes,
  }
}

/** The total of an order's completed transactions of one type. */
export function completedOf({ related }: Held, type: HeldRelated['type']): number {
  return related
    .filter((one) => one.type === type && one.status === 'completed')
    .reduce((sum, { amount }) => sum + amount, 0)
}

export function newOrder(key: string, order: NewOrder): Held {
  return {
    key,
    order,
    session: crypto.randomUUID().replaceAll('-', ''),
    status: 'initialized',
    financialStatus: 'initialized',
    ...(order.gateway_info ? { atTerminal: { touched: Date.now(), card: {} } } : {}),
    related: [],
  }
}

/** Returns the amount of an order that is still reserved. */
export function remainOf(held: Held): number {
  const { status, financialStatus, order, giftCard = 0 } = held
  const isHeld = status === 'completed' && financialStatus === 'initialized'
  return isHeld ? order.amount - giftCard - completedOf(held, 'capture') : 0
}

/** A time (ms) in MultiSafepay's form: Amsterdam's time, without a zone. */
function localTime(time: number): string {
  return new Date(time).toLocaleString('sv-SE', { timeZone: 'Europe/Amsterdam' }).replace(' ', 'T')
}

export function pageOf({ key, order, session }: Held): string {
  const page = `https://payv2.multisafepay.com/connect/${key.slice(0, 2)}${session}`
  return `${page}/?lang=${order.customer?.locale ?? 'en_US'}`
}

/** https://github.com/MultiSafepay/docs, openapi/components/examples/responses/getOrder.json */
export function orderJson(held: Held) {
  const { order, status, financialStatus, giftCard = 0, hold, related } = held
  const part = { currency: order.currency, description: order.description }
  const type = held.method ?? order.gateway ?? (order.gateway_info ? null : 'IDEAL')
  return {
    amount: order.amount,
    amount_refunded: completedOf(held, 'refund'),
    // An order that becomes void again keeps the time of its completion.
    ...(['completed', 'void'].includes(status)
      ? { completed: hold ? localTime(hold.at) : '2025-05-14T08:50:32' }
      : {}),
    costs: [],
    created: '2025-05-14T08:48:10',
    currency: order.currency,
    custom_info: { custom_1: null, custom_2: null, custom_3: null },
    customer: { email: null, first_name: null, last_name: null, locale: order.customer?.locale ?? 'en_US' },
    description: order.description,
    fastcheckout: 'NO',
    financial_status: financialStatus,
    items: null,
    modified: '2025-05-14T08:50:32',
    order_id: order.order_id,
    payment_details: {
      external_transaction_id: '812312381624212',
      type,
      ...held.atTerminal?.card,
      ...(hold
        ? { capture: 'manual', capture_expiry: localTime(hold.until), capture_remain: remainOf(held) }
        : {}),
    },
    payment_methods: [
      ...(giftCard === 0 ? [] : [{ ...part, amount: giftCard, status: 'completed', type: 'VVVGIFTCRD' }]),
      {
        amount: order.amount - giftCard,
        ...part,
        payment_description: order.gateway ?? 'iDEAL',
        status,
        type,
      },
    ],
    reason: '',
    reason_code: null,
    related_transactions: related.length === 0 ? null : related,
    status,
    transaction_id: TRANSACTION_ID,
    var1: order.var1 ?? null,
    var2: null,
    var3: null,
  }
}

/** The answer to a new order. For a terminal: openapi/components/responseBody/postCloudPayment.yaml */
export function createdJson(held: Held) {
  if (held.atTerminal)
    return {
      order_id: held.order.order_id,
      session_id: held.session,
      events_token: `${held.session}.events`,
      events_stream_url: 'https://api.multisafepay.com/events/stream/',
    }
  return {
    order_id: held.order.order_id,
    payment_url: pageOf(held),
    session_id: held.session,
  }
}

export function succeeded(data: unknown): Response {
  return Response.json({ success: true, data })
}

/** https://github.com/MultiSafepay/docs, openapi/components/errors */
export function failed(status: number, code: number, info: string): Response {
  return Response.json({ success: false, data: {}, error_code: code, error_info: info }, { status })
}
