import { type AdyenAnswer, REQUESTS, adyenError, checkRequest } from './adyen-requests.ts'
import {
  type AdyenModification,
  type AdyenModificationKind,
  adyenModifications,
  type Received,
  modificationItem,
} from './adyen-modifications.ts'
import {
  type AdyenLink,
  type AdyenWebhookItem,
  adyenItem,
  pspReferenceOf,
  sendAdyen,
  sendItem,
} from './adyen-webhook.ts'
import { adyenTerminals } from './adyen-terminal.ts'
import type { FakePsp, SentNotification } from './fake-psp.ts'

const LIVE_PREFIX = '1797a841fbb37ca7-HubDemo'
const TEST_HOST = 'checkout-test.adyen.com'
/** URLs have their hosts in lower case. */
const LIVE_HOST = `${LIVE_PREFIX}-checkout-live.adyenpayments.com`.toLowerCase()

const TERMINAL_HOST = 'device-api-live.adyen.com'

/** Two merchant accounts of one company. */
export const SHOP = {
  apiKey: 'AQEyhmfuXNWTK0Qc+iSTgGEuhu+Cf4RZHpZ5Q0kQ6Xk=-3zLqH9ZC1y3KzYw0=-i1iu.^x}<7',
  merchantAccount: 'HubShopECOM',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  livePrefix: LIVE_PREFIX,
}
export const OTHER = {
  apiKey: 'AQE1hmfuXNWTK0Qc+other0fFQ1cFTIdCQfRZ0=-k2Yb8=-Zx;9[h}A3',
  merchantAccount: 'HubOtherECOM',
  hmacKey: 'C0FFEE11547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA0FF',
  livePrefix: LIVE_PREFIX,
}

/** The first account again, with the credentials for its two terminals. */
export const AT_COUNTER = {
  ...SHOP,
  terminalRegion: 'eu',
  eventUser: 'hub-events',
  eventPassword: 'b3:Tz8-kQ',
}
export const TERMINALS = ['V400m-123456789', 'S1F2-000158213605001'] as const

const DAY = 86_400_000

/**
 * Events that only Adyen's fake can play: terminals, slow payments, reservations, and later movements of
 * money.
 */
export type AdyenFake = FakePsp & {
  /** The terminals of the first account. */
  terminals: ReturnType<typeof adyenTerminals>
  /** All payment links, in order of creation. */
  links: () => readonly AdyenLink[]
  /** Adyen forgets keys after a week at the earliest. From now on it knows no key of a payment link. */
  forgetKeys: () => void
  /** The customer has paid with a method that takes days. */
  begin: (job: string) => void
  /** All captures, cancellations and refunds that Adyen has received, in order. */
  captures: () => readonly AdyenModification[]
  cancels: () => readonly AdyenModification[]
  refunds: () => readonly AdyenModification[]
  /** The shop captures, cancels or refunds a payment in the Customer Area. */
  byHand: (job: string, kind: AdyenModificationKind, value?: number) => AdyenModification
  /** The card scheme rejects the capture with this `pspReference`, which had succeeded. */
  failCapture: (pspReference: string) => void
  /** Adyen repeats a failed capture, with success. */
  recapture: (pspReference: string) => void
  /** Adyen fails further captures, cancellations or refunds with this reason; null ends that. */
  refuse: (kind: AdyenModificationKind, reason: string | null) => void
  /** Modifications of a link, the amount still reserved, and the webhooks about both. */
  receivedOf: (link: AdyenLink) => readonly Received[]
  heldOf: (link: AdyenLink, at: number) => number
  tellOf: (link: AdyenLink, at: number) => Promise<SentNotification>[]
  /** The webhook about the refund with this `pspReference`. */
  tellRefund: (pspReference: string, changes?: Partial<AdyenWebhookItem>) => Promise<SentNotification>
  /** A webhook about any other event of a payment. */
  tell: (job: string, changes: Partial<AdyenWebhookItem>) => Promise<SentNotification>
}

/**
 * Adyen's Checkout API, limited to Pay by Link, and its standard webhook. `captures`: `several` if Adyen's
 * support enabled multiple partial captures.
 */
