import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GRACE, jobNow, realAt } from '../../src/job/rules/job-clock.ts'
import type { Report } from '../../src/job/rules/job.ts'
import { toRow } from '../../src/job/rules/job-row.ts'
import { dispatch } from '../../src/job/rules/reporting.ts'
import { purgeAt } from '../../src/job/rules/timers.ts'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import {
  type JobJson,
  create,
  location,
  makePos,
  order,
  payAs,
  readJob,
  send,
  tokenFor,
} from '../support/hub.ts'
import { RETENTION, objectOf, stored } from '../support/job.ts'
import { makeLivePos } from '../support/live-pos.ts'
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

function createWith(token: string, speed: string, more: Record<string, string> = {}): Promise<Response> {
  return create(token, order, { 'test-clock-speed': speed, ...more })
}

async function createFast(speed: string): Promise<{ token: string; job: JobJson }> {
  const token = await tokenFor(await makePos())
  const response = await createWith(token, speed)
  expect(response.status).toBe(201)
  return { token, job: await response.json() }
}

const dueReport: Report = { revision: 2, state: 'waiting', dueAt: 0, tries: 0, attempts: [] }

/** Moves the clock on (Date alone), and rings the alarm as the platform would by then. */
async function ringAfter(id: string, ms: number) {
  vi.setSystemTime(Date.now() + ms)
  await runDurableObjectAlarm(objectOf(id))
  return stored(id)
}

describe('Test-Clock-Speed', () => {
  it.each(['', '0', '-5', '1.5', '100001', '1e3', 'fast'])('%j is refused by name', async (speed) => {
    const response = await createWith(await tokenFor(await makePos()), speed)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      field: 'Test-Clock-Speed',
      detail: 'Test-Clock-Speed must be a whole number from 1 to 100000.',
    })
  })

  it('is refused to a point of sale in live mode, and nothing is announced', async () => {
    const response = await createWith(await tokenFor(await makeLivePos()), '1000')
    expect(response.status).toBe(403)
    const { code, detail } = await response.json<{ code: string; detail: string }>()
    expect([code, detail]).toEqual(['test-mode-only', 'Test-Clock-Speed is for points of sale in test mode.'])
    expect(shop.received.filter(({ url }) => url.includes('mollie'))).toEqual([])
  })

  it('changes nothing of who has a key already', async () => {
    const token = await tokenFor(await makePos())
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await (await createWith(token, '1000', key)).json<JobJson>()
    const again = await (await createWith(token, '5', key)).json<JobJson>()
    const without = await (await create(token, order, key)).json<JobJson>()
    expect([again.paymentJob, without.paymentJob]).toEqual([first.paymentJob, first.paymentJob])
    expect((await stored(first.paymentJob)).clock?.speed).toBe(1000)
  })
})

