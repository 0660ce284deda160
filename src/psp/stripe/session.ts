import * as v from 'valibot'
import { formatAmount } from '../../contract/money.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { Integer, SignedInteger } from '../../contract/values.ts'
import { type RefusedOrder, type Unavailable, reasonIn, refusedOrder } from '../answer.ts'
import { type Call, type CallResult, unavailable } from '../http-client.ts'
import type { PaymentRequest } from '../port.ts'
import {
  BY_STATUS,
  type ListPage,
  type PspReading,
  type ShownInstruction,
  type ShownPayment,
  type ShownTransfer,
} from '../reading.ts'
import { fromPspUnits, urlPart } from '../values.ts'
import { Intent, chargeOf, intentPath, isIntent, moneyIn, reservedIn } from './intent.ts'
import {
  CAPTURE_STATUSES,
  PATIENCE,
  REASONS,
  REFUND_STATUSES,
  RELEASE_STATUSES,
  UNITS,
  meaningOf,
  minorUnits,
} from './tables.ts'

/** Stripe Checkout: https://docs.stripe.com/api/checkout/sessions */
export const SESSIONS = '/v1/checkout/sessions'

/**
 * Asks under the idempotency key, and under the next ones while Stripe repeats a fault. For a day Stripe
 * repeats even a 500 under the key that met it: https://docs.stripe.com/api/idempotent_requests
 */
export async function callWithKeys<Given extends object>(
  key: string,
  deadline: AbortSignal,
  ask: (idempotencyKey: string) => Promise<Given>,
): Promise<Given | Unavailable> {
  for (const idempotencyKey of [key, ...[2, 3, 4].map((next) => `${key}-${next}`)]) {
    const given = await ask(idempotencyKey)
    if (!('replayed' in given)) return given
    if (deadline.aborted) break
  }
  return unavailable('Stripe repeats an earlier fault.')
}

export function sessionPath(reference: string): string {
  return `${SESSIONS}/${urlPart(reference)}`
}

/**
 * https://docs.stripe.com/api/checkout/sessions/object. Strict only about the members that decide, so
 * that an oddity elsewhere does not hide a payment.
 */
const Session = v.object({
  id: v.pipe(v.string(), v.startsWith('cs_')),
  status: v.string(),
  payment_status: v.string(),
  currency: v.string(),
  amount_total: Integer,
  expires_at: v.fallback(v.nullish(SignedInteger), null),
  url: v.fallback(v.nullish(v.pipe(v.string(), v.url())), null),
  payment_intent: v.optional(v.unknown()),
})
type Session = v.InferOutput<typeof Session>

/**
 * Returns the payment intent of a session; null if the customer has not begun to pay, undefined if it
 * cannot be read. One that Stripe has not expanded has the status `none`.
 */
function intentOfSession({ payment_intent }: Session): Intent | null | undefined {
  if (payment_intent === null || payment_intent === undefined) return null
  const isId = typeof payment_intent === 'string'
  const intent = v.safeParse(Intent, isId ? { id: payment_intent, status: 'none' } : payment_intent)
  return intent.success ? intent.output : undefined
}

/**
 * Gets a session with its payment intent, or an intent, with the charge and its refunds. If a restricted key
 * may not read charges (403), asks again without the charge, which would show what went back.
 */
export async function wholePayment(
  call: Call,
  reference: string,
  deadline: AbortSignal,
): Promise<CallResult> {
  const ask = (path: string) => call('GET', path, { deadline })
  const path = isIntent(reference) ? intentPath(reference) : sessionPath(reference)
  const within = isIntent(reference) ? '' : 'payment_intent'
  const whole = await ask(`${path}?expand[]=${within && `${within}.`}latest_charge.refunds`)
  const isForbidden = whole.is === 'answered' && whole.status === 403
  return isForbidden ? ask(within ? `${path}?expand[]=${within}` : path) : whole
}

/**
 * Returns the payment intent in an answer about a payment; null if the customer has not begun to pay, undefined
 * if it cannot be read.
 */
export function intentIn(answer: CallResult, reference: string): Intent | null | undefined {
  const body = answer.is === 'answered' ? answer.body : null
  if (!isIntent(reference)) {
    const session = v.safeParse(Session, body)
    return session.success ? intentOfSession(session.output) : undefined
  }
  const intent = v.safeParse(Intent, body)
  return intent.success ? intent.output : undefined
}

/** https://docs.stripe.com/api/refunds/object */
const Refund = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  status: v.nullish(v.string()),
  failure_reason: v.fallback(v.nullish(v.string()), null),
  amount: v.optional(v.unknown()),
  currency: v.fallback(v.string(), ''),
  metadata: v.fallback(v.object({ refund: v.optional(v.string()) }), {}),
})

