import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { type AskAnswer, type Unavailable, reasonIn, refusedOrder, wordIn } from '../answer.ts'
import { type Call, DEADLINE, unavailable } from '../http-client.ts'
import { type PspReading, type Shown, type ShownInstruction, seenIn } from '../reading.ts'
import { urlPart } from '../values.ts'
import { PATIENCE, REASONS, REFUND_STATUSES, TAKES_MONEY, meaningOf, minorUnits } from './tables.ts'

/** Stripe Checkout: https://docs.stripe.com/api/checkout/sessions */
export const SESSIONS = '/v1/checkout/sessions'

export function sessionPath(reference: string): string {
  return `${SESSIONS}/${urlPart(reference)}`
}

/**
 * https://docs.stripe.com/api/checkout/sessions/object. Strict only about the members that decide,
 * so that an oddity elsewhere hides no payment.
 */
const Session = v.object({
  id: v.pipe(v.string(), v.startsWith('cs_')),
  status: v.string(),
  payment_status: v.string(),
  currency: v.string(),
  amount_total: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  expires_at: v.fallback(v.nullish(v.pipe(v.number(), v.safeInteger())), null),
  url: v.fallback(v.nullish(v.pipe(v.string(), v.url())), null),
  payment_intent: v.optional(v.unknown()),
})
type Session = v.InferOutput<typeof Session>

/**
 * A payment intent. `askSession` gets it expanded, other calls only its id. A session that nobody
 * has begun to pay has none.
 */
const Intent = v.object({
  id: v.fallback(v.nullable(v.string()), null),
  status: v.string(),
  latest_charge: v.optional(v.unknown()),
})

function intentWord(intent: unknown): string {
  if (intent === null || intent === undefined || typeof intent === 'string') return 'none'
  return v.is(Intent, intent) ? intent.status : 'not to be read'
}

/** Returns Stripe's id of the payment intent, expanded or not; null without one. */
function intentIdOf({ payment_intent }: Session): string | null {
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
 * Returns the charge that took the money, https://docs.stripe.com/api/charges/object; null if the
 * answer lacks it.
 */
function chargeIn({ payment_intent }: Session): Charge | null {
  const intent = v.safeParse(Intent, payment_intent)
  const charge = v.safeParse(Charge, intent.success ? intent.output.latest_charge : null)
  return charge.success ? charge.output : null
}

/**
 * Asks how a session stands, with its payment intent and the charge that took the money. If a
 * restricted key may not read charges (403), asks again without them, so without what went back.
 * Asks for disputes only if there was one.
 */
export function askSession(call: Call, reference: string, currency: string): Promise<AskAnswer> {
  return withDeadline(DEADLINE, async (deadline) => {
    const ask = (expanded: string) =>
      call('GET', `${sessionPath(reference)}?expand[]=${expanded}`, { deadline })
    const whole = await ask('payment_intent.latest_charge')
    const isForbidden = whole.is === 'answered' && whole.status === 403
    const answer = isForbidden ? await ask('payment_intent') : whole
    const seen = seenIn(AT_STRIPE, answer, currency)
    const intent = answer.is === 'answered' ? disputedIn(answer.body) : null
    if (seen.is !== 'observed' || seen.status !== 'SUCCESS' || intent === null) return seen
    const taken = await chargedBack(call, intent, currency, deadline)
    return 'is' in taken ? taken : { ...seen, ...taken }
  })
}

/** Returns the payment intent of a session with a disputed charge; null for any other. */
function disputedIn(body: unknown): string | null {
  const session = v.safeParse(Session, body)
  return session.success && chargeIn(session.output)?.disputed === true ? intentIdOf(session.output) : null
}

/** https://docs.stripe.com/api/refunds/object */
export const Refund = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  status: v.nullish(v.string()),
  failure_reason: v.fallback(v.nullish(v.string()), null),
})

export const AT_STRIPE: PspReading = {
  psp: 'Stripe',
  patience: PATIENCE,
  read,
  instructions: { refund: { states: REFUND_STATUSES, read: readRefund } },
  refuse: refusal,
}

function read(body: unknown, currency: string): Shown | Unavailable | null {
  const session = v.safeParse(Session, body)
  if (!session.success) return null
  const { id, status, payment_status, payment_intent, url, expires_at } = session.output
  const meaning = meaningOf(status, payment_status, intentWord(payment_intent))
  if (meaning.is === 'unavailable') return meaning
  const whole = minorUnits(session.output.amount_total, session.output.currency, currency)
  const charge = chargeIn(session.output)
  const isPaid = meaning.is === 'paid'
  return {
    reference: id,
    checkoutUrl: url,
    expiresAt: expires_at ? expires_at * 1000 : null,
    meaning,
    method: charge?.payment_method_details?.type ?? null,
    amount: whole,
    paid: isPaid ? whole : 0,
    ...(isPaid && charge
      ? {
          refunded: minorUnits(charge.amount_refunded, charge.currency, currency),
          chargedBack: charge.disputed === false ? 0 : undefined,
        }
      : {}),
  }
}

