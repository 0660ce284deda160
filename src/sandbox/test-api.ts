import * as v from 'valibot'
import { decimalsOf, toDecimal } from '../contract/money.ts'
import { readSentAmount } from '../contract/sent-values.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { readText } from '../platform/http/body.ts'
import { invalid, invalidField, type Refusal } from '../platform/http/refusal.ts'
import {
  type Payment,
  captureBefore,
  checkoutUrl,
  refunded,
  remaining,
  taken,
  wasReserved,
} from '../psp/sandbox/payment.ts'

const seconds = v.pipe(
  v.number('must be a number of seconds'),
  v.integer('must be a whole number of seconds'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(86_400, 'must be at most 86400 (a day)'),
)

/** The options of an action. `after` is in seconds, `amount` in the currency of the payment. */
const Options = v.object({
  amount: v.optional(v.string('must be a text such as "5.00"')),
  after: v.optional(seconds),
  outcome: v.optional(v.picklist(['paid', 'failed'], 'must be paid or failed')),
  seconds: v.optional(seconds),
  reason: v.optional(
    v.pipe(v.string('must be a text'), v.maxLength(140, 'must have at most 140 characters')),
  ),
})
type Options = v.InferOutput<typeof Options>

const OPTIONS_LIMIT = 4096

const isNoList = v.check<unknown, string>((value) => !Array.isArray(value), 'must be a JSON object')
const Body = v.pipe(v.string(), v.parseJson(), isNoList, Options)

/** Reads the options in a body. An empty body has none. */
export async function readOptions(request: Request): Promise<Result<Options, Refusal>> {
  const text = await readText(request, OPTIONS_LIMIT)
  if (!text.ok) return text
  const parsed = v.safeParse(Body, text.value.trim() || '{}')
  if (parsed.success) return ok(parsed.output)
  return parsed.issues.some((issue) => issue.type === 'parse_json')
    ? refuse({ code: 'body-malformed', detail: 'The body is not valid JSON.', field: 'body' })
    : invalid(parsed.issues)
}

/** Returns the amount of an action in minor units; undefined for the whole. */
export function amountIn({ amount }: Options, { currency }: Payment): Result<number | undefined, Refusal> {
  if (amount === undefined) return ok(undefined)
  const read = readSentAmount(amount, currency)
  return read.ok ? read : invalidField('amount', read.error)
}

function when(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, '+00:00')
}

/**
 * Shows a payment as Mollie's API does (https://docs.mollie.com/reference/get-payment). Mollie leaves
 * out a total until there is one.
 */
export function representPayment(payment: Payment) {
  const { id, status, settledAt, captured, refunds, chargedBack, capture, authorizedAt } = payment
  const amountOf = (minor: number) => {
    const { currency } = payment
    return { currency, value: toDecimal(minor, decimalsOf(currency)) }
  }
  const isOpen = status === 'open'
  const isReserved = wasReserved(payment)
  const isPaid = status === 'paid' || (isReserved && taken(payment) > 0)
  return {
    resource: 'payment',
    id,
    mode: 'test',
    createdAt: when(payment.createdAt),
    amount: amountOf(payment.amount),
    description: payment.description,
    method: payment.method,
    metadata: { paymentJob: payment.job },
    status,
    ...(isOpen ? { isCancelable: true, expiresAt: when(payment.expiresAt) } : {}),
    ...(settledAt === null ? {} : { [`${status}At`]: when(settledAt) }),
    locale: payment.locale,
    profileId: 'pfl_sandbox',
    sequenceType: 'oneoff',
    redirectUrl: payment.returnUrl,
    cancelUrl: payment.returnUrl,
    webhookUrl: payment.notificationUrl,
    ...(capture === undefined ? {} : { captureMode: capture }),
    ...(status === 'authorized' ? { captureBefore: when(captureBefore(payment)) } : {}),
    ...(status === 'authorized' && authorizedAt ? { authorizedAt: when(authorizedAt) } : {}),
    ...(isReserved || captured !== undefined ? { amountCaptured: amountOf(taken(payment)) } : {}),
    ...(isPaid
      ? {
          settlementAmount: amountOf(payment.amount),
          amountRemaining: amountOf(remaining(payment)),
          ...(refunds ? { amountRefunded: amountOf(refunded(payment)) } : {}),
          ...(chargedBack ? { amountChargedBack: amountOf(chargedBack) } : {}),
        }
      : {}),
    _links: isOpen ? { checkout: { href: checkoutUrl(payment), type: 'text/html' } } : {},
  }
}
