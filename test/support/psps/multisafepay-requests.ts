import * as v from 'valibot'

/**
 * The requests that MultiSafepay accepts, by its API's document: https://github.com/MultiSafepay/docs,
 * openapi/components/schemas (`orders/PaymentPage.yaml`, `orders/Wallet.yaml`, `PaymentOptions.yaml`,
 * `Customer.yaml`) and requestBody/CancelOrder.yaml.
 */
const GATEWAYS =
  'AFTERPAY ALIPAY ALIPAYPLUS AMAZONBTN AMEX APPLEPAY BANKTRANS BELFIUS BILLINK BIZUM BNPL_INSTM BNPL_MF CBC CREDITCARD ' +
  'DBRTP DIRDEB DIRECTBANK DOTPAY EINVOICE EPS GIROPAY GOOGLEPAY IDEAL IDEALQR IN3 KBC KLARNA MAESTRO MASTERCARD ' +
  'MBWAY MISTERCASH MULTIBANCO PAYPAL SANTANDER TRUSTLY TRUSTPAY VISA WECHAT ZINIA'
const LOCALES = 'cs_CZ de_AT de_DE en_US fi_FI fr_BE fr_FR it_IT nl_BE nl_NL pl_PL es_ES sv_SE zh_CN'.split(
  ' ',
)

/**
 * Pay-later methods need a shopping cart, and some gateways are discontinued: error 1023 or 1027 in this API.
 */
const NEEDS_CART = new Set(
  'AFTERPAY BILLINK BNPL_INSTM BNPL_MF EINVOICE IN3 KLARNA SANTANDER ZINIA'.split(' '),
)
const ENDED = new Set(['DIRECTBANK', 'GIROPAY'])
/** The gateways that can reserve money: of all orders, only `orders/CreditCard.yaml` has `capture`. */
const RESERVING = new Set(['CREDITCARD', 'MAESTRO', 'MASTERCARD', 'VISA'])

const Address = v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//))
const CODES: Readonly<Record<string, [code: number, info: string]>> = {
  amount: [1001, 'Invalid amount'],
  currency: [1002, 'Invalid currency'],
  order_id: [1006, 'Invalid transaction ID'],
  description: [1008, 'Invalid description'],
  gateway: [1023, 'No gateway (payment method) available'],
}

/** The client's name and version. */
const Plugin = v.record(v.string(), v.string())

const NewOrder = v.strictObject({
  type: v.exactOptional(v.picklist(['redirect', 'paymentlink']), 'redirect'),
  gateway: v.exactOptional(v.picklist(GATEWAYS.split(' '))),
  order_id: v.pipe(v.string(), v.minLength(1), v.maxLength(50)),
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  capture: v.exactOptional(v.literal('manual')),
  description: v.pipe(
    v.string(),
    v.check((text) => text !== '' && Array.from(text).length <= 200),
  ),
  payment_options: v.exactOptional(
    v.strictObject({
      notification_url: v.exactOptional(v.pipe(Address, v.maxLength(150))),
      notification_method: v.exactOptional(v.picklist(['POST', 'GET'])),
      redirect_url: v.exactOptional(Address),
      cancel_url: v.exactOptional(Address),
      close_window: v.exactOptional(v.boolean()),
    }),
    {},
  ),
  customer: v.exactOptional(
    v.strictObject({
      locale: v.exactOptional(v.picklist(LOCALES)),
      country: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
      ip_address: v.exactOptional(v.union([v.pipe(v.string(), v.ipv4()), v.pipe(v.string(), v.ipv6())])),
    }),
  ),
  days_active: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365))),
  plugin: v.exactOptional(Plugin),
  var1: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  seconds_active: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(31_536_000))),
})
export type NewOrder = v.InferOutput<typeof NewOrder> & { gateway_info?: { terminal_id: string } }

/**
 * openapi/components/schemas/CloudMode.yaml, with what it requires, and `CloudModePaymentOptions.yaml`,
 * `CloudModeCustomer.yaml` and `TerminalGatewayInfo.yaml`. The characters of an order id are those of
 * content/point-of-sale/smartpos-solutions.md.
 */
