import * as v from 'valibot'
import { readSentAmount } from '../contract/money.ts'
import { type Order, keptOrder, NewPaymentJob } from '../contract/order.ts'
import { type Result, ok } from '../contract/result.ts'
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
