import * as v from 'valibot'
import { type Unavailable, type RefusedOrder, reasonIn, refusedOrder } from '../answer.ts'
import { unavailable } from '../http-client.ts'
import type { Meaning } from '../meaning.ts'
import { type SeenIntent, IntentStatus, PaymentStatus, SessionStatus, meaningOf } from './statuses.ts'
import { REASONS } from './tables.ts'

/**
 * https://docs.stripe.com/api/checkout/sessions/object. What decides is strict. The rest can be of
 * any form: a session is paid all the same.
 */
export const Session = v.object({
  id: v.pipe(v.string(), v.startsWith('cs_')),
  status: v.string(),
  payment_status: v.string(),
  currency: v.string(),
  amount_total: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  expires_at: v.fallback(v.nullish(v.pipe(v.number(), v.safeInteger())), null),
  url: v.fallback(v.nullish(v.string()), null),
  payment_intent: v.optional(v.unknown()),
})
export type Session = v.InferOutput<typeof Session>

/**
 * It is expanded in an answer to a pull, and an id in others. A session that nobody has begun to
 * pay has none.
 */
const Intent = v.object({
  id: v.fallback(v.nullable(v.string()), null),
  status: v.string(),
  latest_charge: v.optional(v.unknown()),
})

/**
 * What a session means; `unavailable` with the word where Stripe says one that decides and is not
 * known.
 */
export function meaningIn(session: Session): Meaning | Unavailable {
  const { status, payment_status, payment_intent } = session
  if (!v.is(SessionStatus, status)) return unknownWord('session', status)
  if (!v.is(PaymentStatus, payment_status)) return unknownWord('payment', payment_status)
  return (
    meaningOf(status, payment_status, seenIntent(payment_intent)) ??
    unknownWord('payment intent', wordOf(payment_intent))
  )
}

function seenIntent(value: unknown): SeenIntent {
  if (value === null || value === undefined || typeof value === 'string') return 'none'
  const intent = v.safeParse(Intent, value)
  return intent.success && v.is(IntentStatus, intent.output.status) ? intent.output.status : 'unknown'
}

function wordOf(intent: unknown): string {
  return v.is(Intent, intent) ? intent.status : 'none that can be read'
}

function unknownWord(of: string, word: string): Unavailable {
  return unavailable(`Stripe answered with a status of the ${of} that is not known: ${word.slice(0, 100)}.`)
}

/** Stripe's id of the payment intent, expanded or not; null where the session has none. */
export function intentIdOf({ payment_intent }: Session): string | null {
  if (typeof payment_intent === 'string') return payment_intent
  const intent = v.safeParse(Intent, payment_intent)
  return intent.success ? intent.output.id : null
}

const Charge = v.object({
  currency: v.fallback(v.string(), ''),
  amount_refunded: v.optional(v.unknown()),
  disputed: v.optional(v.unknown()),
  payment_method_details: v.fallback(v.nullish(v.object({ type: v.string() })), null),
})
type Charge = v.InferOutput<typeof Charge>

/**
 * The charge that took the money, https://docs.stripe.com/api/charges/object; null where the answer
 * does not bring it.
 */
export function chargeIn({ payment_intent }: Session): Charge | null {
  const intent = v.safeParse(Intent, payment_intent)
  const charge = v.safeParse(Charge, intent.success ? intent.output.latest_charge : null)
  return charge.success ? charge.output : null
}

/** https://docs.stripe.com/api/errors */
const Problem = v.object({
  error: v.object({
    message: v.optional(v.string()),
    code: v.optional(v.string()),
    param: v.nullish(v.string()),
  }),
})

export function toRefused(body: unknown, what: 'payment' | 'refund' = 'payment'): RefusedOrder | Unavailable {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `Stripe refused the ${what}.`)
  const { message, code, param } = problem.output.error
  // Some of Stripe's limits answer 400: its official clients take that as a 429.
  if (code === 'rate_limit') return unavailable('Stripe is asked too often.')
  const words = message ?? code
  return refusedOrder(
    reasonIn(REASONS, code, param && fieldOf(param)),
    `Stripe refused the ${what}${words ? `: ${words}` : '.'}${param ? ` (${param})` : ''}`,
  )
}

/**
 * `unit_amount` of `line_items[0][price_data][unit_amount]`: the last name, without the index
 * behind it.
 */
function fieldOf(param: string): string | undefined {
  return param.match(/[a-z_]+/gi)?.at(-1)
}
