import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { type Events, readEvents } from '../support/shops/events.ts'
import { askWith, createJob, makePos, order, payAs, send, tokenFor, linkIn } from '../support/hub/hub.ts'
import { recordAnswer, ringNext, stored, watchersOf } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'
import { MOST_OF_A_NETWORK } from '../../src/job/job-snapshot.ts'

let job: { paymentJob: string; payUrl: string }
let token: string
let events: Events | null
beforeEach(async () => {
  receiver()
  events = null
  token = await tokenFor(await makePos())
  job = await createJob(token)
})
afterEach(async () => {
  await events?.cancel()
})

async function watchReceipt(id: string, address = '198.51.100.9'): Promise<Events> {
  return readEvents(await askAs(address, id))
}
function askAs(address: string, id = job.paymentJob): Promise<Response> {
  return send(`/receipt/${id}/events`, { headers: { 'cf-connecting-ip': address } })
}
function watchers() {
  return watchersOf(job.paymentJob)
}
async function nextStatus(): Promise<unknown> {
  const event = await events?.next()
  if (event?.event !== 'status') throw new Error(`expected a status, got ${JSON.stringify(event)}`)
  return JSON.parse(event.data)
}
function bring(status: 'PENDING' | 'SUCCESS', totals: object = {}) {
  const paid = status === 'SUCCESS' ? 1250 : 0
  return recordAnswer(job.paymentJob, { is: 'observed', status, paid, expiresAt: null, ...totals }, 'return')
}

it('a customer sees the state of the payment, at once and after each change, up to the last refund', async () => {
  events = await watchReceipt(job.paymentJob)
  const open = { status: 'PENDING', amountPaid: '0.00', amountDue: '12.50', final: false }
  expect(await nextStatus()).toEqual(open)
  await bring('PENDING', { stage: { is: 'underway', patience: 86_400_000 } })
  expect(await nextStatus()).toEqual({ ...open, stage: 'underway' })
  await bring('SUCCESS')
  const paid = { status: 'SUCCESS', amountPaid: '12.50', amountDue: '0.00', final: true }
  expect(await nextStatus()).toEqual(paid)
  await bring('SUCCESS', { refunded: 500, chargedBack: 250 })
  expect(await nextStatus()).toEqual({ ...paid, amountRefunded: '5.00', amountChargedBack: '2.50' })
})

it('a customer sees that money is reserved, and that it is released', async () => {
  job = await createJob(token, { payment_method: 'creditcard', capture: 'manual' })
  await payAs(job.payUrl, 'paid')
  events = await watchReceipt(job.paymentJob)
  const held = { status: 'PENDING', stage: 'authorized', amountPaid: '0.00', amountAuthorized: '12.50' }
  expect(await nextStatus()).toMatchObject({ ...held, final: false })
  await askWith(token, 'POST', `/v2/paymentjobs/${job.paymentJob}/release`, {})
  const released = { status: 'CANCELLED', amountPaid: '0.00', amountReleased: '12.50', final: true }
  expect(await nextStatus()).toMatchObject(released)
})

it('a refund that the PSP already counts is shown as on its way, and again once it has arrived', async () => {
  await payAs(job.payUrl, 'paid')
  await askWith(token, 'POST', `/v2/paymentjobs/${job.paymentJob}/refunds`, { amount: '5.00' })
  await bring('SUCCESS', { refunded: 500 })
  events = await watchReceipt(job.paymentJob)
  const before = await nextStatus()
  expect(before).toMatchObject({ amountRefunded: '5.00', amountRefunding: '5.00' })
  expect(await (await send(`/receipt/${job.paymentJob}`)).text()).toContain('Terugbetaling onderweg')
  const isDone = async () =>
    (await stored(job.paymentJob)).instructions.every(({ state }) => state === 'done')
  for (let rings = 0; rings < 30 && !(await isDone()); rings++) await ringNext(job.paymentJob)
  const after = await nextStatus()
  expect(after).toMatchObject({ amountRefunded: '5.00' })
  expect(after).not.toHaveProperty('amountRefunding')
})

it('a step that changes nothing for the customer is not an event', async () => {
  events = await watchReceipt(job.paymentJob)
  await nextStatus()
  await bring('PENDING')
  await bring('SUCCESS')
  expect(await nextStatus()).toMatchObject({ status: 'SUCCESS' })
})

