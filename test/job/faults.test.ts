import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { ADAPTERS } from '../../src/psp/adapters.ts'
import { SILENT_PSP } from '../../src/psp/connect.ts'
import type { Adapter } from '../../src/psp/port.ts'
import { type JobJson, createJob, read, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { alarmOf, objectOf, ringNext, ringUntilFinal, stored, waitForNextPull } from '../support/jobs/job.ts'
import { makeLivePos, liveShop } from '../support/shops/live-pos.ts'
import { loggedOf } from '../support/logged.ts'
import { operate } from '../support/hub/operator.ts'

const shop = liveShop()

function down() {
  return new Response('<h1>Bad Gateway</h1>', { status: 502 })
}

async function announceAll({ paymentJob }: JobJson): Promise<Response> {
  const { account } = await stored(paymentJob)
  const announce = () => operate('POST', `/accounts/${account}/announce`)
  // The row with the job arrives from a queue.
  return vi.waitFor(async () => {
    const answer = await announce()
    expect(await answer.clone().json()).toMatchObject({ announced: 1 })
    return answer
  })
}

describe('a PSP that is down when a job is created', () => {
  beforeEach(() => {
    shop.world.fault = down
  })

  it('leaves the job PENDING with its error and a valid payUrl', async () => {
    const warnings = vi.spyOn(console, 'warn')
    const job = await createJob(shop.token)
    expect(job).toMatchObject({ status: 'PENDING', error: expect.any(String) as string })
    expect(loggedOf(warnings, job.paymentJob)).toMatchObject([{ event: 'psp.unavailable' }])
    const page = await send(job.payUrl)
    expect(page.status).toBe(503)
    expect(await page.text()).toContain('De betaling kan nog niet beginnen')
  })

  it('is asked again by the alarm, with the same idempotency key', async () => {
    const { paymentJob } = await createJob(shop.token)
    shop.world.fault = null
    expect((await ringNext(paymentJob)).announcement).toBe('announced')
    expect(await readJob(shop.token, paymentJob)).toMatchObject({ status: 'PENDING', error: null })
    expect(shop.world.fake.payments.map(({ key }) => key)).toEqual([paymentJob])
  })

  it('and wants a pause is asked again after that, and not before', async () => {
    shop.world.fault = () => new Response(null, { status: 429, headers: { 'retry-after': '7200' } })
    const before = Date.now()
    const { paymentJob } = await createJob(shop.token)
    shop.world.fault = null
    expect((await ringNext(paymentJob)).announcement).toBe('announced')
    expect(Date.now()).toBeGreaterThan(before + 2 * HOUR)
  })

  it.each([
    ['a customer', (job: JobJson) => send(`${job.payUrl}?wait=1`), 303],
    ['an operator', (job: JobJson) => operate('POST', `/jobs/${job.paymentJob}/announce`), 200],
    ['an operator, of all that wait', announceAll, 200],
  ])('and wants a pause of a day is still asked by %s', async (_, act, expected) => {
    shop.world.fault = () => new Response(null, { status: 503, headers: { 'retry-after': '86400' } })
    const job = await createJob(shop.token)
    shop.world.fault = null
    vi.setSystemTime(Date.now() + 10 * MINUTE)
    expect((await act(job)).status).toBe(expected)
    expect(await readJob(shop.token, job.paymentJob)).toMatchObject({ status: 'PENDING', error: null })
    expect(shop.world.fake.payments.map(({ key }) => key)).toEqual([job.paymentJob])
  })

  it('and wants a pause is the reason why the customer cannot pay yet', async () => {
    shop.world.fault = () => new Response(null, { status: 503, headers: { 'retry-after': '7200' } })
    const { paymentJob } = await createJob(shop.token)
    const shown = await operate('GET', `/jobs/${paymentJob}`)
    expect(await shown.json()).toMatchObject({ why: { cause: 'psp-wants-no-request', move: 'psp' } })
  })

  it('is asked again at the account that the job has if its point of sale has no route any more', async () => {
    const pos = await makeLivePos()
    const { paymentJob } = await createJob(await tokenFor(pos))
    const { account } = await stored(paymentJob)
    expect(
      (await operate('POST', `/pos/${pos.id}/routes`, { paymentMethod: '*', accounts: [] })).status,
    ).toBe(200)
    shop.world.fault = null
    expect(await ringNext(paymentJob)).toMatchObject({ account, announcement: 'announced' })
  })
})

describe('a payment whose customer does not come back', () => {
  it('becomes SUCCESS when it is paid after it expired', async () => {
    shop.world.fake.life = HOUR
    const { paymentJob } = await createJob(shop.token)
    const job = await ringUntilFinal(paymentJob)
    shop.world.fake.setStatus('paid')
    const [payment] = shop.world.fake.payments
    const path = `/notifications/${job.account}/${paymentJob}`
    waitForNextPull()
    const warnings = vi.spyOn(console, 'warn')
    await send(path, { method: 'POST', body: new URLSearchParams({ id: payment?.id ?? '' }) })
    await vi.waitFor(async () => expect((await readJob(shop.token, paymentJob)).status).toBe('SUCCESS'))
    const late = [{ event: 'payment.late' }]
    expect(loggedOf(warnings, paymentJob)).toMatchObject(late)
    await ringNext(paymentJob)
    expect(loggedOf(warnings, paymentJob)).toMatchObject(late)
  })

  it('stays PENDING if its PSP does not know it any more, and the log says so', async () => {
    const { paymentJob } = await createJob(shop.token)
    shop.world.fault = () => Response.json({ status: 404, title: 'Not Found' }, { status: 404 })
    const warnings = vi.spyOn(console, 'warn')
    expect((await ringNext(paymentJob)).status).toBe('PENDING')
    expect(loggedOf(warnings, paymentJob)).toMatchObject([{ event: 'psp.payment-unknown' }])
  })

  it('stays as it is if the hub fails while it asks the PSP, and the log says so', async () => {
    const { paymentJob } = await createJob(shop.token)
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const open = vi.spyOn(ADAPTERS['mollie'] as Adapter, 'open').mockImplementation(() => ({
      ...SILENT_PSP,
      ask: () => Promise.reject(new Error('a fault of the hub')),
    }))
    expect((await ringNext(paymentJob)).status).toBe('PENDING')
    expect(loggedOf(errors, paymentJob)).toMatchObject([{ event: 'job.duty-failed', duty: 'ask' }])
    open.mockRestore()
    shop.world.fake.bring(paymentJob, 'paid')
    expect((await ringNext(paymentJob)).status).toBe('SUCCESS')
  })

  it('is checked after longer and longer pauses, of ten minutes at most, while the hub fails', async () => {
    const { paymentJob } = await createJob(shop.token)
    vi.spyOn(console, 'error').mockReturnValue()
    const tries: number[] = []
    vi.spyOn(ADAPTERS['mollie'] as Adapter, 'open').mockImplementation(() => ({
      ...SILENT_PSP,
      ask: () => {
        tries.push(Date.now())
        return Promise.reject(new Error('a fault of the hub'))
      },
    }))
    for (let rings = 0; rings < 99 && tries.length < 12; rings++) {
      vi.setSystemTime(((await alarmOf(paymentJob)) ?? Date.now()) + 1)
      await runDurableObjectAlarm(objectOf(paymentJob))
    }
    const pauses = tries.slice(1).map((at, before) => Math.round((at - (tries[before] ?? 0)) / 1000))
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
  })

  it('stays as it is if the hub reads an answer as something that no journal can hold', async () => {
    const { paymentJob } = await createJob(shop.token)
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const open = vi.spyOn(ADAPTERS['mollie'] as Adapter, 'open').mockImplementation(() => ({
      ...SILENT_PSP,
      ask: async () => ({ is: 'observed', status: 'SUCCESS', paid: 12.5, expiresAt: null }),
    }))
    await ringNext(paymentJob)
    expect(loggedOf(errors, paymentJob)).toMatchObject([{ event: 'job.duty-failed', duty: 'ask' }])
    await evictDurableObject(objectOf(paymentJob))
    expect(await readJob(shop.token, paymentJob)).toMatchObject({ status: 'PENDING', amountPaid: '0.00' })
    open.mockRestore()
    shop.world.fake.bring(paymentJob, 'paid')
    expect((await ringNext(paymentJob)).status).toBe('SUCCESS')
  })
})

it('reading an id without a job writes nothing', async () => {
  const id = crypto.randomUUID()
  expect((await read(shop.token, id)).status).toBe(404)
  const kept = await runInDurableObject(objectOf(id), async (_, state) => [
    ...state.storage.kv.list(),
    await state.storage.getAlarm(),
  ])
  expect(kept).toEqual([null])
})

it('a job that is announced already is not announced again', async () => {
  const { paymentJob } = await createJob(shop.token)
  const before = shop.world.asked.length
  expect((await objectOf(paymentJob).announce('customer', 'request'))?.payments).toHaveLength(1)
  expect(shop.world.asked).toHaveLength(before)
})
