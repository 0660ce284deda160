import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { purgeAt } from '../../src/psp/sandbox/payment.ts'
import { createJob, makePos, send, tokenFor } from '../support/hub/hub.ts'
import { stored as storedJob } from '../support/jobs/job.ts'
import { receiver } from '../support/shops/receiver.ts'
import { checkoutOf, choose, get, make, objectOf, referenceOf, sandbox } from './client.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * The clock stands still, ahead of the platform's, so an alarm rings only when the test rings it.
 */
const START = Math.ceil(Date.now() / 1000) * 1000 + 60 * MINUTE
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})

function alarmOf(id: string) {
  return runInDurableObject(objectOf(id), (_, { storage }) => storage.getAlarm())
}
function keysOf(id: string) {
  return runInDurableObject(objectOf(id), (_, { storage }) => Array.from(storage.kv.list(), ([key]) => key))
}

async function ringAt(id: string, time: number): Promise<void> {
  vi.setSystemTime(time)
  await runDurableObjectAlarm(objectOf(id))
}

describe('a payment is deleted', () => {
  it.each(['paid', 'failed', 'canceled', 'expired'])('30 days after it was %s', async (outcome) => {
    const { id } = await make()
    vi.setSystemTime(START + 5 * MINUTE)
    await choose(id, outcome)
    const end = START + 5 * MINUTE + 30 * DAY
    // The notification comes first.
    await ringAt(id, START + 5 * MINUTE + 300)
    expect(await alarmOf(id)).toBe(end)
    await ringAt(id, end - 1)
    expect(await get(id)).toHaveProperty('status', outcome)
    await ringAt(id, end)
    expect([await keysOf(id), await alarmOf(id)]).toEqual([[], null])
    expect(await sandbox.ask(id, 'EUR')).toEqual({ is: 'unknown' })
    expect((await send(checkoutOf(id))).status).toBe(404)
  })

  it('30 days after it expired, if it was never completed', async () => {
    const { id } = await make()
    expect(await alarmOf(id)).toBe(START + 15 * MINUTE + 30 * DAY)
    await ringAt(id, START + 15 * MINUTE + 30 * DAY)
    expect([await keysOf(id), await alarmOf(id)]).toEqual([[], null])
  })

  it('like a job, if jobs are kept for less', async () => {
    const { id } = await make()
    const payment = await objectOf(id).read()
    if (!payment) throw new Error('there is no payment')
    expect(purgeAt(payment, 7 * DAY)).toBe(START + 15 * MINUTE + 7 * DAY)
    expect(purgeAt(payment, 400 * DAY)).toBe(START + 15 * MINUTE + 30 * DAY)
  })
})

it('an alarm never throws, whatever is stored, and comes again later', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const { id } = await make()
  const future = { version: 99, whatever: 'a later release writes' }
  await runInDurableObject(objectOf(id), (_, { storage }) => storage.kv.put('payment', future))
  await ringAt(id, START + 40 * DAY)
  expect(await alarmOf(id)).toBe(START + 40 * DAY + MINUTE)
  expect(errors).toHaveBeenCalledWith(expect.objectContaining({ event: 'alarm.failed', payment: id }))
  expect(await runInDurableObject(objectOf(id), (_, { storage }) => storage.kv.get('payment'))).toEqual(
    future,
  )
})

describe('a job whose payment is deleted', () => {
  const jobWith = async (outcome: string) => {
    receiver()
    const { payUrl, paymentJob } = await createJob(await tokenFor(await makePos()))
    const id = await referenceOf(payUrl)
    await choose(id, outcome)
    await send(`/return/${paymentJob}`)
    await ringAt(id, START + 300)
    await ringAt(id, START + 31 * DAY)
    expect(await keysOf(id)).toEqual([])
    return { paymentJob, id }
  }

  it.each([
    ['paid', 'SUCCESS', 1250],
    ['failed', 'FAILURE', 0],
    ['canceled', 'CANCELLED', 0],
  ])('keeps its end, and says that nothing more is known: %s', async (outcome, status, paid) => {
    const { paymentJob, id } = await jobWith(outcome)
    const notified = await send(`/notifications/sandbox/${paymentJob}`, {
      method: 'POST',
      body: new URLSearchParams({ id }),
    })
    // It is 200 if the hub asks by itself, because of an earlier notification.
    expect([200, 503]).toContain(notified.status)
    vi.setSystemTime(Date.now() + MINUTE)
    expect((await send(`/return/${paymentJob}`)).status).toBe(303)
    expect(await storedJob(paymentJob)).toMatchObject({ status, paid, revision: 2 })
  })
})
