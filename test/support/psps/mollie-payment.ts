import type { SentNotification } from './fake-psp.ts'

export type MollieStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'failed' | 'expired'

export type NewPayment = {
  amount: Amount
  description: string
  redirectUrl: string
  webhookUrl?: string
  method?: string
  terminalId?: string
  captureMode?: string
  metadata?: { paymentJob: string }
}

type Amount = { currency: string; value: string }

/** A refund or a capture. */
export type MollieMove<Status> = {
  id: string
  status: Status
  amount: Amount
  description: string
  metadata: unknown
  /** The idempotency key that it was made with, and the request that came with it. */
  key: string | null
  fingerprint: string
}
export type MollieRefund = MollieMove<
  'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled'
>
export type MollieCapture = MollieMove<'pending' | 'succeeded' | 'failed'>

/**
 * The methods that can be captured by hand:
 * https://docs.mollie.com/docs/place-a-hold-for-a-payment
 */
const HOLDS = new Set('creditcard klarna billie riverty vipps mobilepay'.split(' '))

/** Whether Mollie takes the capture mode of a new payment. */
export function isCaptureMode({ captureMode = 'automatic', method }: NewPayment): boolean {
  if (captureMode !== 'manual') return captureMode === 'automatic' && method !== 'riverty'
  return method === undefined || HOLDS.has(method)
}

/**
 * The currencies that Mollie takes, with no decimals where it counts none:
 * https://docs.mollie.com/docs/multicurrency
 */
const CURRENCIES = new Set(
  (
    'AED AUD BGN BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON RUB SEK ' +
    'SGD THB TWD USD ZAR'
  ).split(' '),
)
const WITHOUT_DECIMALS = new Set(['ISK', 'JPY'])

export function isMollieCurrency(currency: string): boolean {
  return CURRENCIES.has(currency)
}

/** Writes minor units as Mollie does. */
export function amountOf(currency: string, minor: number): Amount {
  const value = WITHOUT_DECIMALS.has(currency) ? String(minor) : (minor / 100).toFixed(2)
  return { currency, value }
}

/** Reads an amount into minor units. */
export function minorOf({ currency, value }: Amount): number {
  return WITHOUT_DECIMALS.has(currency) ? Number(value) : Math.round(Number(value) * 100)
}

/** Whether Mollie takes an amount: its currency, and as many decimals as that has. */
export function isAmount(amount: Amount): boolean {
  return (
    isMollieCurrency(amount.currency) && amountOf(amount.currency, minorOf(amount)).value === amount.value
  )
}

/** A payment as Mollie holds it. Times are in milliseconds. */
export type MolliePayment = {
  id: string
  status: MollieStatus
  job: string
  checkoutUrl: string
  expiresAt: number | null
  request: NewPayment
  /**
   * The idempotency key that it was made with, the request that came with it, and the time at which
   * it expires.
   */
  key: string | null
  fingerprint: string
  keyUntil: number
  refunds: MollieRefund[]
  /** In minor units; null until there was a chargeback. */
  chargedBack: number | null
  captures: MollieCapture[]
  /** Since when the money is reserved. */
  authorizedAt: number | null
  /** The shop has asked to release what is held. */
  isReleasing: boolean
  createdAt: number
  /** Mollie's first answer. */
  first: object
  /** What became of a payment at a terminal. */
  atTerminal: AtTerminal
}

/** `isCardIn`: the customer has shown a card, so nobody can cancel it. `why`: why it failed. */
export type AtTerminal = {
  isCardIn: boolean
  why: { code: string; message: string } | null
  details: object
}

/** "At least 7 days": https://docs.mollie.com/docs/place-a-hold-for-a-payment */
const HOLD = 7 * 86_400_000

export function captureBeforeOf({ authorizedAt }: MolliePayment): number {
  return (authorizedAt ?? Infinity) + HOLD
}

/** Whether the money of a payment is or was only reserved. */
export function isHeld({ authorizedAt, captures, request }: MolliePayment): boolean {
  return authorizedAt !== null || captures.length > 0 || request.captureMode === 'manual'
}

/**
 * Gives a payment a status. Where it is authorized for the first time, its money is reserved now;
 * where it is paid, somebody captured all of it at Mollie.
 */
