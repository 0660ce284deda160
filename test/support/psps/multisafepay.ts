import { captureOrder, declineCapture, lapse, releaseOrder, reserve } from './multisafepay-captures.ts'
import type { FakePsp, Outcome, SentNotification } from './fake-psp.ts'
import {
  type Held,
  type HeldRelated,
  createdJson,
  failed,
  newOrder,
  orderJson,
  succeeded,
} from './multisafepay-order.ts'
import { endRelated, moveBack, refundOrder } from './multisafepay-refunds.ts'
import { isCancellation, readOrder } from './multisafepay-requests.ts'
import {
  type MultisafepayTerminal,
  cancelAtTerminal,
  declineAtTerminal,
  listTerminals,
  passTimeAtTerminal,
  payAtTerminal,
  terminalRefusal,
} from './multisafepay-terminals.ts'

const LIVE = 'https://api.multisafepay.com'
const TEST = 'https://testapi.multisafepay.com'
const API = '/v1/json'

/** API keys of two websites: 40 letters and digits each. */
const KEYS = ['4fc0d1a7e9b8362514fc0d1a7e9b836251a7e9b8', 'b83c51f2096de7a4b83c51f2096de7a4b83c51f2'] as const

/** API keys of two groups of terminals. */
const GROUP_KEYS = [
  '7d20c9be41f8356a7d20c9be41f8356a7d20c9be',
  '9ae4b61f05c7d2389ae4b61f05c7d2389ae4b61f',
] as const

/** The final statuses of an order and its transaction: https://docs.multisafepay.com/docs/payment-statuses */
const ENDS: Record<Outcome, [status: string, financialStatus: string]> = {
  paid: ['completed', 'completed'],
  failed: ['declined', 'declined'],
  cancelled: ['void', 'cancelled'],
  expired: ['expired', 'expired'],
}

/** Events that only MultiSafepay's fake can play: slow payments, and later movements of money. */
type MultisafepayFake = FakePsp & {
  /** All orders, in order of creation. */
  orders: () => readonly Held[]
  /** The customer chose a method. Bank transfer and Multibanco stay initialized, others become uncleared. */
  begin: (job: string, method: string) => void
  /** Sets the statuses of an order and its transaction. */
  set: (job: string, status: string, financialStatus: string) => void
  /** The refunds and chargebacks of an order. */
  related: (job: string) => readonly HeldRelated[]
  /** Gives the refund with this `refund_order_id` its final status. */
  endRefund: (job: string, id: string, status: 'completed' | 'declined' | 'void') => void
  /** The shop captures in MultiSafepay's control panel. */
  captureByHand: (job: string, amount: number) => void
  /** A captured part is declined afterwards. `id` is that of its order. */
  declineCapture: (job: string, id: string) => void
  /** The bank takes money back, or returns it. */
  moveBack: (job: string, type: 'chargeback' | 'reverse-chargeback', amount: number) => void
  terminals: MultisafepayTerminal[]
  /** Hides an order until the customer begins to pay. */
  hidesUntouched: boolean
  /** The customer pays at the terminal and adds a tip (minor units). */
  payAtTerminal: (job: string, tip?: number) => void
  /** A card is declined at the terminal. */
  declineAtTerminal: (job: string) => void
}

