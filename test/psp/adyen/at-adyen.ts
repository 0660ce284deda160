import { adyen } from '../../../src/psp/adyen/adapter.ts'
import type { PaymentRequest } from '../../../src/psp/port.ts'
import { SHOP, showLink } from '../../support/psps/adyen.ts'
import { adyenError as errorAnswer } from '../../support/psps/adyen-requests.ts'
import {
  type AdyenLink,
  type AdyenWebhookItem,
  adyenItem,
  adyenWebhook,
} from '../../support/psps/adyen-webhook.ts'
import { type Answer, type Answers, announcedBody, json, openScripted, paymentRequest } from '../scripted.ts'

const { apiKey, merchantAccount, hmacKey } = SHOP
export const CREDENTIALS = { apiKey, merchantAccount, hmacKey }

export const LINK = 'PL61C53A8B97E6915A'

const HELD: AdyenLink = {
  id: LINK,
  merchantAccount,
  status: 'active',
  request: { merchantAccount, reference: paymentRequest.job, amount: { currency: 'EUR', value: 1250 } },
  expiresAt: '2026-11-21T10:15:00Z',
  event: null,
}

/** The payment link as Adyen shows it, with changes. */
export function link(changes: object = {}): Record<string, unknown> {
  return { ...showLink(HELD), ...changes }
}

export function adyenError(...error: Parameters<typeof errorAnswer>): Answer {
  const { status, body } = errorAnswer(...error)
  return json(status, body)
}

export function atAdyen(...answers: Answers) {
  return openScripted(adyen, { mode: 'test', credentials: CREDENTIALS }, answers)
}

/** What the adapter sends for a payment request, as Adyen would read it. */
export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> {
  return JSON.parse(await announcedBody(atAdyen(json(201, link())), changes)) as Record<string, unknown>
}

/** An item of a webhook about the payment, with changes. */
export function item(changes: Partial<AdyenWebhookItem> = {}): AdyenWebhookItem {
  return {
    ...adyenItem(HELD, 'authorized', Date.UTC(2026, 10, 21, 9)),
    ...changes,
  }
}

/** Reads a webhook's body as the adapter does, with the account's key or others. */
export function readBody(body: string, key = CREDENTIALS.hmacKey) {
  return adyen
    .open({ mode: 'test', credentials: { ...CREDENTIALS, hmacKey: key }, fetch: json(500, {}) })
    .readNotification({ job: null, headers: new Headers(), body, at: Date.now() })
}

/** Reads items that Adyen has signed. */
export async function read(...items: AdyenWebhookItem[]) {
  return readBody(await adyenWebhook(items, CREDENTIALS.hmacKey))
}