export const AT_STRIPE: PspReading = {
  ...BY_STATUS,
  psp: 'Stripe',
  patience: PATIENCE,
  read: readSession,
  instructions: {
    capture: { states: CAPTURE_STATUSES, read: readIntent },
    release: { states: RELEASE_STATUSES, read: readIntent },
    refund: { states: REFUND_STATUSES, read: readRefund },
  },
  refuse: refusal,
}

function readSession(body: unknown, currency: string): ShownPayment | Unavailable | null {
  const session = v.safeParse(Session, body)
  if (!session.success) return null
  const { id, status, payment_status, url, expires_at } = session.output
  const intent = intentOfSession(session.output)
  const word = intent === null ? 'none' : (intent?.status ?? 'not to be read')
  const meaning = meaningOf(status, payment_status, word)
  if (meaning.is === 'unavailable') return meaning
  const whole = minorUnits(session.output.amount_total, session.output.currency, currency)
  const charge = chargeOf(intent)
  const reserved =
    intent && meaning.is !== 'open' ? reservedIn(intent, status === 'complete', currency) : undefined
  const taken = meaning.is === 'paid' ? whole : 0
  return {
    reference: id,
    checkoutUrl: url,
    expiresAt: expires_at ? expires_at * 1000 : null,
    amount: whole,
    ...moneyIn(charge, reserved, { meaning, taken }, currency),
  }
}

function readIntent(body: unknown): ShownInstruction | null {
  const intent = v.safeParse(Intent, body)
  return intent.success ? shownBy(intent.output) : null
}

/** Returns how a capture or a release that Stripe accepted ended, by the status of the intent. */
export function shownBy({ id, status, amount_received }: Intent): ShownInstruction {
  // A part that was captured before the rest was released stays captured.
  const isKept = status === 'canceled' && typeof amount_received === 'number' && amount_received > 0
  return { id, status: isKept ? 'succeeded' : status }
}

/** Reads a refund. Its metadata has the hub's id. */
export function readRefund(body: unknown, currency = ''): ShownTransfer | null {
  const shown = v.safeParse(Refund, body)
  if (!shown.success) return null
  const { id, status, failure_reason, amount, currency: code, metadata } = shown.output
  return {
    id,
    own: metadata.refund,
    amount: minorUnits(amount, code, currency),
    // A refund without a status was accepted.
    status: status ?? 'pending',
    why: failure_reason ? ` (${failure_reason})` : '',
  }
}

/** Gets a payment intent by its own id or that of its session; null if the customer has not begun to pay. */
export async function intentOf(
  call: Call,
  reference: string,
  deadline: AbortSignal,
): Promise<Result<Intent | null, Unavailable>> {
  const answer = await wholePayment(call, reference, deadline)
  if (answer.is === 'unavailable') return refuse(answer)
  const intent = intentIn(answer, reference)
  return intent === undefined
    ? refuse(unavailable(`Stripe answered ${answer.status} without the payment.`))
    : ok(intent)
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

/** Returns the code of an error that Stripe answered; undefined for none. */
export function codeIn(answer: CallResult): string | undefined {
  const problem = v.safeParse(Problem, answer.is === 'answered' ? answer.body : null)
  return problem.success ? problem.output.error.code : undefined
}

function refusal(body: unknown, what: string) {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `Stripe refused the ${what}.`)
  const { message, code, param, type } = problem.output.error
  // Some of Stripe's limits answer 400, which Stripe's own clients treat as a 429.
  if (code === 'rate_limit') return unavailable('Stripe gets too many requests.')
  // Another request has used the key: https://docs.stripe.com/api/idempotent_requests
  if (type === 'idempotency_error' && what !== 'payment')
    return unavailable(`Stripe has another ${what} under the same key.`)
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

/** Refuses an amount that is not a multiple of Stripe's step for the currency. */
export function tooFine({ amount, currency }: PaymentRequest): RefusedOrder {
  const step = fromPspUnits(UNITS[currency]?.step ?? 1, currency, UNITS) ?? 1
  return refusedOrder(
    'refused_amount',
    `Stripe cannot take ${formatAmount(amount, currency)} ${currency}: it takes multiples of ${formatAmount(step, currency)}.`,
  )
}

const Page = v.object({ data: v.array(v.unknown()), has_more: v.boolean() })
const Entry = v.object({ id: v.string() })

/** Reads a page of a list: https://docs.stripe.com/api/pagination. `path`: the path of the first page. */
export function pageIn(path: string, body: unknown): ListPage | null {
  if (!v.is(Page, body)) return null
  const last = v.safeParse(Entry, body.data.at(-1))
  const next = last.success ? `${path}&starting_after=${urlPart(last.output.id)}` : undefined
  return { items: body.data, next: body.has_more ? next : null }
}
