import * as v from 'valibot'
import { toHex, equalInConstantTime } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { ClaimedStatus, Notification, NotificationReading, NotifiedPayment } from '../port.ts'
import { urlPart } from '../values.ts'
import { intentPath, isIntent } from './intent.ts'
import { SESSIONS, sessionPath } from './session.ts'
import type { Credentials } from './tables.ts'
import { TerminalMetadata, intentAtReader } from './reader.ts'

/**
 * The events of a session, with the end that an event means but the API may not show. A session in an
 * event may also be paid before the API shows that.
 */
export const SESSION_EVENTS: ReadonlyMap<string, ClaimedStatus | null> = new Map([
  ['checkout.session.completed', null],
  ['checkout.session.async_payment_succeeded', null],
  // Only the payment intent shows this, not the session. It counts if the answer lacks the intent.
  ['checkout.session.async_payment_failed', 'FAILURE'],
  ['checkout.session.expired', null],
])

/** Events of reserved money, refunds and disputes: https://docs.stripe.com/api/events/types */
export const MONEY_EVENTS: ReadonlySet<string> = new Set([
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'charge.captured',
  'charge.expired',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
])

/**
 * Events of payments at terminals, in addition to `payment_intent.canceled`. An intent names its job, a
 * reader only its intent.
 */
export const TERMINAL_EVENTS: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'terminal.reader.action_succeeded',
  'terminal.reader.action_failed',
  'terminal.reader.action_updated',
])

const Metadata = v.fallback(v.nullish(v.object({ payment_job: v.optional(v.string()) })), null)

/** The parts of a session that name its job. */
const SessionOfJob = v.object({
  id: v.string(),
  client_reference_id: v.nullish(v.string()),
  metadata: Metadata,
})

const PaidSession = v.object({ payment_status: v.literal('paid') })

function jobIn({ client_reference_id, metadata }: v.InferOutput<typeof SessionOfJob>): string | null {
  return client_reference_id || metadata?.payment_job || null
}

/**
 * Returns the path to the one session of a payment intent:
 * https://docs.stripe.com/api/checkout/sessions/list
 */
function sessionsOf(intent: string): string {
  return `${SESSIONS}?payment_intent=${urlPart(intent)}&limit=1`
}

const Sessions = v.object({ data: v.array(v.unknown()) })

/** A charge also has the metadata that the hub gave its payment intent. A dispute has none. */
const MovedMoney = v.object({ metadata: Metadata, payment_intent: v.nullish(v.string()) })

const IntentAtTerminal = v.object({ id: v.string(), status: v.string(), metadata: TerminalMetadata })

/** Returns the payment of an intent at a terminal; null for other intents. */
function paymentAtTerminal(object: unknown): NotifiedPayment | null {
  const intent = v.safeParse(IntentAtTerminal, object)
  if (!intent.success) return null
  const { id, status, metadata } = intent.output
  const claimedStatus = status === 'succeeded' ? 'SUCCESS' : null
  return { job: metadata.payment_job, reference: id, claimedStatus }
}

const ManualIntent = v.object({ capture_method: v.literal('manual') })

const Event = v.object({ type: v.string(), data: v.object({ object: v.unknown() }) })

const NOTHING: NotificationReading = { is: 'about', payments: [] }

/** Reads a signed event of the account's webhook endpoint: https://docs.stripe.com/webhooks */
export async function readNotification(
  { headers, body, at }: Notification,
  { webhookSecret }: Credentials,
  call: Call,
): Promise<NotificationReading> {
  const secrets = webhookSecret.split(/[\s,]+/).filter(Boolean)
  if (!(await isSigned(headers.get('stripe-signature') ?? '', body, at, secrets)))
    return { is: 'unauthentic' }
  const event = v.safeParse(v.pipe(v.string(), v.parseJson(), Event), body)
  if (!event.success) return NOTHING
  const { type, data } = event.output
  const claimedStatus = SESSION_EVENTS.get(type)
  if (claimedStatus !== undefined)
    return aboutSession(data.object, v.is(PaidSession, data.object) ? 'SUCCESS' : claimedStatus)
  const atTerminal = type.startsWith('payment_intent.') ? paymentAtTerminal(data.object) : null
  if (atTerminal) return { is: 'about', payments: [atTerminal] }
  if (TERMINAL_EVENTS.has(type)) {
    const intent = intentAtReader(data.object)
    return intent === null ? NOTHING : findAtTerminal(intent, call)
  }
  // Stripe also cancels the intent of a session that expired, but that has an event of its own.
  if (type === 'payment_intent.canceled' && !v.is(ManualIntent, data.object)) return NOTHING
  return MONEY_EVENTS.has(type) ? aboutMoney(data.object, call) : NOTHING
}

