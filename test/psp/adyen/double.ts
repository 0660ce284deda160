import { adyen } from '../../../src/psp/adyen/adapter.ts'
import type { PaymentRequest, Fetch } from '../../../src/psp/port.ts'
import { type AdyenWebhookItem, adyenWebhook } from '../../support/psps/adyen-webhook.ts'
import { patience } from '../patience.ts'

export const CREDENTIALS = {
  apiKey: 'AQEyhmfuXNWTK0Qc+iSTgGEuhu=-3zLqH9ZC1y3KzYw0=-i1iu.^x}<7',
  merchantAccount: 'HubShopECOM',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
}

export const LINK = 'PL61C53A8B97E6915A'

/** How Adyen answers one request. */
export type Answer = Fetch

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  async () =>
    Response.json(body, { status, headers })

/** A payment link as Adyen shows it. */
export const link = (changes: object = {}): Record<string, unknown> => ({
  amount: { currency: 'EUR', value: 1250 },
  expiresAt: '2026-11-21T10:15:00Z',
  merchantAccount: CREDENTIALS.merchantAccount,
  reference: charge.job,
  reusable: false,
  id: LINK,
  status: 'active',
  url: `https://test.adyen.link/${LINK}`,
  ...changes,
})

/** An error as Adyen sends it: https://docs.adyen.com/development-resources/error-codes */
export const adyenError = (status: number, errorCode: string, message: string): Answer =>
  json(status, { status, errorCode, message, errorType: 'validation', pspReference: 'F7WCWRG6JPHR8HG2' })

/** The adapter in front of an Adyen that gives these answers, the last one again and again. Its requests are kept. */
export const atAdyen = (...answers: [Answer, ...Answer[]]) => {
  const requests: Request[] = []
  const fetch: Fetch = (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? answers[0]
    return answer(request)
  }
  return { psp: adyen.open({ fetch, mode: 'test', credentials: CREDENTIALS }), requests }
}

export const charge: PaymentRequest = {
  job: '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f',
  currency: 'EUR',
  amount: 1250,
  description: 'A-7',
  paymentMethod: 'ideal',
  language: 'nl',
  ipAddress: '203.0.113.7',
  returnUrl: 'https://hub.shop-payments.com/return/0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f',
  cancelUrl: 'https://hub.shop-payments.com/return/0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f?cancelled=1',
  notificationUrl: 'https://hub.shop-payments.com/notifications/acc_1',
}

/** What the adapter sends for a charge, as Adyen would read it. */
export const announced = async (changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> => {
  const { psp, requests } = atAdyen(json(201, link()))
  await psp.announce({ ...charge, ...changes }, patience)
  const [request] = requests
  if (!request) throw new Error('nothing was sent')
  return request.json()
}

/** An item of a webhook about the charge's payment. */
export const item = (changes: Partial<AdyenWebhookItem> = {}): AdyenWebhookItem => ({
  additionalData: { paymentLinkId: LINK },
  amount: { currency: 'EUR', value: 1250 },
  eventCode: 'AUTHORISATION',
  eventDate: '2026-11-21T10:00:00+01:00',
  merchantAccountCode: CREDENTIALS.merchantAccount,
  merchantReference: charge.job,
  pspReference: 'QFQTPCQ8HXSKGK82',
  success: 'true',
  ...changes,
})

/** How the adapter reads a webhook's body, with the account's key or others. */
export const readBody = (body: string, hmacKey = CREDENTIALS.hmacKey) =>
  adyen
    .open({ mode: 'test', credentials: { ...CREDENTIALS, hmacKey }, fetch: json(500, {}) })
    .readNotification({ job: null, headers: new Headers(), body, at: Date.now() })

/** How it reads items that Adyen has signed. */
export const read = async (...items: AdyenWebhookItem[]) =>
  readBody(await adyenWebhook(items, CREDENTIALS.hmacKey))
