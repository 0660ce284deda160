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
  /** The idempotency key of the request that created it, and that request. */
  key: string | null
  fingerprint: string
}
export type MollieRefund = MollieMove<
  'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled'
>
export type MollieCapture = MollieMove<'pending' | 'succeeded' | 'failed'>

/** In minor units. `reversedAt` (ms): when the customer's bank gave the money back; null if it did not. */
export type MollieChargeback = { id: string; amount: number; reversedAt: number | null }

/** The methods that support manual capture: https://docs.mollie.com/docs/place-a-hold-for-a-payment */
const HOLDS = new Set('creditcard klarna billie riverty vipps mobilepay'.split(' '))

/** Whether Mollie accepts the capture mode of a new payment. */
export function isCaptureMode({ captureMode = 'automatic', method }: NewPayment): boolean {
  if (captureMode !== 'manual') return captureMode === 'automatic' && method !== 'riverty'
  return method === undefined || HOLDS.has(method)
}

/**
 * The currencies that Mollie accepts, and those without decimals: https://docs.mollie.com/docs/multicurrency
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

/** Writes minor units in Mollie's form. */
export function amountOf(currency: string, minor: number): Amount {
  const value = WITHOUT_DECIMALS.has(currency) ? String(minor) : (minor / 100).toFixed(2)
  return { currency, value }
}

/** Converts an amount to minor units. */
export function minorOf({ currency, value }: Amount): number {
  return WITHOUT_DECIMALS.has(currency) ? Number(value) : Math.round(Number(value) * 100)
}

/** Whether Mollie accepts an amount: it must know the currency, and the decimals must be the currency's. */
export function isAmount(amount: Amount): boolean {
  return (
    isMollieCurrency(amount.currency) && amountOf(amount.currency, minorOf(amount)).value === amount.value
  )
}

/** A payment in Mollie's memory. Times are in milliseconds. */
export type MolliePayment = {
  id: string
  status: MollieStatus
  job: string
  checkoutUrl: string
  expiresAt: number | null
  request: NewPayment
  /** The idempotency key of the request that created it, that request, and when the key expires. */
  key: string | null
  fingerprint: string
  keyUntil: number
  refunds: MollieRefund[]
  chargebacks: MollieChargeback[]
  captures: MollieCapture[]
  /** When the money was reserved. */
  authorizedAt: number | null
  /** The shop has requested a release. */
  isReleasing: boolean
  createdAt: number
  /** Mollie's first answer. */
  first: object
  /** The result at the terminal. */
  atTerminal: AtTerminal
}

/**
 * `isCardIn`: the customer has shown a card, so the payment can no longer be cancelled. `why`: why it failed.
 */
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

/** Whether the money of a payment is reserved or once was. */
export function isHeld({ authorizedAt, captures, request }: MolliePayment): boolean {
  return authorizedAt !== null || captures.length > 0 || request.captureMode === 'manual'
}

/**
 * Sets the status of a payment. `authorized` reserves the money, if it was not; `paid` means that the shop
 * captured everything in Mollie's dashboard.
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
    chargebacks: [],
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
 * Mollie's notification about a payment, for the address given with the payment:
 * https://docs.mollie.com/reference/webhooks
 */
export function mollieNotifications({ id, request: { webhookUrl } }: MolliePayment): SentNotification[] {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return webhookUrl === undefined ? [] : [{ url: webhookUrl, headers, body: `id=${id}` }]
}

/** A time in Mollie's form. */
export function mollieTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '+00:00')
}

const HAL = { 'content-type': 'application/hal+json' }

type Shown = Pick<
  MolliePayment,
  'id' | 'status' | 'checkoutUrl' | 'expiresAt' | 'request' | 'createdAt' | 'atTerminal'
>

/** A payment without refunds, captures or chargebacks. A payment at a terminal has no checkout page. */
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

/** A page of a list, the newest first, with the next page's `from`. */
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

/** An error in Mollie's form: https://docs.mollie.com/reference/handling-errors */
export function mollieProblem(status: number, title: string, detail: string, field?: string): Response {
  return halJson({ status, title, detail, ...(field ? { field } : {}), _links: {} }, status)
}
