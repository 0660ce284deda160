import * as v from 'valibot'
import { toHex } from '../../crypto/bytes.ts'
import { equalInConstantTime } from '../../crypto/hash.ts'
import { hmac } from '../../crypto/hmac.ts'
import type { ClaimedStatus, Notification, NotificationReading } from '../port.ts'
import type { Credentials } from './credentials.ts'

const SESSION_EVENTS: ReadonlyMap<string, ClaimedStatus | null> = new Map<string, ClaimedStatus | null>([
  ['checkout.session.completed', null],
  ['checkout.session.async_payment_succeeded', null],
  // The session does not say it, only its payment intent does: it counts where a pull does not bring that.
  ['checkout.session.async_payment_failed', 'FAILURE'],
  ['checkout.session.expired', null],
])

const SessionEvent = v.object({
  type: v.string(),
  data: v.object({
    object: v.object({
      id: v.string(),
      client_reference_id: v.nullish(v.string()),
      metadata: v.nullish(v.object({ payment_job: v.optional(v.string()) })),
    }),
  }),
})

/** A signed event of the account's webhook endpoint: https://docs.stripe.com/webhooks */
export const readNotification = async (
  { headers, body, at }: Notification,
  { webhookSecret }: Credentials,
): Promise<NotificationReading> => {
  const secrets = webhookSecret.split(/[\s,]+/).filter(Boolean)
  if (!(await isSigned(headers.get('stripe-signature') ?? '', body, at, secrets)))
    return { is: 'unauthentic' }
  const event = v.safeParse(v.pipe(v.string(), v.parseJson(), SessionEvent), body)
  const claimedStatus = event.success ? SESSION_EVENTS.get(event.output.type) : undefined
  if (!event.success || claimedStatus === undefined) return { is: 'about', payments: [] }
  const { id, client_reference_id, metadata } = event.output.data.object
  const job = client_reference_id || metadata?.payment_job
  return { is: 'about', payments: job ? [{ job, reference: id, claimedStatus }] : [] }
}

/** How many seconds a signature may be old, as in Stripe's own clients, or ahead, which they do not limit. */
const TOLERANCE = 300

/**
 * Whether a `Stripe-Signature` is of a body that came in at `at` (ms), by one of the secrets:
 * https://docs.stripe.com/webhooks#verify-manually. It reads `t=…,v1=…`, with a `v1` for each secret while one is
 * rolled; other schemes do not count.
 */
const isSigned = async (
  header: string,
  body: string,
  at: number,
  secrets: readonly string[],
): Promise<boolean> => {
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