export function setMollieStatus(payment: MolliePayment, status: MollieStatus): void {
  payment.status = status
  if (status === 'authorized') payment.authorizedAt ??= Date.now()
  if (status !== 'paid' || !isHeld(payment) || payment.captures.length > 0) return
  const { amount } = payment.request
  const move = { id: 'cpt_elsewhere', amount, description: 'Made at Mollie', metadata: null }
  payment.captures.push({ ...move, status: 'succeeded', key: null, fingerprint: '' })
}

/**
 * Mollie drops an idempotency key after an hour: https://docs.mollie.com/reference/api-idempotency
 */
const KEY_LIFE = 3_600_000

export function newPayment(
  request: NewPayment,
  { key, fingerprint, life }: { key: string | null; fingerprint: string; life: number | null },
): MolliePayment {
  const id = `tr_${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`
  const now = Date.now()
  const payment: MolliePayment = {
    id,
    status: 'open',
    job: request.metadata?.paymentJob ?? '',
    checkoutUrl: `https://www.mollie.com/checkout/${id}`,
    expiresAt: life === null ? null : now + life,
    request,
    key,
    fingerprint,
    keyUntil: now + KEY_LIFE,
    refunds: [],
    chargedBack: null,
    captures: [],
    authorizedAt: null,
    isReleasing: false,
    createdAt: now,
    first: {},
    atTerminal: { isCardIn: false, why: null, details: {} },
  }
  return { ...payment, first: paymentJson(payment) }
}

/**
 * What Mollie sends of a payment, to the address that was given with it:
 * https://docs.mollie.com/reference/webhooks
 */
export function mollieNotifications({ id, request: { webhookUrl } }: MolliePayment): SentNotification[] {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return webhookUrl === undefined ? [] : [{ url: webhookUrl, headers, body: `id=${id}` }]
}

/** A time as Mollie writes it. */
export function mollieTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '+00:00')
}

const HAL = { 'content-type': 'application/hal+json' }

type Shown = Pick<
  MolliePayment,
  'id' | 'status' | 'checkoutUrl' | 'expiresAt' | 'request' | 'createdAt' | 'atTerminal'
>

/** A payment whose money has not moved. Nothing is paid on a page at a terminal. */
export function paymentJson({ id, status, checkoutUrl, expiresAt, request, createdAt, atTerminal }: Shown) {
  const { terminalId, ...sent } = request
  const hasPage = status === 'open' && terminalId === undefined
  return {
    resource: 'payment',
    id,
    mode: 'live',
    status,
    ...sent,
    createdAt: mollieTime(createdAt),
    ...(expiresAt === null ? {} : { expiresAt: mollieTime(expiresAt) }),
    isCancelable: status === 'open' && !atTerminal.isCardIn,
    ...(terminalId === undefined ? {} : { details: { terminalId, ...atTerminal.details } }),
    ...(atTerminal.why ? { statusReason: atTerminal.why } : {}),
    _links: {
      self: { href: `https://api.mollie.com/v2/payments/${id}`, type: 'application/hal+json' },
      ...(hasPage ? { checkout: { href: checkoutUrl, type: 'text/html' } } : {}),
      ...(terminalId === undefined
        ? {}
        : {
            terminal: {
              href: `https://api.mollie.com/v2/terminals/${terminalId}`,
              type: HAL['content-type'],
            },
          }),
    },
  }
}

/** A page of a list, the newest first. The next one's `from` leads on. */
export function pageJson<One extends { id: string }>(
  { pathname, searchParams }: URL,
  name: string,
  newest: readonly One[],
  show: (one: One) => object,
): Response {
  const from = newest.findIndex(({ id }) => id === searchParams.get('from'))
  const limit = Number(searchParams.get('limit') ?? 50)
  if (limit > 250) return mollieProblem(400, 'Bad Request', 'The limit is too high', 'limit')
  const page = newest.slice(Math.max(from, 0)).slice(0, limit)
  const next = newest[Math.max(from, 0) + limit]
  const path = `https://api.mollie.com${pathname}`
  const link = next && { href: `${path}?from=${next.id}&limit=${limit}`, type: HAL['content-type'] }
  return halJson({
    count: page.length,
    _embedded: { [name]: page.map(show) },
    _links: { self: { href: path, type: HAL['content-type'] }, previous: null, next: link ?? null },
  })
}

export function halJson(body: object, status = 200): Response {
  return Response.json(body, { status, headers: HAL })
}

/** An error as Mollie sends it: https://docs.mollie.com/reference/handling-errors */
export function mollieProblem(status: number, title: string, detail: string, field?: string): Response {
  return halJson({ status, title, detail, ...(field ? { field } : {}), _links: {} }, status)
}
