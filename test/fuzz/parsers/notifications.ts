import * as fc from 'fast-check'
import { expect } from 'vitest'
import { toBase64, toHex, utf8 } from '../../../src/platform/crypto/hash.ts'
import { hmac } from '../../../src/platform/crypto/signing.ts'
import { ADAPTERS } from '../../../src/psp/adapters.ts'
import type { NotificationReading } from '../../../src/psp/port.ts'
import { adyenWebhook } from '../../support/psps/adyen-webhook.ts'
import { headersAround, textsAround, valuesAround } from '../inputs.ts'
import { parser } from '../parser.ts'

const AT = Date.parse('2026-11-01T10:00:00Z')
const JOB = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const HEX = 'a1'.repeat(32)
const CREDENTIALS: Readonly<Record<string, Record<string, string>>> = {
  adyen: {
    apiKey: 'AQE'.padEnd(60, 'x'),
    merchantAccount: 'ShopNL',
    hmacKey: HEX,
    livePrefix: '1797a841fbb37ca7-AdyenDemo',
  },
  mollie: { apiKey: `test_${'a'.repeat(30)}` },
  multisafepay: { apiKey: 'b'.repeat(40) },
  stripe: { secretKey: `sk_test_${'c'.repeat(30)}`, webhookSecret: `whsec_${'d'.repeat(32)}` },
}

/** The API of this PSP always answers with one session that names the job. */
async function fetch(): Promise<Response> {
  return Response.json({ data: [{ id: 'cs_1', client_reference_id: JOB }] })
}

async function read(
  psp: string,
  { job, headers, body }: { job: string | null; headers: Record<string, string>; body: string },
): Promise<NotificationReading> {
  const adapter = ADAPTERS[psp]
  if (adapter === undefined) throw new Error(`${psp} is no PSP`)
  const opened = adapter.open({ fetch, mode: 'test', credentials: CREDENTIALS[psp] })
  return await opened.readNotification({ job, headers: new Headers(headers), body, at: AT })
}

/** What `receive` relies on, and the object stores. */
function expectSound(reading: NotificationReading): void {
  if (reading.is !== 'about') return expect(['unauthentic', 'unavailable']).toContain(reading.is)
  for (const { job, reference, told } of reading.payments) {
    expect(job).toEqual(expect.any(String))
    expect(reference === null || typeof reference === 'string').toBe(true)
    for (const move of told?.moves ?? []) {
      expect(Number.isSafeInteger(move.amount) && move.amount >= 0).toBe(true)
      expect(move.currency).toMatch(/^[A-Z]{3}$/)
    }
  }
}

const stripeEvents = ['checkout.session.completed', 'charge.refunded', 'charge.dispute.created'].map(
  (type) => ({
    type,
    data: {
      object: {
        id: 'cs_1',
        client_reference_id: JOB,
        metadata: { payment_job: JOB },
        payment_intent: 'pi_1',
      },
    },
  }),
)
async function signStripe(body: string): Promise<string> {
  return `t=${AT / 1000},v1=${toHex(await hmac('SHA-256', CREDENTIALS['stripe']?.['webhookSecret'] ?? '', `${AT / 1000}.${body}`))}`
}
async function signMultiSafepay(body: string): Promise<string> {
  const text = `${AT / 1000}:${body}`
  return toBase64(
    utf8(`${AT / 1000}:${toHex(await hmac('SHA-512', CREDENTIALS['multisafepay']?.['apiKey'] ?? '', text))}`),
  )
}

const adyenItem = {
  additionalData: { paymentLinkId: 'PL1' },
  amount: { currency: 'EUR', value: 1250 },
  eventCode: 'AUTHORISATION',
  eventDate: '2026-11-01T10:00:00Z',
  merchantAccountCode: 'ShopNL',
  merchantReference: JOB,
  pspReference: 'QFQTPCQ8HXSKGK82',
  success: 'true',
}
const adyenItems = ['AUTHORISATION', 'REFUND', 'REFUND_FAILED', 'CHARGEBACK', 'REFUNDED_REVERSED'].flatMap(
  (eventCode) =>
    [JOB, `${JOB}.${JOB}`].map((merchantReference) => ({ ...adyenItem, eventCode, merchantReference })),
)
type AdyenItem = Parameters<typeof adyenWebhook>[0][number]

/** Items whose signed members have types that can be signed: others never are. */
function isSignable(item: unknown): item is AdyenItem {
  return (
    typeof item === 'object' &&
    item !== null &&
    typeof (item as AdyenItem).amount === 'object' &&
    (item as AdyenItem).amount !== null
  )
}

const addressed = fc.constantFrom(null, JOB, 'x')

export const NOTIFICATIONS = [
  parser(
    'stripe-notification',
    fc.record({ job: addressed, event: valuesAround(...stripeEvents) }),
    async ({ job, event }) => {
      const body = JSON.stringify(event)
      const reading = await read('stripe', {
        job,
        body,
        headers: { 'stripe-signature': await signStripe(body) },
      })
      expectSound(reading)
      // A signed notification is never refused, whatever it says: Stripe would repeat it for days.
      expect(reading.is).toBe('about')
    },
  ),
  parser(
    'multisafepay-notification',
    fc.record({ job: addressed, order: valuesAround({ order_id: JOB, status: 'completed', amount: 1250 }) }),
    async ({ job, order }) => {
      const body = JSON.stringify(order)
      const reading = await read('multisafepay', {
        job,
        body,
        headers: { auth: await signMultiSafepay(body) },
      })
      expectSound(reading)
      expect(reading.is).toBe('about')
    },
  ),
  parser(
    'adyen-notification',
    fc.record({
      job: addressed,
      items: fc.array(valuesAround(...adyenItems).filter(isSignable), { minLength: 1, maxLength: 3 }),
    }),
    async ({ job, items }) =>
      expectSound(await read('adyen', { job, body: await adyenWebhook(items, HEX), headers: {} })),
  ),
  parser(
    'mollie-notification',
    fc.record({ job: addressed, body: textsAround('id=tr_7UhSN1zuXS', 'id=tr_1&id=tr_2', '%69d=%zz') }),
    async ({ job, body }) => expectSound(await read('mollie', { job, body, headers: {} })),
  ),
  parser(
    'unsigned-notification',
    fc.record({
      psp: fc.constantFrom('adyen', 'multisafepay', 'stripe'),
      job: addressed,
      header: headersAround(`t=${AT / 1000},v1=${'0'.repeat(64)}`, btoa(`${AT / 1000}:${'0'.repeat(128)}`)),
      body: fc.oneof(
        textsAround('{"notificationItems":[{}]}', `{"order_id":"${JOB}"}`),
        valuesAround({ notificationItems: [{ NotificationRequestItem: adyenItem }] }, ...stripeEvents).map(
          (value) => JSON.stringify(value),
        ),
      ),
    }),
    async ({ psp, job, header, body }) => {
      const headers = { 'stripe-signature': header, auth: header }
      expect((await read(psp, { job, body, headers })).is).toBe('unauthentic')
    },
  ),
]
