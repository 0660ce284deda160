import type { SentNotification } from './fake-psp.ts'

export type AdyenLink = {
  id: string
  merchantAccount: string
  status: 'active' | 'paymentPending' | 'completed' | 'expired'
  request: Record<string, unknown>
  expiresAt: string
  /**
   * The event that Adyen reports: a successful or failed authorisation, or a session that closed without one.
   */
  event: 'authorized' | 'failed' | 'closed' | null
  /** When it was authorised (ms). */
  authorisedAt?: number
  /** Adyen's references for other parts of the payment, such as a gift card. */
  parts?: string[]
}

export type AdyenWebhookItem = {
  additionalData: Record<string, string>
  amount: { currency: string; value: number }
  eventCode: string
  eventDate: string
  merchantAccountCode: string
  merchantReference: string
  originalReference?: string
  paymentMethod?: string
  pspReference: string
  reason?: string
  success: string
}

/**
 * The item's signature:
 * https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
 */
async function signAdyen(item: AdyenWebhookItem, hexKey: string): Promise<string> {
  const bytes = new Uint8Array(hexKey.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hexKey.slice(2 * i, 2 * i + 2), 16)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference } = item
  const { amount, eventCode, success } = item
  const payload =
    `${pspReference}:${originalReference}:${merchantAccountCode}:${merchantReference}:` +
    `${amount.value}:${amount.currency}:${eventCode}:${success}`
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(payload))
  return btoa(Array.from(new Uint8Array(signature), (byte) => String.fromCharCode(byte)).join(''))
}

/** The body of a standard webhook. The same key signs all its items. */
export async function adyenWebhook(
  items: readonly AdyenWebhookItem[],
  hexKey: string,
  live = true,
): Promise<string> {
  const signed = await Promise.all(
    items.map(async (item) => ({
      NotificationRequestItem: {
        ...item,
        additionalData: { ...item.additionalData, hmacSignature: await signAdyen(item, hexKey) },
      },
    })),
  )
  return JSON.stringify({ live: String(live), notificationItems: signed })
}

/** Adyen's reference for the payment of a link. */
export function pspReferenceOf({ id }: AdyenLink): string {
  return `QF${id.slice(-14)}`
}

/** The webhook item about an event of a link. */
export function adyenItem(
  link: AdyenLink,
  event: NonNullable<AdyenLink['event']>,
  at: number,
): AdyenWebhookItem {
  return {
    additionalData: { paymentLinkId: link.id, paymentMethodVariant: 'ideal' },
    amount: link.request['amount'] as AdyenWebhookItem['amount'],
    eventCode: event === 'closed' ? 'OFFER_CLOSED' : 'AUTHORISATION',
    eventDate: new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00'),
    merchantAccountCode: link.merchantAccount,
    merchantReference: String(link.request['reference']),
    paymentMethod: 'ideal',
    pspReference: pspReferenceOf(link),
    reason: event === 'failed' ? 'REFUSED' : '',
    success: event === 'failed' ? 'false' : 'true',
  }
}

/** The webhook about an event of a link, for the single address of its merchant account. */
export function sendAdyen(
  link: AdyenLink,
  event: NonNullable<AdyenLink['event']>,
  hmacKey: string,
  at: number,
): Promise<SentNotification> {
  return sendItem(adyenItem(link, event, at), hmacKey)
}

/** A webhook with one item. */
export async function sendItem(item: AdyenWebhookItem, hmacKey: string): Promise<SentNotification> {
  return {
    url: null,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: await adyenWebhook([item], hmacKey),
  }
}