function readRefund(body: unknown): ShownInstruction | null {
  const shown = v.safeParse(Refund, body)
  if (!shown.success) return null
  const { id, status, failure_reason } = shown.output
  // Stripe has taken a refund that shows no status.
  return { id, status: status ?? 'pending', why: failure_reason ? ` (${failure_reason})` : '' }
}

/** Asks for the id of the payment intent; null if nobody has begun to pay. */
export async function intentOf(
  call: Call,
  reference: string,
  deadline?: AbortSignal,
): Promise<Result<string | null, Unavailable>> {
  const answer = await call('GET', sessionPath(reference), deadline ? { deadline } : {})
  if (answer.is === 'unavailable') return refuse(answer)
  const session = v.safeParse(Session, answer.body)
  return session.success
    ? ok(intentIdOf(session.output))
    : refuse(unavailable(`Stripe answered ${answer.status} without the payment.`))
}

/** https://docs.stripe.com/api/disputes/object */
const Dispute = v.object({
  amount: v.number(),
  currency: v.string(),
  status: v.string(),
  balance_transactions: v.optional(v.unknown()),
})

const Disputes = v.object({ data: v.array(v.unknown()), has_more: v.boolean() })

/**
 * Sums what disputes have taken back of a payment, in minor units:
 * https://docs.stripe.com/api/disputes/list. Counts those that the hub can read, and says what it
 * cannot. `unavailable` if Stripe does not answer now: the hub then asks again.
 */
async function chargedBack(
  call: Call,
  intent: string,
  currency: string,
  deadline: AbortSignal,
): Promise<{ chargedBack?: number; unread?: string } | Unavailable> {
  const path = `/v1/disputes?payment_intent=${urlPart(intent)}&limit=100`
  const answer = await call('GET', path, { deadline })
  if (answer.is === 'unavailable') return answer
  const disputes = v.safeParse(Disputes, answer.body)
  if (answer.status !== 200 || !disputes.success)
    return { unread: `Stripe answered ${answer.status} without the disputes.` }
  const taken = disputes.output.data.map((dispute) => takenBy(dispute, currency))
  const counted = taken.filter((amount) => amount !== null)
  const uncounted = taken.length - counted.length + (disputes.output.has_more ? 1 : 0)
  return {
    ...(uncounted > 0 && counted.length === 0
      ? {}
      : { chargedBack: counted.reduce((sum, amount) => sum + amount, 0) }),
    ...(uncounted > 0
      ? { unread: `Stripe has ${uncounted} or more disputes that the hub cannot count.` }
      : {}),
  }
}

/**
 * Returns what a dispute has taken; null for a status, or a currency, that the hub cannot count. Stripe
 * withdraws the funds some time after a dispute begins: until then it has no balance transaction.
 */
function takenBy(shown: unknown, currency: string): number | null {
  const dispute = v.safeParse(Dispute, shown)
  if (!dispute.success) return null
  const { amount, currency: of, status, balance_transactions } = dispute.output
  const takes = wordIn(TAKES_MONEY, status)
  const taken = minorUnits(amount, of, currency)
  if (takes === undefined || taken === null) return null
  const isStillHere = Array.isArray(balance_transactions) && balance_transactions.length === 0
  return takes && !isStillHere ? taken : 0
}

/** https://docs.stripe.com/api/errors */
const Problem = v.object({
  error: v.object({
    message: v.optional(v.string()),
    code: v.optional(v.string()),
    type: v.fallback(v.optional(v.string()), undefined),
    param: v.nullish(v.string()),
  }),
})

function refusal(body: unknown, what: string) {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `Stripe refused the ${what}.`)
  const { message, code, param, type } = problem.output.error
  // Some of Stripe's limits answer 400: Stripe's own clients take that as a 429.
  if (code === 'rate_limit') return unavailable('Stripe is asked too often.')
  // Another request has used the key: https://docs.stripe.com/api/idempotent_requests
  if (type === 'idempotency_error' && what === 'refund')
    return unavailable('Stripe has another refund under the same key.')
  const words = message ?? code
  return refusedOrder(
    reasonIn(REASONS, code, param && fieldOf(param)),
    `Stripe refused the ${what}${words ? `: ${words}` : '.'}${param ? ` (${param})` : ''}`,
  )
}

/** Returns the last name: `unit_amount` of `line_items[0][price_data][unit_amount]`. */
function fieldOf(param: string): string | undefined {
  return param.match(/[a-z_]+/gi)?.at(-1)
}