export function adyenFake(captures: 'once' | 'several' = 'once'): AdyenFake {
  const modifications = adyenModifications(captures)
  const terminals = adyenTerminals(AT_COUNTER, TERMINALS)
  const links = new Map<string, AdyenLink>()
  /** The first request with each idempotency key of the company, and its answer; null until it is known. */
  const replies = new Map<string, { request: string; answer: AdyenAnswer | null }>()

  const linkOf = (job: string): AdyenLink => {
    const link = links.values().find(({ id, request }) => [id, request['reference']].includes(job))
    if (!link) throw new Error(`Adyen has no payment link for ${job}`)
    return link
  }

  const paidBy = (reference: string): AdyenLink | undefined =>
    links.values().find((link) => [pspReferenceOf(link), ...(link.parts ?? [])].includes(reference)) ??
    terminals.paidBy(reference)

  const create = (body: string, merchantAccount: string): AdyenAnswer => {
    const checked = checkRequest(REQUESTS.create, body)
    if (!checked.ok) return checked.answer
    if (checked.fields['merchantAccount'] !== merchantAccount) return foreign()
    const hex = (links.size + 1).toString(16).toUpperCase()
    const id = `PL${hex.padStart(16, '61C53A8B97E69150')}`
    const { expiresAt } = checked.fields
    const link: AdyenLink = {
      id,
      merchantAccount,
      status: 'active',
      request: checked.fields,
      expiresAt:
        typeof expiresAt === 'string'
          ? expiresAt
          : new Date(Date.now() + DAY).toISOString().replace(/\.\d+Z$/, 'Z'),
      event: null,
    }
    links.set(id, link)
    return { status: 201, body: showLink(link) }
  }

  const update = (link: AdyenLink, body: string): AdyenAnswer => {
    const checked = checkRequest(REQUESTS.update, body)
    if (!checked.ok) return checked.answer
    // Adyen does not document which error this is.
    if (link.status !== 'active') return adyenError(422, '14_421', `Payment link is ${link.status}`)
    link.status = 'expired'
    return { status: 200, body: showLink(link) }
  }

  const methods = (body: string, merchantAccount: string): AdyenAnswer => {
    const checked = checkRequest(REQUESTS.methods, body)
    if (!checked.ok) return checked.answer
    if (checked.fields['merchantAccount'] !== merchantAccount) return foreign()
    return { status: 200, body: { paymentMethods: [{ name: 'iDEAL', type: 'ideal' }] } }
  }

  /**
   * "If you submit a duplicate request before the first request has completed": 409 or 422, with
   * 704.
   */
  const once = async (key: string | null, request: Request, answer: (body: string) => AdyenAnswer) => {
    if (key === null) return answer(await request.text())
    if (key.length > 64) return adyenError(422, '703', 'Idempotency key is too long')
    const known = replies.get(key)
    if (known?.answer === null) return busy()
    const reply = known ?? { request: '', answer: null }
    replies.set(key, reply)
    const body = await request.text()
    const asked = `${request.headers.get('x-api-key')} ${new URL(request.url).pathname} ${body}`
    if (known) return known.request === asked && known.answer ? known.answer : busy()
    reply.request = asked
    reply.answer = { ...answer(body), headers: { 'idempotency-key': key } }
    return reply.answer
  }

  const route = async (request: Request): Promise<AdyenAnswer> => {
    const resource = resourceOf(new URL(request.url))
    if (resource === null) return adyenError(404, '000', 'Not found', 'configuration')
    const account = [SHOP, OTHER].find(({ apiKey }) => apiKey === request.headers.get('x-api-key'))
    if (!account) return adyenError(401, '000', 'HTTP Status Response - Unauthorized', 'security')
    const { merchantAccount } = account
    const isJson = /^application\/json\b/.test(request.headers.get('content-type') ?? '')
    if (request.method !== 'GET' && !isJson) return adyenError(415, '000', 'Unsupported media type')
    const key = request.headers.get('idempotency-key')
    const [, name, id, kind] = resource
    if (name === 'payments') {
      const reference = decodeURIComponent(id ?? '')
      return once(key, request, (body) =>
        modifications.receive(
          kind as AdyenModificationKind,
          reference,
          paidBy(reference),
          merchantAccount,
          body,
        ),
      )
    }
    const does = `${request.method} ${name}${id === undefined ? '' : '/id'}`
    if (does === 'POST paymentLinks') return once(key, request, (body) => create(body, merchantAccount))
    if (does === 'POST paymentMethods') return once(key, request, (body) => methods(body, merchantAccount))
    const link = links.get(decodeURIComponent(id ?? ''))
    if (does === 'GET paymentLinks/id' || does === 'PATCH paymentLinks/id') {
      if (link?.merchantAccount !== merchantAccount)
        return adyenError(404, '14_420', 'Payment link not found')
      return request.method === 'GET'
        ? { status: 200, body: showLink(link) }
        : update(link, await request.text())
    }
    return adyenError(405, '000', 'Method not allowed', 'configuration')
  }

  const tellOf = (link: AdyenLink, at: number) =>
    modifications.itemsOf(link, at).map((item) => sendItem(item, keyOf(link)))

  return {
    terminals,
    origins: [`https://${TEST_HOST}`, `https://${LIVE_HOST}`, `https://${TERMINAL_HOST}`],
    accounts: [SHOP, OTHER],
    leavesOpen: ['failed'],
    links: () => [...links.values()],
    forgetKeys() {
      for (const [key, { request }] of replies) if (!request.includes('/payments/')) replies.delete(key)
    },
    handle: async (request) => {
      const atTerminal = await terminals.handle(request)
      if (atTerminal) return atTerminal
      const { status, body, headers } = await route(request)
      return Response.json(body, { status, ...(headers ? { headers } : {}) })
    },
    bring: (job, outcome) => {
      const link = linkOf(job)
      if (link.status !== 'active' && link.status !== 'paymentPending')
        throw new Error(`the payment link of ${job} is ${link.status} already`)
      if (outcome === 'paid')
        Object.assign(link, { status: 'completed', event: 'authorized', authorisedAt: Date.now() })
      if (outcome === 'expired') Object.assign(link, { status: 'expired', event: 'closed' })
      // Neither ends the link: the customer may try again or return to it. Adyen sends no webhook about a
      // customer who only leaves.
      if (outcome === 'failed') Object.assign(link, { status: 'active', event: 'failed' })
    },
    notify: async (job, at) => {
      const link = linkOf(job)
      if (link.event === null) return []
      return Promise.all([sendAdyen(link, link.event, keyOf(link), at), ...tellOf(link, at)])
    },
    begin: (job) => {
      linkOf(job).status = 'paymentPending'
    },
    captures: () => modifications.all('captures'),
    cancels: () => modifications.all('cancels'),
    refunds: () => modifications.all('refunds'),
    byHand: (job, kind, value) => modifications.byHand(kind, linkOf(job), value),
    failCapture: modifications.failCapture,
    recapture: modifications.recapture,
    refuse: modifications.refuse,
    receivedOf: modifications.of,
    heldOf: modifications.heldOf,
    tellOf,
    tellRefund: (pspReference, changes) => {
      const { made, events } = modifications.find(pspReference)
      const link = paidBy(made.paymentPspReference)
      if (!link) throw new Error(`Adyen has no payment of ${pspReference}`)
      return sendItem(modificationItem(link, made, Date.now(), { ...events[0], ...changes }), keyOf(link))
    },
    tell: (job, changes) => {
      const link = linkOf(job)
      const item = { ...adyenItem(link, 'authorized', Date.now()), originalReference: pspReferenceOf(link) }
      if (!changes.eventCode && changes.pspReference) (link.parts ??= []).push(changes.pspReference)
      return sendItem({ ...item, ...changes }, keyOf(link))
    },
  }
}