function aboutSession(object: unknown, claimedStatus: ClaimedStatus | null): NotificationReading {
  const session = v.safeParse(SessionOfJob, object)
  const job = session.success ? jobIn(session.output) : null
  return session.success && job !== null
    ? { is: 'about', payments: [{ job, reference: session.output.id, claimedStatus }] }
    : NOTHING
}

async function aboutMoney(object: unknown, call: Call): Promise<NotificationReading> {
  const moved = v.safeParse(MovedMoney, object)
  if (!moved.success) return NOTHING
  const { metadata, payment_intent } = moved.output
  const job = metadata?.payment_job
  if (job) return { is: 'about', payments: [{ job, reference: null, claimedStatus: null }] }
  return payment_intent ? findPayment(payment_intent, call) : NOTHING
}

/**
 * Finds the payment of an intent, in a session or at a terminal. A payment that the hub did not make has no
 * job in either. While Stripe does not answer, the event counts as unread, so that Stripe sends it again.
 */
async function findPayment(intent: string, call: Call): Promise<NotificationReading> {
  const answer = await call('GET', sessionsOf(intent))
  if (answer.is === 'unavailable') return answer
  if (answer.status === 400 || answer.status === 404) return NOTHING
  const sessions = v.safeParse(Sessions, answer.body)
  if (answer.status !== 200 || !sessions.success) return unread(answer.status)
  const [session] = sessions.output.data
  return session === undefined ? findAtTerminal(intent, call) : aboutSession(session, null)
}

async function findAtTerminal(intent: string, call: Call): Promise<NotificationReading> {
  const answer = await call('GET', intentPath(intent))
  if (answer.is === 'unavailable') return answer
  if (answer.status === 400 || answer.status === 404) return NOTHING
  if (answer.status !== 200) return unread(answer.status)
  const payment = paymentAtTerminal(answer.body)
  // Only the event is signed, not this answer, so this claims nothing.
  return payment ? { is: 'about', payments: [{ ...payment, claimedStatus: null }] } : NOTHING
}

function unread(status: number) {
  return unavailable(`Stripe answered ${status} without the payment of an event.`)
}

/** Returns the job of a session or of a payment intent; Stripe's dashboard shows the latter. */
export async function jobOf(call: Call, reference: string): Promise<string | null> {
  if (isIntent(reference)) {
    const found = await findPayment(reference, call)
    return found.is === 'about' ? (found.payments[0]?.job ?? null) : null
  }
  const answer = await call('GET', sessionPath(reference))
  const session = v.safeParse(SessionOfJob, answer.is === 'answered' ? answer.body : null)
  return session.success ? jobIn(session.output) : null
}

/** How old (s) a signature may be, and how far ahead of time: as in Stripe's own clients. */
const TOLERANCE = 300

/**
 * Returns whether one of the secrets signed a body that arrived at `at` (ms):
 * https://docs.stripe.com/webhooks#verify-manually. `Stripe-Signature` has the form `t=…,v1=…`, with a
 * `v1` for each secret while one is being rolled. Other schemes do not count.
 */
async function isSigned(
  header: string,
  body: string,
  at: number,
  secrets: readonly string[],
): Promise<boolean> {
  const members = header.split(',').map((member) => member.split('=', 2))
  const valuesOf = (name: string) => members.flatMap(([key, value]) => (key === name && value ? [value] : []))
  const [time, ...otherTimes] = valuesOf('t')
  if (time === undefined || otherTimes.length > 0 || !/^\d+$/.test(time)) return false
  if (Math.abs(Math.floor(at / 1000) - Number(time)) > TOLERANCE) return false
  const expected = await Promise.all(
    secrets.map(async (secret) => toHex(await hmac('SHA-256', secret, `${time}.${body}`))),
  )
  const matches = await Promise.all(
    valuesOf('v1').flatMap((given) => expected.map((wanted) => equalInConstantTime(given, wanted))),
  )
  return matches.includes(true)
}