describe('a job with a clock of its own', () => {
  it('leaves the customer ten seconds, and then expires as soon as its clock says', async () => {
    const { token, job } = await createFast('1000')
    expect((await send(job.payUrl)).status).toBe(303)
    // A quarter of an hour and the minute of grace take a second.
    await ringAfter(job.paymentJob, GRACE + 1000)
    const done = await vi.waitFor(async () => {
      const current = await ringAfter(job.paymentJob, 1000)
      expect(current.status).toBe('EXPIRED')
      return current
    })
    const ended = done.steps.at(-1)?.at ?? 0
    expect((ended - done.created) / 1000).toBeGreaterThan(15 * 60_000)
    const trace = (await readJob(token, job.paymentJob)).payments.steps.map(
      ({ creationDate }) => creationDate,
    )
    expect(trace).toEqual([...new Set(trace)].toSorted())
  })

  it('has its sandbox payment follow it: money that comes an hour late comes in seconds', async () => {
    const { job } = await createFast('3600')
    const reference =
      location(await send(job.payUrl))
        .split('/')
        .at(-1) ?? ''
    const late = await send(`/sandbox/payments/${reference}/late`, {
      method: 'POST',
      body: JSON.stringify({ after: 3600 }),
    })
    expect(late.status).toBe(200)
    await vi.waitFor(async () => expect((await stored(job.paymentJob)).status).toBe('EXPIRED'))
    vi.setSystemTime(Date.now() + GRACE + 1500)
    await vi.waitFor(async () => {
      vi.setSystemTime(Date.now() + 1000)
      await runDurableObjectAlarm(env.SANDBOX_PAYMENT.getByName(reference))
      expect((await stored(job.paymentJob)).status).toBe('SUCCESS')
    })
    expect((await stored(job.paymentJob)).late).toBe(true)
  })

  it('tries its report eleven times over three days of its own, with times that only grow', async () => {
    answer = () => new Response(null, { status: 500 })
    const { job } = await createFast('100000')
    const id = job.paymentJob
    const start = Date.now()
    await payAs(job.payUrl, 'paid')
    vi.setSystemTime(Date.now() + GRACE)
    const report = await vi.waitFor(async () => {
      const [first] = (await ringAfter(id, 1000)).reports
      expect(first?.state).toBe('dead')
      return first
    }, 60_000)
    const times = report?.attempts.map(({ at }) => at) ?? []
    expect(times).toHaveLength(11)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(((times.at(-1) ?? 0) - (times[0] ?? 0)) / HOUR).toBeGreaterThan(65)
    expect(Date.now() - start).toBeLessThan(10 * 60_000)
    // What signs a report is the real time: a receiver compares it with its own.
    const [sent] = shop.of(id)
    expect(Math.abs(Number(sent?.headers['webhook-timestamp']) * 1000 - start)).toBeLessThan(10 * 60_000)
  }, 90_000)

  it('misses no refund that comes right after the payment, when the PSP may not be asked again yet', async () => {
    const { job } = await createFast('1000')
    const id = job.paymentJob
    const reference =
      location(await send(job.payUrl))
        .split('/')
        .at(-1) ?? ''
    vi.setSystemTime(Date.now() + GRACE)
    const act = async (action: string) => {
      expect((await send(`/sandbox/payments/${reference}/${action}`, { method: 'POST' })).status).toBe(200)
      // The notification follows after a third of a second of the job's time.
      vi.setSystemTime(Date.now() + 1)
      await runDurableObjectAlarm(env.SANDBOX_PAYMENT.getByName(reference))
    }
    await act('pay')
    await vi.waitFor(async () => expect((await stored(id)).status).toBe('SUCCESS'))
    vi.setSystemTime(Date.now() + 500)
    await act('refund')
    const asked = await stored(id)
    expect(realAt(asked.clock, asked.pullAt ?? 0) - Date.now()).toBeGreaterThan(1000)
    expect(realAt(asked.clock, asked.pullAt ?? 0) - Date.now()).toBeLessThanOrEqual(2000)
    const refunded = await ringAfter(id, 2000)
    expect(refunded.moneyBack?.refunded).toBe(1250)
  })

  it('has a row in the index with real times, and messages that a queue may hold for as long as any', async () => {
    const { job } = await createFast('100000')
    await ringAfter(job.paymentJob, GRACE + 20_000)
    const current = await vi.waitFor(async () => {
      const found = await ringAfter(job.paymentJob, 1000)
      expect(found.status).toBe('EXPIRED')
      return found
    })
    expect(current.updated / 1000 - Date.now()).toBeGreaterThan(10 * DAY)
    expect(Math.abs(toRow(current).updated / 1000 - Date.now())).toBeLessThan(60_000)
    const sent = dispatch({ ...current, flight: null, reports: [dueReport] }, current.updated / 1000)
    const until =
      realAt(current.clock, sent.flight?.until ?? 0) - realAt(current.clock, current.updated / 1000)
    expect(Math.abs(until - 30_000)).toBeLessThan(2)
  })

  it('is there to be looked at for the real retention time', async () => {
    const { job } = await createFast('100000')
    await payAs(job.payUrl, 'paid')
    const paid = await vi.waitFor(async () => {
      const current = await stored(job.paymentJob)
      expect(current.reports[0]?.state).toBe('delivered')
      return { ...current, pullAt: null }
    })
    const purge = purgeAt(paid, RETENTION) ?? 0
    const changed = realAt(paid.clock, Math.floor(paid.updated / 1000))
    expect(realAt(paid.clock, purge) - changed).toBe(RETENTION)
    expect(jobNow(paid.clock, changed + RETENTION - DAY)).toBeLessThan(purge)
  })
})
