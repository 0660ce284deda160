import * as v from 'valibot'
import { toHex, equalInConstantTime } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { ClaimedStatus, Notification, NotificationReading } from '../port.ts'
import { urlPart } from '../values.ts'
import { SESSIONS, sessionPath } from './session.ts'
import type { Credentials } from './tables.ts'

/**
 * The events of a session, with the end that an event tells and the API may not show. A session in
 * an event may also be paid before the API shows that.
 */
export const SESSION_EVENTS: ReadonlyMap<string, ClaimedStatus | null> = new Map<
  string,
  ClaimedStatus | null
>([
  ['checkout.session.completed', null],
  ['checkout.session.async_payment_succeeded', null],
  // Only the payment intent tells this, not the session. It counts if the answer lacks the intent.
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

/** A charge has the metadata that the hub gave its payment intent, too. A dispute has none. */
const MovedMoney = v.object({ metadata: Metadata, payment_intent: v.nullish(v.string()) })

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
  // Stripe also cancels the intent of a session that expired, of which the session's event tells.
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
  return payment_intent ? findSession(payment_intent, call) : NOTHING
}

/**
 * Finds the session of a payment intent. Payments that the hub did not make have no session with a
 * job. While Stripe does not answer, the event counts as unread, so that Stripe sends it again.
 */
async function findSession(intent: string, call: Call): Promise<NotificationReading> {
  const answer = await call('GET', sessionsOf(intent))
  if (answer.is === 'unavailable') return answer
  if (answer.status === 400 || answer.status === 404) return NOTHING
  const sessions = v.safeParse(Sessions, answer.body)
  return answer.status === 200 && sessions.success
    ? aboutSession(sessions.output.data[0], null)
    : unavailable(`Stripe answered ${answer.status} without the payment of an event.`)
}

/** Returns the job of a session, or of a payment intent, which Stripe's dashboard shows. */
export async function jobOf(call: Call, reference: string): Promise<string | null> {
  const isIntent = reference.startsWith('pi_')
  const answer = await call('GET', isIntent ? sessionsOf(reference) : sessionPath(reference))
  const body = answer.is === 'answered' ? answer.body : null
  const found = isIntent && v.is(Sessions, body) ? body.data[0] : body
  const session = v.safeParse(SessionOfJob, found)
  return session.success ? jobIn(session.output) : null
}

/** How old (s) a signature may be, as in Stripe's own clients, and how far ahead of time. */
const TOLERANCE = 300

/**
 * Returns whether one of the secrets signed a body that came in at `at` (ms):
 * https://docs.stripe.com/webhooks#verify-manually. `Stripe-Signature` reads `t=…,v1=…`, with a
 * `v1` for each secret while one is rolled; other schemes do not count.
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