const CloudOrder = v.strictObject({
  type: v.literal('redirect'),
  order_id: v.pipe(v.string(), v.regex(/^[\w/-]{1,50}$/)),
  gateway: v.literal(''),
  currency: v.literal('EUR'),
  amount: NewOrder.entries.amount,
  description: NewOrder.entries.description,
  payment_options: v.exactOptional(
    v.strictObject({
      notification_url: v.exactOptional(v.pipe(Address, v.maxLength(150))),
      notification_method: v.exactOptional(v.picklist(['POST', 'GET'])),
    }),
    {},
  ),
  customer: v.exactOptional(v.strictObject({ locale: v.exactOptional(v.picklist(LOCALES)) })),
  gateway_info: v.strictObject({ terminal_id: v.string() }),
  plugin: v.exactOptional(Plugin),
})

/** Whether a body is an order for a terminal. */
function isForTerminal(body: unknown): boolean {
  return v.is(v.looseObject({ gateway_info: v.unknown() }), body)
}

const Cancellation = v.strictObject({
  status: v.literal('cancelled'),
  exclude_order: v.exactOptional(v.boolean()),
  plugin: v.exactOptional(Plugin),
})

export type Refusal = { code: number; info: string }

function refusal(code: number, info: string): Refusal {
  return { code, info }
}

function refusalFor(issue: v.BaseIssue<unknown>): Refusal {
  const field = v.getDotPath(issue)?.split('.')[0] ?? 'body'
  const [code, info] = CODES[field] ?? [1016, `Missing or invalid data: ${field}`]
  return refusal(code, info)
}

/** Reads the order in a request's body, or returns MultiSafepay's refusal. */
export function readOrder(body: unknown): { order: NewOrder } | { refusal: Refusal } {
  if (isForTerminal(body)) {
    const order = v.safeParse(CloudOrder, body)
    if (!order.success) return { refusal: refusalFor(order.issues[0]) }
    const { gateway: _gateway, ...sent } = order.output
    return { order: sent }
  }
  const order = v.safeParse(NewOrder, body)
  if (!order.success) return { refusal: refusalFor(order.issues[0]) }
  const { gateway, customer, capture } = order.output
  if (capture && !RESERVING.has(gateway ?? '')) return { refusal: refusal(1016, 'Missing data: capture') }
  if (gateway && ENDED.has(gateway))
    return { refusal: refusal(1023, 'No gateway (payment method) available') }
  if (gateway && NEEDS_CART.has(gateway)) return { refusal: refusal(5001, 'Cart data not validated') }
  if (gateway === 'MISTERCASH' && !customer?.locale) return { refusal: refusal(1016, 'Missing data: locale') }
  return { order: order.output }
}

export function isCancellation(body: unknown): boolean {
  return v.is(Cancellation, body)
}

/** openapi/components/requestBody/Refund.yaml: without an amount, or with zero, everything is refunded. */
const Refund = v.strictObject({
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  amount: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
  description: v.exactOptional(v.pipe(v.string(), v.maxLength(200)), ''),
  refund_order_id: v.exactOptional(v.pipe(v.string(), v.maxLength(50))),
  plugin: v.exactOptional(Plugin),
  var1: v.exactOptional(v.string()),
  var2: v.exactOptional(v.string()),
  var3: v.exactOptional(v.string()),
})
export type NewRefund = v.InferOutput<typeof Refund>

/** Reads the refund in a request's body; null if MultiSafepay refuses it. */
export function readRefund(body: unknown): NewRefund | null {
  const refund = v.safeParse(Refund, body)
  return refund.success ? refund.output : null
}

/** openapi/paths/orders@{order_id}@capture.yaml */
const Capture = v.strictObject({
  amount: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  new_order_id: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(50))),
  new_order_status: v.literal('completed'),
  invoice_id: v.exactOptional(v.string()),
  tracktrace_code: v.exactOptional(v.string()),
  carrier: v.exactOptional(v.string()),
  reason: v.exactOptional(v.string()),
  description: v.exactOptional(v.string()),
})
export type NewCapture = v.InferOutput<typeof Capture>

/** Reads the capture in a request's body; null if MultiSafepay refuses it. */
export function readCapture(body: unknown): NewCapture | null {
  const capture = v.safeParse(Capture, body)
  return capture.success ? capture.output : null
}

/** openapi/paths/capture@{order_id}.yaml */
const Release = v.strictObject({
  status: v.literal('cancelled'),
  reason: v.string(),
  description: v.exactOptional(v.string()),
})

export function isRelease(body: unknown): boolean {
  return v.is(Release, body)
}
