import type { NewOrder } from './multisafepay-requests.ts'

/** An order as MultiSafepay holds it, with the API key of the website that it belongs to. */
export type Held = { key: string; order: NewOrder; session: string; status: string; financialStatus: string }

export const newOrder = (key: string, order: NewOrder): Held => ({
  key,
  order,
  session: crypto.randomUUID().replaceAll('-', ''),
  status: 'initialized',
  financialStatus: 'initialized',
})

export const pageOf = ({ key, order, session }: Held): string => {
  const page = `https://payv2.multisafepay.com/connect/${key.slice(0, 2)}${session}`
  return `${page}/?lang=${order.customer?.locale ?? 'en_US'}`
}

/** https://github.com/MultiSafepay/docs, openapi/components/examples/responses/getOrder.json */
export const orderJson = ({ order, status, financialStatus }: Held) => ({
  amount: order.amount,
  amount_refunded: 0,
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
  payment_details: { external_transaction_id: '812312381624212', type: order.gateway ?? 'IDEAL' },
  payment_methods: [
    {
      amount: order.amount,
      currency: order.currency,
      description: order.description,
      payment_description: order.gateway ?? 'iDEAL',
      status,
      type: order.gateway ?? 'IDEAL',
    },
  ],
  reason: '',
  reason_code: null,
  related_transactions: null,
  status,
  transaction_id: 17_472_052_901,
  var1: order.var1 ?? null,
  var2: null,
  var3: null,
})

/** The answer to a new order. */
export const createdJson = (held: Held) => ({
  order_id: held.order.order_id,
  payment_url: pageOf(held),
  session_id: held.session,
})

export const succeeded = (data: unknown): Response => Response.json({ success: true, data })

/** https://github.com/MultiSafepay/docs, openapi/components/errors */
export const failed = (status: number, code: number, info: string): Response =>
  Response.json({ success: false, data: {}, error_code: code, error_info: info }, { status })
