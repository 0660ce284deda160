import type { FakePsp, Outcome, SentNotification } from './fake-psp.ts'
import { type NewOrder, isCancellation, readOrder } from './multisafepay-requests.ts'

const LIVE = 'https://api.multisafepay.com'
const TEST = 'https://testapi.multisafepay.com'
const API = '/v1/json'

/** API keys of two websites: 40 letters and digits each. */
const KEYS = ['4fc0d1a7e9b8362514fc0d1a7e9b836251a7e9b8', 'b83c51f2096de7a4b83c51f2096de7a4b83c51f2'] as const

/** How an order and its transaction end: https://docs.multisafepay.com/docs/payment-statuses */
const ENDS: Record<Outcome, [status: string, financialStatus: string]> = {
  paid: ['completed', 'completed'],
  failed: ['declined', 'declined'],
  cancelled: ['void', 'cancelled'],
  expired: ['expired', 'expired'],
}

type Held = { key: string; order: NewOrder; session: string; status: string; financialStatus: string }

/** MultiSafepay's JSON API v1 with two websites. */
export const multisafepayFake = (): FakePsp => {
  const orders: Held[] = []
  const heldOf = (key: string, id: string) =>
    orders.find((held) => held.key === key && held.order.order_id === id)
  const heldAs = (id: string): Held => {
    const held = orders.find(({ order }) => order.order_id === id)
    if (!held) throw new Error(`MultiSafepay has no order ${id}`)
    return held
  }

  const create = (key: string, body: unknown): Response => {
    const read = readOrder(body)
    if ('refusal' in read) return failure(400, read.refusal.code, read.refusal.info)
    const { order } = read
    const known = heldOf(key, order.order_id)
    // An order that is settled keeps its id; one that nobody has paid may come again (WooCommerce's retries do).
    if (known && known.status !== 'initialized') return failure(400, 1006, 'Invalid transaction ID')
    if (known && JSON.stringify(known.order) !== JSON.stringify(order)) {
      return failure(400, 1006, 'Invalid transaction ID')
    }
    const held = known ?? opened(key, order)
    if (!known) orders.push(held)
    return succeeded({ order_id: order.order_id, payment_url: pageOf(held), session_id: held.session })
  }

  const cancel = (held: Held, body: unknown): Response => {
    if (!isCancellation(body)) return failure(400, 1016, 'Missing or invalid data: status')
    if (held.status !== 'initialized') return failure(410, 1000, 'The order can no longer be cancelled')
    Object.assign(held, { status: 'cancelled', financialStatus: 'cancelled' })
    return succeeded({})
  }

  const answer = (key: string, method: string, path: string, body: unknown): Response => {
    if (method === 'GET' && path === '/gateways') {
      return succeeded([
        { id: 'VISA', description: 'Visa' },
        { id: 'IDEAL', description: 'iDEAL' },
      ])
    }
    if (method === 'POST' && path === '/orders') return create(key, body)
    const id = /^\/orders\/([^/]+)$/.exec(path)?.[1]
    if (id === undefined) return failure(404, 1000, 'Not found')
    const held = heldOf(key, decodeURIComponent(id))
    if (!held) return failure(404, 1006, 'Invalid transaction ID')
    if (method === 'GET') return succeeded(shown(held))
    return method === 'PATCH' ? cancel(held, body) : failure(404, 1000, 'Not found')
  }

  return {
    origins: [TEST, LIVE],
    accounts: [{ apiKey: KEYS[0] }, { apiKey: KEYS[1] }],
    async handle(request) {
      const { pathname } = new URL(request.url)
      const key = request.headers.get('api_key') ?? ''
      if (!pathname.startsWith(`${API}/`)) return new Response('<h1>Not found</h1>', { status: 404 })
      if (!KEYS.some((known) => known === key)) return failure(401, 1032, 'Invalid API key')
      const text = await request.text()
      const sent = text === '' || request.method === 'GET' ? null : parsed(text)
      if (sent === undefined) return failure(400, 1000, 'The body is no JSON')
      if (sent !== null && !request.headers.get('content-type')?.startsWith('application/json')) {
        return failure(400, 1000, 'The body is not said to be JSON')
      }
      return answer(key, request.method, pathname.slice(API.length), sent)
    },
    bring(job, outcome) {
      const held = heldAs(job)
      if (held.status !== 'initialized') throw new Error(`order ${job} is ${held.status} already`)
      const [status, financialStatus] = ENDS[outcome]
      Object.assign(held, { status, financialStatus })
    },
    notify: async (job, at) => [await notificationOf(heldAs(job), Math.floor(at / 1000))],
  }
}

const opened = (key: string, order: NewOrder): Held => ({
  key,
  order,
  session: crypto.randomUUID().replaceAll('-', ''),
  status: 'initialized',
  financialStatus: 'initialized',
})

const pageOf = ({ key, order, session }: Held): string => {
  const page = `https://payv2.multisafepay.com/connect/${key.slice(0, 2)}${session}`
  return `${page}/?lang=${order.customer?.locale ?? 'en_US'}`
}

/** https://github.com/MultiSafepay/docs, openapi/components/examples/responses/getOrder.json */
const shown = ({ order, status, financialStatus }: Held) => ({
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
  var1: null,
  var2: null,
  var3: null,
})

const notificationOf = async (held: Held, timestamp: number): Promise<SentNotification> => {
  const body = JSON.stringify(shown(held))
  const address = held.order.payment_options.notification_url
  const url = address === undefined ? null : new URL(address)
  url?.searchParams.set('transactionid', held.order.order_id)
  url?.searchParams.set('timestamp', String(timestamp))
  const auth = btoa(`${timestamp}:${await hexHmac(held.key, `${timestamp}:${body}`)}`)
  return { url: url?.href ?? null, headers: { 'content-type': 'application/json', auth }, body }
}

const hexHmac = async (key: string, text: string): Promise<string> => {
  const encoder = new TextEncoder()
  const hash = { name: 'HMAC', hash: 'SHA-512' }
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), hash, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const succeeded = (data: unknown): Response => Response.json({ success: true, data })

/** https://github.com/MultiSafepay/docs, openapi/components/errors */
const failure = (status: number, code: number, info: string): Response =>
  Response.json({ success: false, data: {}, error_code: code, error_info: info }, { status })
