import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GRACE, jobNow, realAt } from '../../src/job/rules/job-clock.ts'
import { MINUTE } from '../../src/contract/timestamp.ts'
import {
  type JobJson,
  type Pos,
  create,
  location,
  makePos,
  order,
  payAs,
  send,
  tokenFor,
} from '../support/hub.ts'
import { objectOf, stored } from '../support/job.ts'
import { listen } from '../support/listener.ts'
import { receiver } from '../support/receiver.ts'

let shop: ReturnType<typeof receiver>
let answer: () => Response
beforeEach(() => {
  answer = () => new Response('ok')
  shop = receiver(() => answer())
})
afterEach(() => {
  shop.stop()
  vi.useRealTimers()
})

async function createFast(speed: string, pos?: Pos): Promise<{ token: string; job: JobJson }> {
  const token = await tokenFor(pos ?? (await makePos()))
  const response = await create(token, order, { 'test-clock-speed': speed })
  expect(response.status).toBe(201)
  return { token, job: await response.json() }
}

describe('times of a job with a clock of its own', () => {
  it('has at least a second between two alarms, however many of its timers are due by then', async () => {
    const { job } = await createFast('100000')
    expect((await send(job.payUrl)).status).toBe(303)
    // Three minutes of its own after it was created: its next pull is due within a few real milliseconds.
    vi.setSystemTime(realAt((await stored(job.paymentJob)).clock, Date.now() + 3 * MINUTE))
    await runDurableObjectAlarm(objectOf(job.paymentJob))
    const { clock, alarmAt, status } = await stored(job.paymentJob)
    expect(status).toBe('PENDING')
    expect(realAt(clock, alarmAt ?? Infinity)).toBeLessThan(Date.now() + 500)
    const alarm = await runInDurableObject(objectOf(job.paymentJob), (_, { storage }) => storage.getAlarm())
    expect(alarm).toBe(Date.now() + 1000)
  })

  it('has a refund begin at the time of its own clock, as all of its trace', async () => {
    const { token, job } = await createFast('1000')
    await payAs(job.payUrl, 'paid')
    vi.setSystemTime(Date.now() + GRACE + 10_000)
    const refunded = await send(`/v2/paymentjobs/${job.paymentJob}/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: '5.00' }),
    })
    expect(refunded.status).toBe(201)
    const { clock, moneyBack } = await stored(job.paymentJob)
    expect(jobNow(clock, Date.now()) - Date.now()).toBeGreaterThan(60 * MINUTE)
    expect(moneyBack?.refunds[0]?.at).toBe(jobNow(clock, Date.now()))
  })

  it('has its sandbox payment wake at the real time of what becomes of it', async () => {
    const { job } = await createFast('3600')
    const reference =
      location(await send(job.payUrl))
        .split('/')
        .at(-1) ?? ''
    const slow = await send(`/sandbox/payments/${reference}/underway`, {
      method: 'POST',
      body: JSON.stringify({ after: 3600 }),
    })
    expect(slow.status).toBe(200)
    const payment = env.SANDBOX_PAYMENT.getByName(reference)
    const alarm = await runInDurableObject(payment, (_, { storage }) => storage.getAlarm())
    expect(Math.abs((alarm ?? 0) - Date.now() - GRACE)).toBeLessThan(MINUTE)
  })

  it('has the next try at its report shown to listeners as the real time', async () => {
    answer = () => new Response('no', { status: 500 })
    const pos = await makePos()
    const { job } = await createFast('1000', pos)
    // Ten minutes of its own clock.
    vi.setSystemTime(Date.now() + GRACE + 600)
    const watcher = await listen(pos.apiKey, { as: 'watches' })
    await payAs(job.payUrl, 'paid')
    const [result] = await watcher.until('result')
    expect(result).toMatchObject({ outcome: '500', state: 'waiting' })
    expect(Math.abs(Date.parse(result?.nextTry ?? '') - Date.now())).toBeLessThan(MINUTE)
  })
})