/** MultiSafepay's JSON API v1 with two websites. */
export function multisafepayFake(): MultisafepayFake {
  const orders: Held[] = []
  const heldOf = (key: string, id: string) => {
    const held = orders.find((one) => one.key === key && one.order.order_id === id)
    if (held) lapse(held)
    if (held) passTimeAtTerminal(held)
    return held
  }
  const heldAs = (id: string): Held => {
    const held = orders.find(({ order }) => order.order_id === id || order.order_id.startsWith(`${id}_t`))
    if (!held) throw new Error(`MultiSafepay has no order ${id}`)
    lapse(held)
    passTimeAtTerminal(held)
    return held
  }

  const create = (key: string, body: unknown): Response => {
    const read = readOrder(body)
    if ('refusal' in read) return failed(400, read.refusal.code, read.refusal.info)
    const { order } = read
    const known = heldOf(key, order.order_id)
    // A settled order keeps its id. The id of an unpaid order may be used again, as WooCommerce's retries do.
    if (known && known.status !== 'initialized') return failed(400, 1006, 'Invalid transaction ID')
    if (known && JSON.stringify(known.order) !== JSON.stringify(order)) {
      return failed(400, 1006, 'Invalid transaction ID')
    }
    const held = known ?? newOrder(key, order)
    for (const one of orders) passTimeAtTerminal(one)
    const refused = terminalRefusal(fake.terminals, orders, held)
    if (refused) return refused
    if (!known) orders.push(held)
    return succeeded(createdJson(held))
  }

  const cancel = (held: Held, body: unknown): Response => {
    if (held.atTerminal) return failed(400, 1000, 'PATCH methods are not supported')
    if (!isCancellation(body)) return failed(400, 1016, 'Missing or invalid data: status')
    // Multibanco: "You can no longer cancel a transaction after the status changes to Initialized."
    if (held.status !== 'initialized' || held.method === 'MULTIBANCO')
      return failed(410, 1000, 'The order can no longer be cancelled')
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
    const [, place, id, part = ''] =
      /^\/(orders|capture)\/([^/]+)(\/refunds|\/capture|\/cancel)?$/.exec(path) ?? []
    if (id === undefined) return failed(404, 1000, 'Not found')
    const held = heldOf(key, decodeURIComponent(id))
    if (!held) return failed(404, 1006, 'Invalid transaction ID')
    switch (`${method} ${place}${part}`) {
      case 'GET orders':
        return fake.hidesUntouched && held.atTerminal && held.status === 'initialized'
          ? failed(404, 1006, 'Invalid transaction ID')
          : succeeded(orderJson(held))
      case 'POST orders/cancel':
        return cancelAtTerminal(held)
      case 'PATCH orders':
        return cancel(held, body)
      case 'POST orders/refunds':
        return refundOrder(held, body)
      case 'POST orders/capture':
        return captureOrder(orders, held, body)
      case 'PATCH capture':
        return releaseOrder(held, body)
      default:
        return failed(404, 1000, 'Not found')
    }
  }

  const fake: MultisafepayFake = {
    origins: [TEST, LIVE],
    orders: () => orders,
    accounts: [
      { apiKey: KEYS[0], terminalKey: GROUP_KEYS[0] },
      { apiKey: KEYS[1], terminalKey: GROUP_KEYS[1] },
    ],
    terminals: [
      { id: '00000ABC', provider: 'SMARTPOS', name: 'Counter 1', active: true, key: GROUP_KEYS[0] },
      { id: '00000LQT', provider: 'SMARTPOS', name: 'Sent back', active: false, key: GROUP_KEYS[0] },
      { id: '00000VER', provider: 'VERIFONE', name: 'By the wall', active: true, key: GROUP_KEYS[0] },
      { id: '00000OTH', provider: 'SMARTPOS', name: 'Of another group', active: true, key: GROUP_KEYS[1] },
    ],
    hidesUntouched: false,
    async handle(request) {
      const { pathname, origin } = new URL(request.url)
      const key = request.headers.get('api_key') ?? ''
      if (!pathname.startsWith(`${API}/`)) return new Response('<h1>Not found</h1>', { status: 404 })
      const isOfGroup = GROUP_KEYS.some((known) => known === key)
      if (!isOfGroup && !KEYS.some((known) => known === key)) return failed(401, 1032, 'Invalid API key')
      if (pathname === `${API}/terminals` && request.method === 'GET')
        return isOfGroup && origin !== TEST
          ? listTerminals(
              fake.terminals.filter((one) => one.key === key),
              new URL(request.url),
            )
          : failed(403, 1000, 'Forbidden')
      const text = await request.text()
      const sent = text === '' || request.method === 'GET' ? null : parsed(text)
      if (sent === undefined) return failed(400, 1000, 'The body is no JSON')
      if (sent !== null && !request.headers.get('content-type')?.startsWith('application/json')) {
        return failed(400, 1000, 'The body is not said to be JSON')
      }
      return answer(key, request.method, pathname.slice(API.length), sent)
    },
    bring(job, outcome) {
      const held = heldAs(job)
      if (held.status !== 'initialized' && held.status !== 'uncleared')
        throw new Error(`order ${job} is ${held.status} already`)
      const [status, financialStatus] = ENDS[outcome]
      if (outcome === 'paid' && held.order.capture === 'manual') reserve(held)
      else Object.assign(held, { status, financialStatus })
    },
    begin(job, method) {
      const held = heldAs(job)
      held.method = method
      const isSlow = method === 'BANKTRANS' || method === 'MULTIBANCO'
      if (!isSlow) Object.assign(held, { status: 'uncleared', financialStatus: 'uncleared' })
    },
    set(job, status, financialStatus) {
      const held = heldAs(job)
      if (status === 'completed' && financialStatus === 'initialized') reserve(held)
      Object.assign(held, { status, financialStatus })
    },
    related: (job) => heldAs(job).related,
    endRefund(job, id, status) {
      const places = [heldAs(job), ...orders.filter(({ partOf }) => partOf === job)]
      const held = places.find(({ related }) => related.some((one) => one.refund_order_id === id))
      const refund = held?.related.find((one) => one.refund_order_id === id)
      if (!held || !refund) throw new Error(`MultiSafepay has no refund ${id}`)
      endRelated(held, refund, status)
    },
    captureByHand(job, amount) {
      const made = captureOrder(orders, heldAs(job), { amount, new_order_status: 'completed' })
      if (!made.ok) throw new Error(`MultiSafepay captures no ${amount} of ${job}`)
    },
    declineCapture: (job, id) => declineCapture(orders, heldAs(job), id),
    moveBack: (job, type, amount) => moveBack(heldAs(job), type, amount),
    payAtTerminal: (job, tip = 0) => payAtTerminal(heldAs(job), tip),
    declineAtTerminal: (job) => declineAtTerminal(heldAs(job)),
    notify: async (job, at) => [await notificationOf(heldAs(job), Math.floor(at / 1000))],
  }
  return fake
}

async function notificationOf(held: Held, timestamp: number): Promise<SentNotification> {
  const body = JSON.stringify(orderJson(held))
  const address = held.order.payment_options.notification_url
  const url = address === undefined ? null : new URL(address)
  url?.searchParams.set('transactionid', held.order.order_id)
  url?.searchParams.set('timestamp', String(timestamp))
  const auth = btoa(`${timestamp}:${await hexHmac(held.key, `${timestamp}:${body}`)}`)
  return { url: url?.href ?? null, headers: { 'content-type': 'application/json', auth }, body }
}

async function hexHmac(key: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const hash = { name: 'HMAC', hash: 'SHA-512' }
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), hash, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
