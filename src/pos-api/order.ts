import * as v from 'valibot'
import { isCurrency } from '../contract/currency.ts'
import type { Order } from '../job/rules/job.ts'
import { canonicalLanguage } from '../contract/language.ts'
import { type Result, ok, refuse } from '../platform/result.ts'
import type { JsonObject } from '../platform/http/body.ts'
import { type PublicUrlRules, refusedUrl } from '../platform/http/public-url.ts'
import type { FieldError, Refusal } from '../platform/http/refusal.ts'
import { LONGEST } from './contract/lengths.ts'
import { plainIpAddress } from './ip-address.ts'
import { SentAmount, keepDigitsOf, readSentAmount } from './sent-amount.ts'

/** Fields that clients send as text or as a number. */
const NUMERIC = ['timestamp', 'order_id', 'order_number']

/** A long order id or amount does not fit a double. */
export const keepDigits = keepDigitsOf(NUMERIC)

function Text(longest: number, type = 'must be a text') {
  return v.pipe(
    v.string(type),
    v.minLength(1, 'must not be empty'),
    v.maxLength(longest, `must have at most ${longest} characters`),
    v.check((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not have control characters'),
  )
}

/** `error` says in one what is wrong in any way. */
function Digits(longest: number, error?: string) {
  return v.pipe(
    v.string(error ?? 'must be a number or a text of digits'),
    v.regex(/^\d+$/, error ?? 'must have digits only'),
    v.maxLength(longest, error ?? `must have at most ${longest} digits`),
  )
}

const UNIX_SECONDS = 'must be Unix seconds, without decimals or milliseconds, such as 1790000000'
const NO_ADDRESS = "must not be empty: send the customer's IP address, such as 203.0.113.7"

const OrderBody = v.object({
  timestamp: Digits(LONGEST.timestamp, UNIX_SECONDS),
  currency: v.pipe(
    v.string('must be a text'),
    v.check(isCurrency, 'must be an active ISO 4217 code in capitals, such as EUR'),
  ),
  amount: SentAmount,
  return_url: Text(LONGEST.url),
  report_url: Text(LONGEST.url),
  payment_method: v.pipe(
    Text(LONGEST.paymentMethod),
    v.regex(/^[\w.-]+$/, 'must have letters, digits, points, dashes and underscores only'),
  ),
  order_id: Digits(LONGEST.orderId),
  order_number: Text(LONGEST.orderNumber, 'must be a number or a text'),
  language: v.pipe(
    Text(LONGEST.language),
    v.check((text) => canonicalLanguage(text) !== undefined, 'must be a language code such as nl or nl-NL'),
  ),
  ip_address: v.pipe(
    v.string('must be a text'),
    v.regex(/[^ ]/, NO_ADDRESS),
    v.transform(plainIpAddress),
    v.string('must be an IPv4 or IPv6 address'),
  ),
})

const FIELDS = Object.keys(OrderBody.entries)

/** Reads an order from the body of a create request; every invalid field is told. Unknown fields are ignored. */
export function readOrder(body: JsonObject, rules: PublicUrlRules): Result<Order, Refusal> {
  const parsed = v.safeParse(OrderBody, body)
  const errors = new Map<string, string>()
  for (const issue of parsed.issues ?? []) {
    const field = v.getDotPath(issue) ?? 'body'
    if (!errors.has(field)) errors.set(field, field in body ? issue.message : 'is required')
  }
  const money = readAmount(body, errors)
  for (const field of ['return_url', 'report_url'] as const) {
    const refused = errors.has(field) ? null : refusedUrl(String(body[field]), rules)
    if (refused) errors.set(field, refused)
  }
  if (!parsed.success || errors.size > 0) return invalid(errors)
  const order = parsed.output
  return ok({
    timestamp: order.timestamp,
    currency: order.currency,
    amount: money,
    returnUrl: order.return_url,
    reportUrl: order.report_url,
    paymentMethod: order.payment_method,
    orderId: order.order_id,
    orderNumber: order.order_number,
    language: order.language,
    ipAddress: order.ip_address,
  })
}

/** The amount can only be judged with a currency that is valid itself; otherwise as if it had two decimals. */
function readAmount(body: JsonObject, errors: Map<string, string>): number {
  if (errors.has('amount')) return 0
  const currency = errors.has('currency') ? 'EUR' : String(body['currency'])
  const amount = readSentAmount(body['amount'], currency)
  if (!amount.ok) errors.set('amount', amount.error)
  return amount.ok ? amount.value : 0
}

function invalid(errors: Map<string, string>): Result<never, Refusal> {
  const inOrder = FIELDS.flatMap((field): FieldError[] => {
    const error = errors.get(field)
    return error === undefined ? [] : [{ field, error }]
  })
  const [first = { field: 'body', error: 'is invalid' }, ...others] = inOrder
  return refuse({ code: 'fields-invalid', errors: [first, ...others] })
}
