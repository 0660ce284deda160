import * as v from 'valibot'
import { parseAmount, parseAmountNumber } from '../contract/money.ts'
import { type Order, keptOrder, NewPaymentJob } from '../contract/order.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { type SentAmount, SentNumber } from '../contract/values.ts'
import type { JsonObject } from '../platform/http/body.ts'
import { errorsOf, invalidFields, type Refusal } from '../platform/http/refusal.ts'
import { type PublicUrlRules, refusedUrl } from '../platform/http/public-url.ts'

const { entries } = NewPaymentJob

/** Reads an order. The refusal names every invalid field; unknown fields are ignored. */
export function readOrder(body: JsonObject, rules: PublicUrlRules): Result<Order, Refusal> {
  const sent = v.safeParse(NewPaymentJob, body)
  const errors = errorsOf(sent.issues ?? [])
  const amount = readAmount(body, errors)
  for (const field of ['return_url', 'report_url']) {
    const refused = errors.has(field) ? null : refusedUrl(String(body[field]), rules)
    if (refused) errors.set(field, refused)
  }
  return sent.success && errors.size === 0
    ? ok(keptOrder(sent.output, amount))
    : invalidFields(errors, Object.keys(entries))
}

/** Reads the amount. Without a valid currency it may have two decimals. */
function readAmount(body: JsonObject, errors: Map<string, string>): number {
  const sent = v.safeParse(entries.amount, body['amount'])
  if (!sent.success) return 0
  const currency = errors.has('currency') ? 'EUR' : String(body['currency'])
  const amount = readSentAmount(sent.output, currency)
  if (!amount.ok) errors.set('amount', amount.error)
  return amount.ok ? amount.value : 0
}

/** Returns an amount in minor units, or the reason why it is no amount, or zero. */
export function readSentAmount(sent: SentAmount, currency: string): Result<number, string> {
  const amount =
    sent instanceof SentNumber ? parseAmountNumber(sent.digits, currency) : parseAmount(sent, currency)
  return amount.ok && amount.value === 0 ? refuse('must be more than zero') : amount
}