function keyOf({ merchantAccount }: AdyenLink): string {
  return (merchantAccount === SHOP.merchantAccount ? SHOP : OTHER).hmacKey
}

/** Adyen's hosts have their own paths. Behind another host the path may be only the resource. */
function resourceOf({ host, pathname }: URL): RegExpExecArray | null {
  const base =
    host === TEST_HOST ? '/v71' : host === LIVE_HOST ? '/checkout/v71' : '(?:/checkout)?(?:/v\\d+)?'
  return (
    new RegExp(`^${base}/(paymentLinks|paymentMethods)(?:/([^/]+))?$`).exec(pathname) ??
    new RegExp(`^${base}/(payments)/([^/]+)/(captures|cancels|refunds)$`).exec(pathname)
  )
}

function busy(): AdyenAnswer {
  return {
    ...adyenError(409, '704', 'request already processed or in progress'),
    headers: { 'transient-error': 'true' },
  }
}

function foreign(): AdyenAnswer {
  return adyenError(403, '901', 'Invalid Merchant Account', 'security')
}

/** A PaymentLinkResponse: the request, and what Adyen added. */
export function showLink({ id, status, request, expiresAt }: AdyenLink) {
  return {
    ...request,
    expiresAt,
    id,
    reusable: false,
    status,
    url: `https://test.adyen.link/${id}`,
  }
}
