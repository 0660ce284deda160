/** An amount as PayPal writes it. */
export type Money = { currency_code: string; value: string }

type Status = 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'

/** An authorisation, a capture or a refund in PayPal's memory. `of`: the capture of a refund. Times are in ms. */
export type PaypalItem = {
  id: string
  status: string
  amount: Money
  at: number
  of?: string
  reason?: string
  invoiceId?: string
  customId?: string
  isFinal?: boolean
}

/**
 * An order in PayPal's memory. `refusal`: the issue by which PayPal refuses to capture or authorise it. `isGone`: PayPal
 * knows it no longer.
 */
export type PaypalOrder = {
  id: string
  status: Status
  request: NewOrder
  account: string
  key: string | null
  at: number
  refusal: string | null
  isGone: boolean
  authorizations: PaypalItem[]
  captures: PaypalItem[]
  refunds: PaypalItem[]
}

export type NewOrder = {
  intent: 'CAPTURE' | 'AUTHORIZE'
  purchase_units: [{ amount: Money; custom_id?: string; description?: string }]
  payment_source?: { paypal?: { experience_context?: Record<string, string> } }
}

/** Without decimals: https://developer.paypal.com/reference/currency-codes/ */
const WHOLE = new Set(['HUF', 'JPY', 'TWD'])
const CURRENCIES = new Set(
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD'.split(
    ' ',
  ),
)

/** Returns the issue of an amount that PayPal does not take; null for none. */
export function issueOf({ currency_code, value }: Money): string | null {
  if (!CURRENCIES.has(currency_code)) return 'INVALID_CURRENCY_CODE'
  if (WHOLE.has(currency_code) && value.includes('.')) return 'DECIMALS_NOT_SUPPORTED'
  if (!/^\d{1,29}(\.\d\d)?$/.test(value)) return 'DECIMAL_PRECISION'
  return Number(value) > 0 ? null : 'CANNOT_BE_ZERO_OR_NEGATIVE'
}

/** Returns hundredths of an amount, so that sums are exact. */
export function hundredths({ value }: Money): number {
  return Math.round(Number(value) * 100)
}

export function sumOf(items: readonly PaypalItem[]): number {
  return items.reduce((sum, { amount }) => sum + hundredths(amount), 0)
}

/** PayPal's ids have 17 capital letters and digits. */
export function paypalId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(17)), (byte) => (byte % 36).toString(36))
    .join('')
    .toUpperCase()
}

/** A time in PayPal's form. */
export function paypalTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** "29 days": https://developer.paypal.com/docs/checkout/advanced/authorization-honor */
export const HOLD = 29 * 86_400_000

const API = 'https://api.paypal.com'

function linkTo(path: string, rel: string, method = 'GET') {
  return { href: `${API}${path}`, rel, method }
}

/** Shows an authorisation, a capture or a refund. */
export function itemJson(kind: 'authorization' | 'capture' | 'refund', item: PaypalItem): object {
  const { id, status, amount, at, reason, invoiceId, customId, isFinal, of } = item
  return {
    id,
    status,
    amount,
    ...(reason ? { status_details: { reason } } : {}),
    ...(invoiceId ? { invoice_id: invoiceId } : {}),
    ...(customId ? { custom_id: customId } : {}),
    ...(isFinal === undefined ? {} : { final_capture: isFinal }),
    ...(kind === 'authorization' ? { expiration_time: paypalTime(at + HOLD) } : {}),
    create_time: paypalTime(at),
    update_time: paypalTime(at),
    links: [
      linkTo(`/v2/payments/${kind}s/${id}`, 'self'),
      ...(of ? [linkTo(`/v2/payments/captures/${of}`, 'up')] : []),
    ],
  }
}

export function orderJson(order: PaypalOrder, isWhole: boolean): object {
  const { id, status, request, at, authorizations, captures, refunds } = order
  const isOpen = status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED' || status === 'APPROVED'
  const rel = request.payment_source ? 'payer-action' : 'approve'
  const links = [
    linkTo(`/v2/checkout/orders/${id}`, 'self'),
    ...(isOpen ? [{ href: `https://www.paypal.com/checkoutnow?token=${id}`, rel, method: 'GET' }] : []),
  ]
  if (!isWhole) return { id, status, links }
  const lists = {
    ...(authorizations.length > 0
      ? { authorizations: authorizations.map((one) => itemJson('authorization', one)) }
      : {}),
    ...(captures.length > 0 ? { captures: captures.map((one) => itemJson('capture', one)) } : {}),
    ...(refunds.length > 0 ? { refunds: refunds.map((one) => itemJson('refund', one)) } : {}),
  }
  const [unit] = request.purchase_units
  return {
    id,
    intent: request.intent,
    status,
    ...(request.payment_source ? { payment_source: { paypal: {} } } : {}),
    purchase_units: [
      { reference_id: 'default', ...unit, ...(Object.keys(lists).length > 0 ? { payments: lists } : {}) },
    ],
    create_time: paypalTime(at),
    links,
  }
}

/** An error in PayPal's form: https://developer.paypal.com/api/rest/responses/#link-failedrequests */
export function paypalProblem(status: number, name: string, message: string, issue?: string): Response {
  const details = issue ? [{ issue, description: `${issue.toLowerCase().replaceAll('_', ' ')}.` }] : []
  const body = { name, message, debug_id: 'b1d1f06c7246c', details, links: [] }
  return Response.json(body, { status })
}

export function unprocessable(issue: string): Response {
  return paypalProblem(
    422,
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
    issue,
  )
}

export function notFound(): Response {
  return paypalProblem(
    404,
    'RESOURCE_NOT_FOUND',
    'The specified resource does not exist.',
    'INVALID_RESOURCE_ID',
  )
}
