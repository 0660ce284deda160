import { beforeEach, describe, expect, it, vi } from 'vitest'
import { paypal } from '../../../src/psp/paypal/adapter.ts'
import { crc32, publicKeyIn } from '../../../src/psp/paypal/certificate.ts'
import { type PaypalFake, paypalFake } from '../../support/psps/paypal.ts'
import { CERT_URL, PEM, signedByPaypal } from '../../support/psps/paypal-signing.ts'
import { paymentRequest, patience } from '../scripted.ts'
import { order } from './samples.ts'

const [CREDENTIALS] = paypalFake('notified').accounts
const AT = Date.UTC(2026, 10, 21, 10)
const EVENT = JSON.stringify({
  event_type: 'CHECKOUT.ORDER.APPROVED',
  resource: order({ status: 'APPROVED' }),
})

let fake: PaypalFake
let asked: string[]
beforeEach(() => {
  fake = paypalFake('notified')
  asked = []
})

function opened(answer?: (request: Request) => Response) {
  const fetch = async (request: Request) => {
    asked.push(request.url)
    return answer ? answer(request) : fake.handle(request)
  }
  return paypal.open({ fetch, mode: 'live', credentials: CREDENTIALS })
}

const sent = (body = EVENT) => signedByPaypal(body, CREDENTIALS.webhookId, AT)
const read = ({ headers, body }: { headers: Record<string, string>; body: string }, psp = opened()) =>
  psp.readNotification({ job: null, headers: new Headers(headers), body, at: AT })

describe("PayPal's notification", () => {
  it('names the job that its order has', async () => {
    const payments = [{ job: paymentRequest.job, reference: null, claimedStatus: null }]
    expect(await read(await sent())).toEqual({ is: 'about', payments })
  })

  it('of a refund by hand names the job by the capture that was refunded', async () => {
    const psp = opened()
    const made = await psp.announce(paymentRequest, patience)
    if (made.is !== 'announced') throw new Error(made.message)
    fake.bring(paymentRequest.job, 'paid')
    await psp.confirm?.(made.reference, { currency: 'EUR' })
    const [capture] = fake.of(paymentRequest.job).captures
    const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${capture?.id}` }]
    const body = JSON.stringify({ event_type: 'PAYMENT.CAPTURE.REFUNDED', resource: { id: '1', links } })
    expect(await read(await sent(body), psp)).toMatchObject({ payments: [{ job: paymentRequest.job }] })
  })

  it('about nothing of the hub is accepted', async () => {
    for (const body of ['{"event_type":"CUSTOMER.DISPUTE.CREATED","resource":{}}', '[]', 'x', ''])
      expect(await read(await sent(body))).toEqual({ is: 'about', payments: [] })
  })

  it.each([
    ['another body', { body: EVENT.replace('A-7', 'A-8') }],
    ['another time', { 'paypal-transmission-time': '2026-11-21T10:00:01Z' }],
    ['another id', { 'paypal-transmission-id': crypto.randomUUID() }],
    ['another algorithm', { 'paypal-auth-algo': 'SHA1withRSA' }],
    ['a signature that is none', { 'paypal-transmission-sig': '%%%' }],
    ['no signature', { 'paypal-transmission-sig': '' }],
    ['no certificate', { 'paypal-cert-url': '' }],
  ])('with %s is unauthentic', async (_, { body, ...changes }: Record<string, string>) => {
    const { headers, ...signed } = await sent()
    const changed = { headers: { ...headers, ...changes }, body: body ?? signed.body }
    expect(await read(changed)).toEqual({ is: 'unauthentic' })
  })

  it('for another webhook is unauthentic', async () => {
    const other = await signedByPaypal(EVENT, '9XL90610J3647323C', AT)
    expect(await read(other)).toEqual({ is: 'unauthentic' })
  })

  it.each([
    CERT_URL.replace('https', 'http'),
    CERT_URL.replace('api.paypal.com', 'api.paypal.com.evil.test'),
    CERT_URL.replace('api.paypal.com', 'evil.test'),
    CERT_URL.replace('api.paypal.com', 'evilapi.paypal.com'),
    CERT_URL.replace('api.paypal.com', 'api.paypal.com:8443'),
    CERT_URL.replace('api.paypal.com', 'evil.test@api.paypal.com'),
    CERT_URL.replace('/v1/notifications/certs/', '/uploads/'),
    CERT_URL.replace('/certs/', '/certs/../../'),
  ])('whose certificate is at %s is unauthentic, and nobody asks there', async (address) => {
    const { headers, body } = await sent()
    expect(await read({ headers: { ...headers, 'paypal-cert-url': address }, body })).toEqual({
      is: 'unauthentic',
    })
    expect(asked).toEqual([])
  })

  it.each([
    ['503', () => new Response('', { status: 503 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://evil.test/' } })],
    ['a page', () => new Response('<!doctype html>')],
    ['half a certificate', () => new Response(PEM.replace(/\n.{64}\n.{64}\n/, '\n'))],
    ['more than 64 KiB', () => new Response(PEM + ' '.repeat(65_536))],
  ])('waits until the certificate can be fetched: %s', async (_, answer) => {
    const { headers, body } = await sent()
    const unknown = { ...headers, 'paypal-cert-url': `${CERT_URL}${crypto.randomUUID()}` }
    expect(await read({ headers: unknown, body }, opened(answer))).toMatchObject({ is: 'unavailable' })
  })

  it('needs one request for the certificate in a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: AT })
    const { headers, body } = await sent()
    const address = `https://api.paypal.com/v1/notifications/certs/CERT-${crypto.randomUUID()}`
    const again = { headers: { ...headers, 'paypal-cert-url': address }, body }
    const psp = opened(() => new Response(PEM))
    await read(again, psp)
    expect(await read(again, psp)).toMatchObject({ is: 'about' })
    expect(asked).toEqual([address])
    vi.setSystemTime(AT + 25 * 3_600_000)
    await read(again, psp)
    expect(asked).toHaveLength(2)
    vi.useRealTimers()
  })
})

it('CRC-32 has the check value of its catalogue', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
})

it('a certificate without a version, or with long lengths, has its key too', () => {
  const key = [0x30, 0x03, 0x02, 0x01, 0x07]
  const item = [0x02, 0x01, 0x01]
  const content = [...Array.from({ length: 5 }, () => item).flat(), ...key]
  const certificate = [0x30, 0x81, content.length + 2, 0x30, content.length, ...content]
  const pem = `-----BEGIN CERTIFICATE-----${btoa(String.fromCharCode(...certificate))}-----END CERTIFICATE-----`
  expect([...publicKeyIn(pem)]).toEqual(key)
})
