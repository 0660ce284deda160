import { createHmac, timingSafeEqual } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import type { Notification } from '../../../src/psp/port.ts'
import { multisafepayFake } from '../../support/psps/multisafepay.ts'
import { DOCUMENTED } from '../../support/psps/multisafepay-documented.ts'
import { serve } from './serve.ts'
import { patience, paymentRequestOf } from '../scripted.ts'

let fake = multisafepayFake()
let server: Awaited<ReturnType<typeof serve>>
const [{ apiKey }, { apiKey: otherKey }] = fake.accounts as readonly [{ apiKey: string }, { apiKey: string }]

beforeAll(async () => {
  server = await serve((request) => fake.handle(request))
})
beforeEach(() => {
  fake = multisafepayFake()
})
afterAll(() => server.stop())

/**
 * `Notification::verifyNotification` of MultiSafepay's php-sdk (src/Util/Notification.php,
 * c467313), line by line. A validation time of 0 leaves the time out. `at` is in seconds.
 */
function verifyNotification(request: string, auth: string, key: string, validationTime: number, at: number) {
  const decoded = Buffer.from(auth, 'base64').toString('latin1')
  const [timestamp = '', sha512hexPayload = ''] = decoded.split(':')
  if (validationTime > 0 && Number.parseInt(timestamp, 10) + validationTime < at) return false
  const hash = createHmac('sha512', key.trim()).update(`${timestamp}:${request}`).digest('hex')
  return (
    hash.length === sha512hexPayload.length &&
    timingSafeEqual(Buffer.from(hash), Buffer.from(sha512hexPayload))
  )
}

function signed(body: string, timestamp: number, key: string) {
  const hash = createHmac('sha512', key).update(`${timestamp}:${body}`).digest('hex')
  return Buffer.from(`${timestamp}:${hash}`).toString('base64')
}

const JOB = '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f'
const paymentRequest = paymentRequestOf(JOB, {
  description: 'Café №7',
  paymentMethod: 'bancontact',
  language: 'fr-BE',
})
function adapter(key = apiKey) {
  return multisafepay.open({
    fetch: (request) => fetch(request),
    mode: 'live',
    credentials: { apiKey: key },
    endpoint: `${server.url}/v1/json`,
  })
}

describe('a notification', () => {
  const AT = 1_795_256_100
  const read = (auth: string, body: string, changes: Partial<Notification> = {}, key = apiKey) =>
    adapter(key).readNotification({
      job: JOB,
      headers: new Headers({ Auth: auth }),
      body,
      at: AT * 1000,
      ...changes,
    })
  const about = (job: string, claimedStatus: 'SUCCESS' | null) => ({
    is: 'about',
    payments: [{ job, reference: job, claimedStatus }],
  })

  it("from MultiSafepay's documentation is believed by its signature", async () => {
    const { auth, body, key, timestamp } = DOCUMENTED
    expect(verifyNotification(body, auth, key, 0, 0)).toBe(true)
    const then = { job: 'my-order-id', at: timestamp * 1000 }
    expect(await read(auth, body, then, key)).toEqual(about('my-order-id', null))
    expect(await read(auth, `${body}\n`, then, key)).toEqual({ is: 'unauthentic' })
    expect(await read(auth, body, { job: 'my-order-id' }, key)).toEqual({ is: 'unauthentic' })
  })

  it('from the fake is valid for the official library, and the adapter believes it', async () => {
    await adapter().announce(paymentRequest, patience)
    fake.bring(JOB, 'paid')
    const [sent] = await fake.notify(JOB, AT * 1000)
    if (!sent) throw new Error('MultiSafepay sent nothing')
    const { url, headers, body } = sent
    const auth = headers['auth'] ?? ''
    expect(url).toBe(`${paymentRequest.notificationUrl}?transactionid=${JOB}&timestamp=${AT}`)
    expect(verifyNotification(body, auth, apiKey, 600, AT)).toBe(true)
    expect(verifyNotification(body, auth, otherKey, 600, AT)).toBe(false)
    expect(await read(auth, body)).toEqual(about(JOB, 'SUCCESS'))
    expect(await read(auth, body, {}, otherKey)).toEqual({ is: 'unauthentic' })
  })

  it('is refused if any byte of its body, time or signature changed', async () => {
    const body = JSON.stringify({ order_id: JOB, description: 'Café №7' })
    const auth = signed(body, AT, apiKey)
    expect(await read(auth, body)).toEqual(about(JOB, null))
    const flipped = (text: string, place: number) =>
      text.slice(0, place) + (text[place] === 'A' ? 'B' : 'A') + text.slice(place + 1)
    for (const place of Array.from(body).keys()) {
      expect(await read(auth, flipped(body, place)), `body ${place}`).toEqual({ is: 'unauthentic' })
    }
    for (const place of Array.from(auth).keys()) {
      expect(await read(flipped(auth, place), body), `header ${place}`).toEqual({ is: 'unauthentic' })
    }
  })
})
