import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import { askWith, createJob, readJob, send } from '../../support/hub.ts'
import { ringFor, ringUntilFinal, waitForNextPull } from '../../support/job.ts'
import { liveShop } from '../../support/live-pos.ts'
import { notify as notifyOf } from '../../support/psp-world.ts'

const shop = liveShop()
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  vi.spyOn(console, 'warn').mockReturnValue()
})

type CaptureJson = { capture: string; status: string; amount: string; error: string | null; detail?: string }

async function capture(job: string, body: object = {}, key: string = crypto.randomUUID()) {
  const headers = { 'idempotency-key': key }
  const answer = await askWith(shop.token, 'POST', `/v2/paymentjobs/${job}/captures`, body, headers)
  return { ...(await answer.json<CaptureJson>()), code: answer.status }
}

async function capturesOf(job: string) {
  const answer = await askWith(shop.token, 'GET', `/v2/paymentjobs/${job}/captures`)
  return (await answer.json<{ captures: CaptureJson[] }>()).captures.map(({ status }) => status)
}

function release(job: string) {
  return askWith(shop.token, 'POST', `/v2/paymentjobs/${job}/release`)
}

/** Sends Mollie's notification, after which the hub asks. */
async function notify(job: string): Promise<void> {
  waitForNextPull()
  await notifyOf(Object.assign(shop.world, { psp: 'mollie' }), job)
}

/** A job of 12.50 whose money Mollie holds. */
async function reserved(): Promise<string> {
  const { paymentJob: job } = await createJob(shop.token, { payment_method: 'creditcard', capture: 'manual' })
  shop.world.fake.bring(job, 'paid')
  await send(`/return/${job}`)
  expect(await readJob(shop.token, job)).toMatchObject({ status: 'PENDING', amountAuthorized: '12.50' })
  waitForNextPull()
  return job
}

function posts(end: string): number {
  return shop.world.asked.filter((asked) => asked.startsWith('POST') && asked.endsWith(end)).length
}

describe('money that Mollie holds', () => {
  it('is captured in a final part, and the rest is released', async () => {
    const job = await reserved()
    await capture(job, { amount: '5.00', final: true })
    await notify(job)
    expect(await readJob(shop.token, job)).toMatchObject({
      ...{ status: 'SUCCESS', amountPaid: '5.00', amountReleased: '7.50', amountDue: '0.00' },
    })
    await ringFor(job, 2 * DAY)
    expect([posts('/captures'), posts('/release-authorization')]).toEqual([1, 1])
  })

  it('is released, and the hub asks until Mollie has done that', async () => {
    const job = await reserved()
    shop.world.fake.manner.isReleaseSlow = true
    expect((await release(job)).status).toBe(200)
    expect((await readJob(shop.token, job)).status).toBe('PENDING')
    await ringFor(job, HOUR)
    expect((await capture(job)).code).toBe(409)
    shop.world.fake.endRelease(job)
    expect((await ringUntilFinal(job)).status).toBe('CANCELLED')
    await ringFor(job, 3 * DAY)
    expect([posts('/captures'), posts('/release-authorization')]).toEqual([0, 1])
  })

  it('is held again if a capture fails later, and captured by another one', async () => {
    const job = await reserved()
    shop.world.fake.manner.captures = 'pending'
    expect(await capture(job)).toMatchObject({ status: 'PENDING', amount: '12.50' })
    shop.world.fake.endCaptures(job, 'failed')
    await ringFor(job, HOUR)
    expect(await capturesOf(job)).toEqual(['FAILURE'])
    shop.world.fake.manner.captures = 'succeeded'
    expect(await capture(job)).toMatchObject({ code: 201, status: 'SUCCESS' })
    await notify(job)
    expect(await readJob(shop.token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('is held again if a capture fails after it had succeeded, and the shop learns why', async () => {
    const job = await reserved()
    expect(await capture(job, { amount: '5.00' })).toMatchObject({ status: 'SUCCESS' })
    await notify(job)
    shop.world.fake.endCaptures(job, 'failed')
    await notify(job)
    await ringFor(job, HOUR)
    await notify(job)
    expect(await capturesOf(job)).toEqual(['FAILURE'])
    expect(await readJob(shop.token, job)).toMatchObject({
      status: 'PENDING',
      amountPaid: '0.00',
      amountDue: '12.50',
    })
    expect(await capture(job)).toMatchObject({ code: 201, amount: '12.50' })
  })
})
