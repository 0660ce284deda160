import type { FakePsp } from './fake-psp.ts'
import { type Manner, captureOf, confirmOrder, passTime, refundOf, voidOf } from './paypal-money.ts'
import {
  type NewOrder,
  type PaypalItem,
  type PaypalOrder,
  issueOf,
  itemJson,
  notFound,
  orderJson,
  paypalId,
  paypalProblem,
  paypalTime,
  unprocessable,
} from './paypal-order.ts'
import { CERT_PATH, PEM, signedByPaypal } from './paypal-signing.ts'

type Account = { clientId: string; clientSecret: string; webhookId: string }

/** PayPal's double for all tests. test/psp/official/paypal.test.ts checks it with PayPal's own client. */
export type PaypalFake = Omit<FakePsp, 'accounts'> & {
  accounts: readonly [Account, Account]
  orders: PaypalOrder[]
  manner: Manner
  of: (job: string) => PaypalOrder
  /** How many tokens were fetched. Old ones no longer work after `revoke`. */
  tokens: number
  revoke: () => void
  /** Sets the status of a job's captures or refunds, and the reason. */
  settle: (job: string, list: 'captures' | 'refunds', status: string, reason?: string) => void
}

/** "The server stores keys for 6 hours": https://developer.paypal.com/docs/api/orders/v2/#orders_create */
const KEY_LIFE = 6 * 3_600_000

function accountOf(name: string): Account {
  return {
    clientId: `A${name}`.padEnd(80, 'x'),
    clientSecret: `E${name}`.padEnd(80, 'y'),
    webhookId: `8PT597110X68${name.length}430L`,
  }
}

/**
 * PayPal's Orders v2 and Payments v2, limited to the calls of the hub: https://developer.paypal.com/docs/api/orders/v2/.
 * `name`: of its first account. The adapter keeps tokens by account, also from one file of tests to the next.
 */
