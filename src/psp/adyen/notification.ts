import type { MoneyMove, Told } from '../answer.ts'
import * as v from 'valibot'
import { isJobId } from '../../contract/job-id.ts'
import type { Notification, NotificationReading, NotifiedPayment } from '../port.ts'
import { shorten } from '../shorten.ts'
import { fromPspUnits } from '../units.ts'
import { type Credentials, keysIn } from './credentials.ts'
import { toldBy } from './events.ts'
import { type Item, authenticItem } from './item.ts'
import { jobAndRefundIn } from './refunds.ts'
import { UNITS } from './tables.ts'

const Body = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ notificationItems: v.pipe(v.array(v.unknown()), v.minLength(1)) }),
)

/** How many items of a batch are looked at. Adyen sends a handful; payments of others are found by the schedule. */
const MOST_ITEMS = 100

/**
 * Reads a standard webhook, of which an account has one for all its payments. Each item finds its job by its reference.
 * Unless every item that is looked at is signed with one of
 * the keys, none is believed:
 * https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
 */
export async function readNotification(
  { body }: Notification,
  { hmacKey, merchantAccount }: Credentials,
): Promise<NotificationReading> {
  const keys = keysIn(hmacKey) ?? []
  const parsed = v.safeParse(Body, body)
  if (!parsed.success) return { is: 'unauthentic' }
  const given = parsed.output.notificationItems.slice(0, MOST_ITEMS)
  const read = await Promise.all(given.map((item) => authenticItem(item, keys)))
  const place = read.indexOf(null)
  if (place >= 0) return { is: 'unauthentic', ...(given.length > 1 ? { item: place + 1 } : {}) }
  const ours = read
    .flatMap((item) => item ?? [])
    .filter((item) => item.merchantAccountCode === merchantAccount)
  const byJob = Map.groupBy(ours, (item) => jobAndRefundIn(item.merchantReference).job)
  return {
    is: 'about',
    payments: [...byJob].flatMap(([job, about]) => (isJobId(job) ? [toNotified(job, about)] : [])),
  }
}

/**
 * A pull of the link tells how the payment stands; no item ends it, for the shopper may try again while the link is active: a
 * failed AUTHORISATION and OFFER_CLOSED are the end of one attempt. What goes back, and the reference that refunds need,
 * only items tell.
 */
function toNotified(job: string, items: readonly Item[]): NotifiedPayment {
  const links = items.map(({ additionalData }) => additionalData.paymentLinkId)
  const payment = items.find(
    ({ eventCode, success, pspReference }) => toldBy(eventCode, success) === 'payment' && pspReference !== '',
  )
  const moves = items.flatMap((item) => moveIn(item) ?? [])
  const told: Told = {
    ...(payment ? { payment: payment.pspReference } : {}),
    ...(moves.length > 0 ? { moves } : {}),
  }
  return {
    job,
    reference: links.find((id) => id !== null) ?? null,
    claimedStatus: null,
    ...(Object.keys(told).length > 0 ? { told } : {}),
  }
}

/** How much of the reason for a refund that failed is kept. It is not signed. */
const REASON_LENGTH = 140

/**
 * The move of money in an item. All events of one dispute have the same `pspReference`, so its id has the event too. Null for an
 * amount that the currency cannot hold.
 */
function moveIn({
  eventCode,
  success,
  pspReference,
  merchantReference,
  amount,
  reason,
}: Item): MoneyMove | null {
  const told = toldBy(eventCode, success)
  if (told === 'nothing' || told === 'payment') return null
  const currency = amount?.currency ?? ''
  const minor = minorOf(amount?.value ?? '', currency)
  if (minor === null) return null
  const { refund } = jobAndRefundIn(merchantReference)
  const isOfRefund = told === 'refund' || told === 'refund-failed' || told === 'refund-refused'
  return {
    id: `${eventCode}:${success}:${pspReference}`,
    kind: told === 'refund-refused' ? 'refund-failed' : told,
    // What Adyen refused to refund was never counted, so nothing is taken back.
    amount: told === 'refund-refused' ? 0 : minor,
    currency,
    ...(isOfRefund ? { reference: pspReference } : {}),
    ...(isOfRefund && refund !== null ? { refund } : {}),
    ...(isOfRefund && reason ? { error: `Adyen says: ${shorten(reason, REASON_LENGTH)}` } : {}),
  }
}

function minorOf(value: string, currency: string): number | null {
  return /^\d{1,15}$/.test(value) && /^[A-Z]{3}$/.test(currency)
    ? fromPspUnits(Number(value), currency, UNITS)
    : null
}
