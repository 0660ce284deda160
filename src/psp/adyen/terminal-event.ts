import * as v from 'valibot'
import { isJobId } from '../../contract/ids.ts'
import { equalInConstantTime, toBase64, toHex, utf8 } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'
import type { Notification, NotificationReading } from '../port.ts'
import { isMadeByKey } from './notification.ts'
import { type Credentials, keysIn } from './tables.ts'
import { PaymentResponse } from './terminal-answer.ts'

/**
 * Makes the hub's own mark on a payment at a terminal, with the first of the webhook's keys, because Adyen
 * does not sign what terminals say.
 */
export async function macOf(hmacKey: string, payment: { job: string; reference: string }): Promise<string> {
  const { job, reference } = payment
  const [key = ''] = keysIn(hmacKey)
  return toHex(await hmac('SHA-256', key, `adyen-terminal:${job}:${reference}`))
}

/** A message of the Terminal API: a terminal's answer, or an event of its own. */
const Message = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.object({
      SaleToPOIResponse: v.object({
        MessageHeader: v.object({ ServiceID: v.string(), POIID: v.string() }),
        PaymentResponse: v.exactOptional(PaymentResponse),
      }),
    }),
    v.object({ SaleToPOIRequest: v.looseObject({}) }),
  ]),
)

/**
 * Reads an event notification of a terminal; null for any other body. Only Basic authentication and the
 * hub's own mark prove the sender, so it is only a reason to ask. Events and displays of a terminal prompt
 * no question: a payment has many of them, and its end is a separate message.
 * https://docs.adyen.com/point-of-sale/design-your-integration/notifications/event-notifications
 */
export async function readEvent(
  { headers, body }: Notification,
  credentials: Credentials,
): Promise<NotificationReading | null> {
  const message = v.safeParse(Message, body)
  if (!message.success) return null
  if (!(await isFromAdyen(headers.get('authorization'), credentials))) return { is: 'unauthentic' }
  if (!('SaleToPOIResponse' in message.output)) return { is: 'about', payments: [] }
  const { MessageHeader, PaymentResponse: response } = message.output.SaleToPOIResponse
  const job = response?.SaleData?.SaleTransactionID.TransactionID ?? ''
  if (!isJobId(job)) return { is: 'about', payments: [] }
  const reference = `${MessageHeader.POIID}/${MessageHeader.ServiceID}`
  const mark = response?.Response.AdditionalResponse.get('metadata.hub_mac')
  const macBy = (key: string) => macOf(key, { job, reference })
  const isOwn = mark === undefined || (await isMadeByKey(credentials.hmacKey, mark, macBy))
  return isOwn ? { is: 'about', payments: [{ job, reference, claimedStatus: null }] } : { is: 'unauthentic' }
}

async function isFromAdyen(given: string | null, credentials: Credentials): Promise<boolean> {
  const { eventUser, eventPassword } = credentials
  if (eventUser === undefined || eventPassword === undefined) return false
  return equalInConstantTime(given ?? '', `Basic ${toBase64(utf8(`${eventUser}:${eventPassword}`))}`)
}
