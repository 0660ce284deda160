import * as v from 'valibot'
import { equalInConstantTime, fromBase64, toBase64, toHex, utf8 } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'
import type { Notification, NotificationReading, NotifiedPayment } from '../port.ts'
import { ShownOrder, jobIn, orderedAt } from './order.ts'
import { meaningOf } from './standing.ts'
import type { Credentials } from './tables.ts'

/**
 * Reads a notification: the order, signed in a header with the key of its website or group of terminals:
 * https://docs.multisafepay.com/docs/webhook
 */
export async function readNotification(
  notification: Notification,
  { apiKey, terminalKey }: Credentials,
): Promise<NotificationReading> {
  const isOfTerminal = terminalKey !== undefined && (await isAuthentic(notification, terminalKey))
  return isOfTerminal || (await isAuthentic(notification, apiKey))
    ? { is: 'about', payments: paymentsIn(notification, isOfTerminal) }
    : { is: 'unauthentic' }
}

/** How old (s) a notification may be, and how far its clock may be ahead. */
const TOLERANCE = 600

/**
 * Checks a notification's signature. `Auth` is the base64 of a timestamp in seconds, a colon, and the
 * hex HMAC-SHA512 of timestamp, colon and body, with the API key:
 * https://docs.multisafepay.com/docs/webhook. The hub computes and compares the whole header, so
 * another spelling of the same base64 does not pass.
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
 * Returns the payment in the body; none if the body is not an order. A refund is an order of its own
 * (https://docs.multisafepay.com/reference/refundorder), so its notification at a job's address makes
 * the hub ask about that job.
 */
function paymentsIn({ job, body }: Notification, isOfTerminal: boolean): NotifiedPayment[] {
  const order = v.safeParse(Notified, body)
  if (!order.success) return []
  const { order_id } = order.output
  const id = job ?? jobIn(order_id)
  const isAtTerminal = orderedAt(order_id) !== null && jobIn(order_id) === id
  const own = isAtTerminal ? order_id : isOfTerminal ? null : id
  const whole = v.safeParse(ShownOrder, order.output)
  const isPaid = whole.success && order_id === own && meaningOf(whole.output)?.is === 'paid'
  return [{ job: id, reference: own, claimedStatus: isPaid ? 'SUCCESS' : null }]
}

const Notified = v.pipe(v.string(), v.parseJson(), v.looseObject({ order_id: v.string() }))
