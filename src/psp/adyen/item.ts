import * as v from 'valibot'
import { toBase64 } from '../../platform/crypto/bytes.ts'
import { equalInConstantTime } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/hmac.ts'

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
  reason: v.fallback(v.nullish(v.string()), null),
  additionalData: v.object({
    hmacSignature: v.string(),
    // Not signed. It counts only where it is the id of the payment that the hub announced.
    paymentLinkId: v.fallback(v.nullish(v.string(), null), null),
  }),
})
export type Item = v.InferOutput<typeof Item>

/** An item that is signed with one of the keys; null for any other. */
export async function authenticItem(given: unknown, keys: readonly string[]): Promise<Item | null> {
  const item = v.safeParse(v.object({ NotificationRequestItem: Item }), given)
  if (!item.success) return null
  const { NotificationRequestItem } = item.output
  return (await isAuthentic(NotificationRequestItem, keys)) ? NotificationRequestItem : null
}

async function isAuthentic(item: Item, keys: readonly string[]): Promise<boolean> {
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
function signedText(item: Item): string {
  return [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':')
}

function hexToBase64(hex: string): string {
  return toBase64(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
}
