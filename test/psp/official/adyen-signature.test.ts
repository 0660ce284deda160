import { hmacValidator } from '@adyen/api-library'
import { describe, expect, it } from 'vitest'
import { adyen } from '../../../src/psp/adyen/adapter.ts'
import { adyenFake } from '../../support/psps/adyen.ts'
import { adyenWebhook } from '../../support/psps/adyen-webhook.ts'

type Account = { apiKey: string; merchantAccount: string; hmacKey: string }
const [SHOP, OTHER] = adyenFake().accounts as [Account, Account]

describe("the official library's signature", () => {
  const item = (changes: object = {}) => ({
    additionalData: { paymentLinkId: 'PL61C53A8B97E6915A' },
    amount: { currency: 'EUR', value: 1250 },
    eventCode: 'AUTHORISATION',
    eventDate: '2026-11-21T10:00:00+01:00',
    merchantAccountCode: SHOP.merchantAccount,
    merchantReference: '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f',
    originalReference: '9913140798220028',
    pspReference: 'QFQTPCQ8HXSKGK82',
    success: 'true',
    ...changes,
  })
  const sign = (unsigned: object, key = SHOP.hmacKey) =>
    new hmacValidator().calculateHmac(unsigned as never, key)
  const read = (signed: object, hmacSignature: string, hmacKey = SHOP.hmacKey) =>
    adyen
      .open({ mode: 'test', credentials: { ...SHOP, hmacKey }, fetch: async () => Response.error() })
      .readNotification({
        job: null,
        headers: new Headers(),
        at: Date.now(),
        body: JSON.stringify({
          live: 'false',
          notificationItems: [{ NotificationRequestItem: { ...signed, additionalData: { hmacSignature } } }],
        }),
      })

  it.each([
    ['as the documentation shows it', {}],
    ['without an original reference', { originalReference: undefined }],
    ['with an original reference of null', { originalReference: null }],
    ['that was refused', { success: 'false' }],
    ['with success as a boolean', { success: true }],
    ['with colons and backslashes', { pspReference: String.raw`A:B\C` }],
    ['with letters beyond ASCII', { pspReference: 'Ünïcode €' }],
  ])('is accepted on an item %s', async (_, changes) => {
    const signed = item(changes)
    expect(await read(signed, sign(signed))).toMatchObject({
      is: 'about',
      payments: [{ claimedStatus: signed.success === 'false' ? null : 'SUCCESS' }],
    })
  })

  it('is refused if any character of it, or of what it signs, differs', async () => {
    const signed = item()
    const signature = sign(signed)
    const other = (text: string, place: number) =>
      text.slice(0, place) + (text[place] === '0' ? '1' : '0') + text.slice(place + 1)
    const places = (text: string) => Array.from(text, (_, place) => other(text, place))
    const { amount, additionalData: _, eventDate: __, ...texts } = signed
    const changed = [
      ...Object.entries(texts).flatMap(([name, text]) =>
        places(text).map((value) => item({ [name]: value })),
      ),
      ...places(amount.currency).map((currency) => item({ amount: { ...amount, currency } })),
      ...places(String(amount.value)).map((value) => item({ amount: { ...amount, value } })),
    ]
    expect(changed.length).toBeGreaterThan(90)
    for (const one of changed)
      expect(await read(one, signature), JSON.stringify(one)).toEqual({ is: 'unauthentic' })
    for (const one of places(signature)) expect(await read(signed, one), one).toEqual({ is: 'unauthentic' })
  })

  it("is also the simulator's", async () => {
    const body = await adyenWebhook([item({ originalReference: undefined }), item()], SHOP.hmacKey)
    const { notificationItems } = JSON.parse(body) as {
      notificationItems: { NotificationRequestItem: never }[]
    }
    expect(notificationItems).toHaveLength(2)
    for (const { NotificationRequestItem } of notificationItems) {
      expect(new hmacValidator().validateHMAC(NotificationRequestItem, SHOP.hmacKey)).toBe(true)
      expect(new hmacValidator().validateHMAC(NotificationRequestItem, OTHER.hmacKey)).toBe(false)
    }
  })
})
