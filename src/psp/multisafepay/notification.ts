import * as v from 'valibot'
import { fromBase64, toBase64, toHex, utf8, equalInConstantTime } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'
import type { Notification, NotificationReading, NotifiedPayment } from '../port.ts'
import type { Credentials } from './tables.ts'

/**
 * A notification is the order as it stands, signed in a header:
 * https://docs.multisafepay.com/docs/webhook
 */
export async function readNotification(
  notification: Notification,
  { apiKey }: Credentials,
): Promise<NotificationReading> {
  return (await isAuthentic(notification, apiKey))
    ? { is: 'about', payments: paymentsIn(notification) }
    : { is: 'unauthentic' }
}

/** How old a notification may be, in seconds, and how far its clock may be ahead. */
const TOLERANCE = 600

/**
 * `Auth` is the base64 of a timestamp in seconds, a colon, and the hex HMAC-SHA512 of timestamp,
 * colon and body, keyed by the API key: https://docs.multisafepay.com/docs/webhook. The whole
 * header is computed and compared, so another spelling of the same base64 does not pass.
 */
async function isAuthentic({ headers, body, at }: Notification, apiKey: string): Promise<boolean> {
  const auth = headers.get('auth') ?? ''
  const timestamp = timestampIn(auth)
  if (timestamp === null || Math.abs(Math.floor(at / 1000) - Number(timestamp)) > TOLERANCE) return false
  const signature = toHex(await hmac('SHA-512', apiKey, `${timestamp}:${body}`))
  return equalInConstantTime(auth, toBase64(utf8(`${timestamp}:${signature}`)))
}

function timestampIn(auth: string): string | null {
  try {
    return /^(\d{1,12}):/.exec(new TextDecoder().decode(fromBase64(auth)))?.[1] ?? null
  } catch {
    return null
  }
}

/**
 * The order in the body. A refund is an order of its own
 * (https://docs.multisafepay.com/reference/refundorder): one that is told at the address of a job
 * is a reason to ask about that job. None where the body is not an order.
 */
function paymentsIn({ job, body }: Notification): NotifiedPayment[] {
  const order = v.safeParse(Notified, body)
  if (!order.success) return []
  const id = job ?? order.output.order_id
  return [{ job: id, reference: id, claimedStatus: null }]
}

const Notified = v.pipe(v.string(), v.parseJson(), v.object({ order_id: v.string() }))
