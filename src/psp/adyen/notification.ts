import * as v from 'valibot'
import { toBase64 } from '../../crypto/bytes.ts'
import { equalInConstantTime } from '../../crypto/hash.ts'
import { hmac } from '../../crypto/hmac.ts'
import { isJobId } from '../../domain/job-id.ts'
import type { Notification, NotificationReading, NotifiedPayment } from '../port.ts'
import { type Credentials, keysIn } from './credentials.ts'

/** A member that is signed. It may be a number or missing, but what is signed is a text: an empty one where it is missing. */
const Signed = v.pipe(v.nullish(v.union([v.string(), v.number(), v.boolean()]), ''), v.transform(String))

const Item = v.object({
  pspReference: Signed,
  originalReference: Signed,
  merchantAccountCode: Signed,
  merchantReference: Signed,
  amount: v.nullish(v.object({ value: Signed, currency: Signed }), {}),
  eventCode: Signed,
  success: Signed,
  additionalData: v.object({
    hmacSignature: v.string(),
    // Not signed. It counts only where it is the id of the payment that the hub announced.
    paymentLinkId: v.fallback(v.nullish(v.string(), null), null),
  }),
})
type Item = v.InferOutput<typeof Item>

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
export const readNotification = async (
  { body }: Notification,
  { hmacKey, merchantAccount }: Credentials,
): Promise<NotificationReading> => {
  const keys = keysIn(hmacKey) ?? []
  const parsed = v.safeParse(Body, body)
  if (!parsed.success) return { is: 'unauthentic' }
  const given = parsed.output.notificationItems.slice(0, MOST_ITEMS)
  const read = await Promise.all(given.map((item) => authenticItem(item, keys)))
  const place = read.indexOf(null)
  if (place >= 0) return { is: 'unauthentic', ...(given.length > 1 ? { item: place + 1 } : {}) }
  const ours = read
    .flatMap((item) => item ?? [])
    .filter((item) => item.merchantAccountCode === merchantAccount && isJobId(item.merchantReference))
  const byJob = Map.groupBy(ours, (item) => item.merchantReference)
  return { is: 'about', payments: [...byJob].map(([job, about]) => toNotified(job, about)) }
}

/**
 * A pull of the link tells how the payment stands, with one exception: it does not tell that the customer left and the
 * session was closed. A failed AUTHORISATION is one attempt, after which the customer may try again, and CAPTURE_FAILED
 * does not take back a SUCCESS.
 * https://docs.adyen.com/api-explorer/Webhooks/1/post/OFFER_CLOSED
 */
const toNotified = (job: string, items: readonly Item[]): NotifiedPayment => {
  const has = (eventCode: string) =>
    items.some((item) => item.eventCode === eventCode && item.success === 'true')
  const links = items.map(({ additionalData }) => additionalData.paymentLinkId)
  return {
    job,
    reference: links.find((id) => id !== null) ?? null,
    claimedStatus: has('OFFER_CLOSED') && !has('AUTHORISATION') ? 'EXPIRED' : null,
  }
}

/** An item that is signed with one of the keys; null for any other. */
const authenticItem = async (given: unknown, keys: readonly string[]): Promise<Item | null> => {
  const item = v.safeParse(v.object({ NotificationRequestItem: Item }), given)
  if (!item.success) return null
  const { NotificationRequestItem } = item.output
  return (await isAuthentic(NotificationRequestItem, keys)) ? NotificationRequestItem : null
}

const isAuthentic = async (item: Item, keys: readonly string[]): Promise<boolean> => {
  const text = signedText(item)
  const matches = await Promise.all(
    keys.map(async (key) =>
      equalInConstantTime(
        toBase64(await hmac('SHA-256', hexToBase64(key), text, 'base64')),
        item.additionalData.hmacSignature,
      ),
    ),
  )
  return matches.includes(true)
}

/** Colons in the values are not escaped: the official library does not escape those of an item. */
const signedText = (item: Item): string =>
  [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':')

const hexToBase64 = (hex: string): string =>
  toBase64(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