it('a status that comes back is sent again', async () => {
  events = await watchReceipt(job.paymentJob)
  const open = await nextStatus()
  await bring('PENDING', { stage: { is: 'underway', patience: 86_400_000 } })
  expect(await nextStatus()).toMatchObject({ stage: 'underway' })
  await bring('PENDING', { stage: { is: 'open' } })
  expect(await nextStatus()).toEqual(open)
})

it('has nothing about the order, the person or the shop', async () => {
  events = await watchReceipt(job.paymentJob)
  const { data = '' } = (await events.next()) ?? {}
  for (const told of [order.order_number, order.ip_address, 'shop.nl', 'http', job.paymentJob]) {
    expect(data).not.toContain(told)
  }
})

it('is a stream to which a browser reconnects, and that no proxy stores or alters', async () => {
  const response = await send(`/receipt/${job.paymentJob.toUpperCase()}/events`)
  events = readEvents(response)
  await events.next()
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(events.others).toEqual(['retry: 2000'])
})

it.each(['frob', '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e'])('an unknown id is 404: %s', async (id) => {
  const response = await send(`/receipt/${id}/events`)
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
})

it('a HEAD is answered without a body, and leaves no watcher', async () => {
  const response = await send(`/receipt/${job.paymentJob}/events`, { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  await vi.waitFor(async () => expect(await watchers()).toBe(0))
})

it('the watcher goes with the customer', async () => {
  events = await watchReceipt(job.paymentJob)
  await nextStatus()
  expect(await watchers()).toBe(1)
  await events.cancel()
  await vi.waitFor(async () => expect(await watchers()).toBe(0))
})

/**
 * Asks for the events without a network in between, so that the test controls the request and its
 * answer.
 */
function askDirectly(init: RequestInit = {}): Promise<Response> {
  const url = `https://hub.example.nl/receipt/${job.paymentJob}/events`
  return worker.fetch(new Request(url, init) as Parameters<typeof worker.fetch>[0], env)
}

it('the watcher goes with an answer that is no longer read, even if the request is not broken off', async () => {
  const { body } = await askDirectly()
  expect(await watchers()).toBe(1)
  await body?.cancel()
  await vi.waitFor(async () => expect(await watchers()).toBe(0))
})

it('the watcher goes with a request that is broken off before its answer is read', async () => {
  const gone = new AbortController()
  await askDirectly({ signal: gone.signal })
  expect(await watchers()).toBe(1)
  gone.abort()
  await vi.waitFor(async () => expect(await watchers()).toBe(0))
})

it('one visitor cannot take all places, not even with a whole /48', async () => {
  const own = await Promise.all(
    Array.from({ length: MOST_OF_A_NETWORK }, () => watchReceipt(job.paymentJob, '203.0.113.9')),
  )
  expect((await askAs('203.0.113.9')).status).toBe(429)
  const statuses = new Map<number, Response[]>()
  for (let subnet = 0; subnet < 6 * MOST_OF_A_NETWORK; subnet++) {
    const answer = await askAs(`2001:db8:9:${subnet.toString(16)}::1`)
    statuses.set(answer.status, [...(statuses.get(answer.status) ?? []), answer])
  }
  const taken = statuses.get(200) ?? []
  expect(taken.length).toBeLessThanOrEqual(4 * MOST_OF_A_NETWORK)
  events = await watchReceipt(job.paymentJob, '198.51.100.9')
  expect(await nextStatus()).toMatchObject({ status: 'PENDING' })
  await Promise.all([...own.map((one) => one.cancel()), ...taken.map((answer) => answer.body?.cancel())])
})

it('strangers who ask for too many unknown payments are refused, as at /pay/', async () => {
  vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockResolvedValue({ success: false })
  const headers = { 'cf-connecting-ip': '198.51.100.77' }
  const ask = () => send(`/receipt/${crypto.randomUUID()}/events`, { headers })
  expect((await ask()).status).toBe(429)
  events = readEvents(await send(`/receipt/${linkIn(job)}/events`, { headers }))
  expect(await nextStatus()).toMatchObject({ status: 'PENDING' })
})