export function paypalFake(name = 'first'): PaypalFake {
  const accounts = [accountOf(name), accountOf('another')] as const
  const orders: PaypalOrder[] = []
  let era = 1
  const tokenOf = ({ clientId }: Account) => `A21AA-${era}-${clientId}`
  /** The answers to captures and refunds, which PayPal repeats for 45 days, by their keys. */
  const answered = new Map<string, { status: number; body: unknown }>()

  const token = (request: Request): Response => {
    const basic = request.headers.get('authorization')
    const account = accounts.find(
      ({ clientId, clientSecret }) => basic === `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    )
    if (!account)
      return Response.json(
        { error: 'invalid_client', error_description: 'Client Authentication failed' },
        { status: 401 },
      )
    fake.tokens++
    return Response.json({
      scope: 'https://uri.paypal.com/services/payments/payment',
      access_token: tokenOf(account),
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: 32_400,
      nonce: paypalTime(Date.now()),
    })
  }

  const create = async (request: Request, { clientId }: Account, isWhole: boolean): Promise<Response> => {
    const body = (await request.json()) as NewOrder
    const key = request.headers.get('paypal-request-id')
    const known = orders.find(
      (one) => key !== null && one.key === key && one.account === clientId && Date.now() < one.at + KEY_LIFE,
    )
    if (known) return Response.json(orderJson(known, isWhole), { status: 200 })
    const [unit] = body.purchase_units ?? []
    if (!unit?.amount || !body.intent)
      return paypalProblem(
        400,
        'INVALID_REQUEST',
        'Request is not well-formed.',
        'MISSING_REQUIRED_PARAMETER',
      )
    if (body.payment_source && key === null)
      return paypalProblem(
        400,
        'INVALID_REQUEST',
        'Request is not well-formed.',
        'PAYPAL_REQUEST_ID_REQUIRED',
      )
    const issue = issueOf(unit.amount)
    if (issue) return unprocessable(issue)
    const order: PaypalOrder = {
      id: paypalId(),
      status: body.payment_source ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
      request: body,
      account: clientId,
      key,
      at: Date.now(),
      refusal: null,
      isGone: false,
      authorizations: [],
      captures: [],
      refunds: [],
    }
    orders.push(order)
    return Response.json(orderJson(order, isWhole), { status: 201 })
  }

  const find = (list: 'authorizations' | 'captures' | 'refunds', id: string) =>
    orders.flatMap((order) => order[list].filter((one) => one.id === id).map((item) => ({ order, item })))[0]

  const about = async (
    list: 'authorizations' | 'captures' | 'refunds',
    { order, item }: { order: PaypalOrder; item: PaypalItem },
    act: string | undefined,
    request: Request,
  ): Promise<Response> => {
    const kind = ({ authorizations: 'authorization', captures: 'capture', refunds: 'refund' } as const)[list]
    if (request.method === 'GET') return Response.json(itemJson(kind, item))
    const key = act === 'void' ? null : request.headers.get('paypal-request-id')
    const known = key === null ? undefined : answered.get(key)
    if (known) return Response.json(known.body, { status: known.status })
    const body = await request.text()
    const wanted = JSON.parse(body || '{}') as object
    const all = { orders, manner: fake.manner }
    const answer =
      act === 'void'
        ? voidOf(item)
        : act === 'capture'
          ? captureOf(order, item, wanted, all)
          : refundOf(order, item, wanted, all)
    if (key !== null) answered.set(key, { status: answer.status, body: await answer.clone().json() })
    return answer
  }

  const of = (job: string): PaypalOrder => {
    const order = orders.findLast(({ request }) => request.purchase_units[0].custom_id === job)
    if (!order) throw new Error(`PayPal has no order of job ${job}`)
    return order
  }

  const fake: PaypalFake = {
    origins: ['https://api-m.paypal.com', 'https://api-m.sandbox.paypal.com', 'https://api.paypal.com'],
    accounts,
    leavesOpen: ['expired'],
    needsConfirmation: true,
    orders,
    manner: { captures: 'COMPLETED', refunds: 'COMPLETED', isPoor: false },
    tokens: 0,
    revoke: () => void era++,
    of,
    async handle(request) {
      const { pathname } = new URL(request.url)
      if (pathname === CERT_PATH) return new Response(PEM)
      if (pathname === '/v1/oauth2/token') return token(request)
      const bearer = request.headers.get('authorization')
      const account = accounts.find((one) => bearer === `Bearer ${tokenOf(one)}`)
      if (!account)
        return paypalProblem(
          401,
          'AUTHENTICATION_FAILURE',
          'Authentication failed due to missing authorization header, or invalid authentication credentials.',
        )
      const [version, room, list, id = '', act] = pathname.split('/').slice(1)
      if (version === 'v1' && room === 'notifications')
        return id === account.webhookId
          ? Response.json({ id, url: 'https://hub.test/', event_types: [] })
          : notFound()
      const isWhole = request.headers.get('prefer') === 'return=representation'
      for (const order of orders) passTime(order)
      if (room === 'payments' && (list === 'authorizations' || list === 'captures' || list === 'refunds')) {
        const found = find(list, id)
        return found ? about(list, found, act, request) : notFound()
      }
      if (room !== 'checkout' || list !== 'orders') return notFound()
      if (id === '') return create(request, account, isWhole)
      const order = orders.find((one) => one.id === id && one.account === account.clientId && !one.isGone)
      if (!order) return notFound()
      if (act === 'capture' || act === 'authorize') return confirmOrder(order, act, fake.manner)
      return Response.json(orderJson(order, true))
    },
    bring(job, outcome) {
      const order = of(job)
      if (order.status !== 'PAYER_ACTION_REQUIRED' || order.isGone)
        throw new Error(`the order is ${order.isGone ? 'gone' : order.status}`)
      if (outcome === 'expired') order.isGone = true
      if (outcome === 'paid' || outcome === 'failed') order.status = 'APPROVED'
      if (outcome === 'failed') order.refusal = 'PAYER_ACCOUNT_RESTRICTED'
    },
    settle(job, list, status, reason) {
      for (const one of of(job)[list]) Object.assign(one, { status, ...(reason ? { reason } : {}) })
    },
    async notify(job, at) {
      const order = of(job)
      if (order.status === 'PAYER_ACTION_REQUIRED' || order.isGone) return []
      const [resource_type, event_type, resource] = newsOf(order)
      const event = {
        id: `WH-${paypalId()}`,
        event_version: '1.0',
        create_time: paypalTime(at),
        resource_type,
        resource_version: '2.0',
        event_type,
        summary: 'An event',
        resource,
      }
      const account = accounts.find(({ clientId }) => clientId === order.account) ?? accounts[0]
      return [await signedByPaypal(JSON.stringify(event), account.webhookId, at)]
    },
  }
  return fake
}

/** The newest event of an order. */
function newsOf(order: PaypalOrder): [type: string, event: string, resource: object] {
  const [refund, capture, authorization] = [
    order.refunds.at(-1),
    order.captures.at(-1),
    order.authorizations.at(-1),
  ]
  if (refund) return ['refund', 'PAYMENT.CAPTURE.REFUNDED', itemJson('refund', refund)]
  if (capture) return ['capture', `PAYMENT.CAPTURE.${capture.status}`, itemJson('capture', capture)]
  if (authorization)
    return ['authorization', 'PAYMENT.AUTHORIZATION.CREATED', itemJson('authorization', authorization)]
  return ['checkout-order', 'CHECKOUT.ORDER.APPROVED', orderJson(order, true)]
}
