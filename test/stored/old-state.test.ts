import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import state from '../fixtures/release-0.1.0.json'
import {
  type JobJson,
  create,
  location,
  order,
  payAs,
  read,
  readJob,
  send,
  tokenFor,
} from '../support/hub.ts'
import { hmacSha512 } from '../support/hmac.ts'
import { objectOf, stored } from '../support/job.ts'
import { operate } from '../support/operator.ts'
import { type Received, receiver } from '../support/receiver.ts'
import { restoreState } from './restore-state.ts'

const { jobs, pos, tokens } = state
let shop: ReturnType<typeof receiver>

const MOLLIE_PAYMENT = 'tr_gjdgxs'

/** Mollie knows the payment that was announced; every other address is a shop. */
function answer({ url }: Received): Response {
  return url.startsWith('https://api.mollie.com/')
    ? Response.json({
        resource: 'payment',
        id: MOLLIE_PAYMENT,
        status: 'paid',
        amount: { currency: 'EUR', value: '12.50' },
        _links: { checkout: { href: 'https://www.mollie.com/checkout/x' } },
      })
    : new Response('ok')
}

beforeAll(async () => {
  vi.setSystemTime(state.savedAt)
  await restoreState(state)
  shop = receiver(answer)
})
afterAll(() => {
  shop.stop()
  vi.useRealTimers()
})

describe('state of release 0.1.0 is served by this release', () => {
  it('tokens open the jobs of their point of sale, and no others', async () => {
    expect(await readJob(tokens.test, jobs.open)).toMatchObject({ status: 'PENDING', orderNumber: 'OPEN' })
    expect(await readJob(tokens.live, jobs.mollie)).toMatchObject({ status: 'PENDING', orderNumber: 'LIVE' })
    expect((await read(tokens.live, jobs.open)).status).toBe(404)
  })

  it('a disabled point of sale stays out, and so do its old tokens', async () => {
    expect((await read(tokens.gone, jobs.open)).status).toBe(401)
    const answered = await send('/v1/guardian', { headers: { authorization: `Bearer ${pos.gone.apiKey}` } })
    expect(answered.status).toBe(401)
  })

  it('API keys get new tokens', async () => {
    expect((await read(await tokenFor(pos.test), jobs.paid)).status).toBe(200)
  })

  it('what was paid is shown as it was, signed with the secret that the shop has now', async () => {
    const response = await read(tokens.test, jobs.paid)
    const body = await response.text()
    expect(JSON.parse(body)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', amountDue: '0.00' })
    const rotated = await operate('POST', `/pos/${pos.test.id}/secret`)
    const { signingSecret } = await rotated.json<{ signingSecret: string }>()
    const again = await read(tokens.test, jobs.paid)
    expect(again.headers.get('x-signature')).toBe(await hmacSha512(signingSecret, await again.text()))
  })

  it('a report that was pending is delivered when its time comes', async () => {
    vi.setSystemTime(state.savedAt + 60_000)
    await runDurableObjectAlarm(objectOf(jobs.owed))
    await vi.waitFor(async () =>
      expect((await stored(jobs.owed)).reports).toMatchObject([{ state: 'delivered', attempts: [{}, {}] }]),
    )
    expect(shop.of(jobs.owed).map(({ headers }) => headers['webhook-id'])).toEqual([`msg_${jobs.owed}_2`])
  })

  it('a report that was given up can be sent again', async () => {
    expect((await operate('POST', `/jobs/${jobs.dead}/resend`)).status).toBe(200)
    await vi.waitFor(() => expect(shop.of(jobs.dead)).toHaveLength(1))
  })

  it('an open job is paid on the page that its customer has open', async () => {
    const { payUrl } = await readJob(tokens.test, jobs.open)
    expect(await payAs(payUrl, 'paid')).toContain('https://shop.nl/thanks?order=7')
    expect(await readJob(tokens.test, jobs.open)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('an open job at a PSP is pulled over its account when the PSP notifies', async () => {
    const body = new URLSearchParams({ id: MOLLIE_PAYMENT })
    const answered = await send(`/notifications/shop-mollie/${jobs.mollie}`, { method: 'POST', body })
    expect(answered.status).toBe(200)
    expect(await readJob(tokens.live, jobs.mollie)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('a job that its PSP does not know yet is announced when the customer comes', async () => {
    const response = await send(`/pay/${jobs.due}`)
    expect(location(response)).toBe('https://www.mollie.com/checkout/x')
  })

  it('a repeated create with an old key gives the old job', async () => {
    const again = await create(tokens.test, order, { 'idempotency-key': 'key-1' })
    expect((await again.json<JobJson>()).paymentJob).toBe(jobs.keyed)
  })

  it('routes and accounts are as they were', async () => {
    const routes = await (await operate('GET', `/pos/${pos.live.id}/routes`)).json()
    expect(routes).toMatchObject({
      mode: 'live',
      routes: [
        { paymentMethod: '*', accounts: ['shop-stripe'] },
        { paymentMethod: 'ideal', accounts: ['shop-mollie', 'shop-stripe'] },
      ],
    })
  })

  it('the job directory lists the jobs', async () => {
    const { days } = await (await operate('GET', '/index/days')).json<{ days: string[] }>()
    expect(days).toContain('2030-01-01')
    const page = await (await operate('GET', '/index/2030-01-01/verify')).json<{ jobs: number }>()
    expect(page.jobs).toBe(Object.keys(jobs).length)
  })

  it('payments of the sandbox, which had no alarm to delete them, get one when they are used', async () => {
    const id = 'tr_4c18b7b6063ee52912b5'
    const payment = env.SANDBOX_PAYMENT.getByName(id)
    expect(await send(`/sandbox/checkout/${id}`)).toHaveProperty('status', 303)
    const ring = async () => {
      const at = await runInDurableObject(payment, (_, { storage }) => storage.getAlarm())
      vi.setSystemTime(Math.max(at ?? 0, Date.now()))
      await runDurableObjectAlarm(payment)
    }
    for (let rings = 0; rings < 3; rings++) await ring()
    expect(await payment.read()).toBeNull()
  })
})
