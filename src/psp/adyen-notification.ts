import * as v from 'valibot'
import { toBase64 } from '../crypto/bytes.ts'
import { equalInConstantTime } from '../crypto/hash.ts'
import { hmac } from '../crypto/hmac.ts'

/** JSON has `success` as a text and the value as a number; what is signed is their text, and nothing where they lack. */
const Signed = v.pipe(v.nullish(v.union([v.string(), v.number(), v.boolean()]), ''), v.transform(String))

const Item = v.object({
  pspReference: Signed,
  originalReference: Signed,
  merchantAccountCode: Signed,
  merchantReference: Signed,
  amount: v.nullish(v.object({ value: Signed, currency: Signed }), {}),
  eventCode: Signed,
  success: Signed,
  additionalData: v.object({ hmacSignature: v.string(), paymentLinkId: v.nullish(v.string(), null) }),
})

const Body = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    notificationItems: v.pipe(v.array(v.object({ NotificationRequestItem: Item })), v.minLength(1)),
  }),
)

/** What an item tells that Adyen has signed; and the payment link's id, which it has not. */
export type AdyenItem = {
  merchantAccountCode: string
  merchantReference: string
  eventCode: string
  success: string
  paymentLinkId: string | null
}

/** The hexadecimal keys in a text, with spaces or commas between; null where it holds anything else, or nothing. */
export const adyenKeys = (text: string): string[] | null => {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '')
  return keys.length > 0 && keys.every((key) => /^([0-9a-f]{2})+$/i.test(key)) ? keys : null
}

/**
 * The items of a standard webhook, or null when any of them is not signed with one of the keys:
 * https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
 */
export const readAdyenItems = async (body: string, keys: readonly string[]): Promise<AdyenItem[] | null> => {
  const parsed = v.safeParse(Body, body)
  if (!parsed.success) return null
  const items = parsed.output.notificationItems.map(({ NotificationRequestItem }) => NotificationRequestItem)
  const authentic = await Promise.all(items.map((item) => isAuthentic(item, keys)))
  if (authentic.includes(false)) return null
  return items.map(({ additionalData: { paymentLinkId }, ...item }) => ({ ...item, paymentLinkId }))
}

const isAuthentic = async (item: v.InferOutput<typeof Item>, keys: readonly string[]): Promise<boolean> => {
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

/** Colons within the values stand as they are: the official library escapes none of an item's. */
const signedText = (item: v.InferOutput<typeof Item>): string =>
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
