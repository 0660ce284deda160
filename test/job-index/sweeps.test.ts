import { untilTried } from '../support/jobs/reported.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createScheduledController, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UnreadableError } from '../../src/platform/stored.ts'
import worker from '../../src/index.ts'
import { rowOf } from '../../src/job/core/row.ts'
import { wakeJob } from '../../src/job/call-job.ts'
import { consumeSweeps } from '../../src/job-index/sweeps.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import wranglerToml from '../../wrangler.toml?raw'
import { type JobJson, createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import {
  alarmOf,
  objectOf,
  playObject,
  ringUntilFinal,
  stored,
  untilNothingIsDue,
} from '../support/jobs/job.ts'
import { batchOf } from '../support/hub/queue.ts'
import { receiver } from '../support/shops/receiver.ts'
import { row } from '../support/hub/shards.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Each test has its own time, at which no other file has jobs. */
let start = Date.UTC(2030, 0, 1, 10, 30)
let isShopDown = false
beforeEach(() => {
  start += 60 * DAY
  vi.setSystemTime(start)
  isShopDown = false
  receiver(() => new Response(null, { status: isShopDown ? 500 : 200 }))
})

const CRON = '17 * * * *'

/** Runs the schedule as the platform does, and returns the sweeps that it starts. */
async function runCron(hub: Env = env): Promise<unknown[]> {
  const sent: unknown[] = []
  const SWEEPS = {
    ...env.SWEEPS,
    sendBatch: async (all: { body: unknown }[]) => sent.push(...all.map(({ body }) => body)),
  }
  const controller = createScheduledController({ cron: CRON, scheduledTime: new Date() })
  await worker.scheduled?.(controller as never, { ...hub, SWEEPS } as never)
  return sent
}

/** Handles the messages of the schedule one by one, and the messages that these send. */
async function sweepAll(hub: Env = env): Promise<void> {
  const waiting = await runCron(hub)
  const send = async (body: unknown) => void waiting.push(body)
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
    const { batch, acked } = batchOf([message], 'payment-hub-sweeps')
    await consumeSweeps(batch, { ...hub, SWEEPS: { ...env.SWEEPS, send } } as never)
    expect(acked()).toBe(1)
  }
}

function loseAlarm(id: string) {
  return runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAlarm())
}
/** Writes the row of a job as its queue would. */
async function indexed(id: string): Promise<void> {
  await writeRows(env, [rowOf(await stored(id))])
}

it('wrangler.toml has the schedule, and an unknown one is a fault', async () => {
  expect(wranglerToml).toContain(`crons = ["${CRON}", `)
  const unknown = createScheduledController({ cron: '0 0 * * *' })
  await expect(worker.scheduled?.(unknown as never, env as never)).rejects.toThrow('nothing is scheduled')
})

describe('a job whose alarm the platform has given up', () => {
  let job: JobJson
  beforeEach(async () => {
    job = await createJob(await tokenFor(await makePos()))
    await indexed(job.paymentJob)
    await loseAlarm(job.paymentJob)
  })

  it('is woken by the schedule when it is a day old, and then needs no help to reach its end', async () => {
    vi.setSystemTime(start + 24 * HOUR)
    await sweepAll()
    expect(await alarmOf(job.paymentJob)).toBeNull()
    vi.setSystemTime(start + 26 * HOUR)
    await sweepAll()
    expect(await alarmOf(job.paymentJob)).not.toBeNull()
    expect((await ringUntilFinal(job.paymentJob)).status).toBe('EXPIRED')
  })

  it('is woken a day later if the schedule did not run or the queue did not take its message', async () => {
    vi.setSystemTime(start + 26 * HOUR)
    const down = { ...env, SWEEPS: { sendBatch: () => Promise.reject(new Error('queue is down')) } }
    vi.spyOn(console, 'error').mockReturnValue()
    const controller = createScheduledController({ cron: CRON, scheduledTime: new Date() })
    await worker.scheduled?.(controller as never, down as never)
    vi.setSystemTime(start + 50 * HOUR)
    await sweepAll()
    expect(await alarmOf(job.paymentJob)).not.toBeNull()
  })
})

describe('an ended job whose alarm the platform has given up', () => {
  const paidJob = async (): Promise<string> => {
    const { payUrl, paymentJob } = await createJob(await tokenFor(await makePos()))
    await payAs(payUrl, 'paid')
    return paymentJob
  }

  it('is woken five days after its creation, and its waiting report is delivered', async () => {
    isShopDown = true
    const id = await paidJob()
    expect(await untilTried(id)).toMatchObject({ state: 'due' })
    await indexed(id)
    await loseAlarm(id)
    isShopDown = false
    vi.setSystemTime(start + 119 * HOUR)
    await sweepAll()
    expect((await stored(id)).report?.state).toBe('due')
    await loseAlarm(id)
    vi.setSystemTime(start + 121 * HOUR)
    await sweepAll()
    expect(await alarmOf(id)).not.toBeNull()
    await vi.waitFor(async () => expect((await stored(id)).report?.state).toBe('delivered'), 15_000)
  })

  it('gets no alarm if only the purge is still to come', async () => {
    const id = await paidJob()
    await untilNothingIsDue(id)
    await loseAlarm(id)
    expect(await wakeJob(env, id)).toBe(true)
    expect(await alarmOf(id)).toBeNull()
  })
})

describe('a row of the index without a job', () => {
  const isThere = async (id: string) =>
    (await env.DB.prepare('select 1 as n from jobs where id = ?').bind(id).first('n')) === 1

  it('is removed by the sweep that finds it, and the row of a job stays', async () => {
    const { paymentJob: id } = await createJob(await tokenFor(await makePos()))
    await indexed(id)
    const gone = row({ pos: `gone-${start}`, created: start * 1000 })
    await writeRows(env, [gone])
    vi.setSystemTime(start + 26 * HOUR)
    await sweepAll()
    await vi.waitFor(async () => expect(await isThere(gone.id)).toBe(false), 15_000)
    expect(await isThere(id)).toBe(true)
  })

  it('is found again if the queue does not take its message, and other jobs are woken', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const { paymentJob: id } = await createJob(await tokenFor(await makePos()))
    await indexed(id)
    await loseAlarm(id)
    const gone = row({ pos: `gone-${start}`, created: start * 1000 })
    await writeRows(env, [gone])
    vi.setSystemTime(start + 26 * HOUR)
    const down = { ...env.JOB_INDEX, send: () => Promise.reject(new Error('queue is down')) }
    await sweepAll({ ...env, JOB_INDEX: down as never })
    expect(await isThere(gone.id)).toBe(true)
    expect(await alarmOf(id)).not.toBeNull()
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: 'sweep.failed', job: gone.id }))
  })

  it('stays if its job cannot be read', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { paymentJob: id } = await createJob(await tokenFor(await makePos()))
    await indexed(id)
    await loseAlarm(id)
    const sent = vi.spyOn(env.JOB_INDEX, 'send')
    const wake = () => Promise.reject(new UnreadableError('the job', { is: 'newer', detail: 'is newer' }))
    playObject(id, () => ({ wake }))
    vi.setSystemTime(start + 26 * HOUR)
    await sweepAll()
    expect(sent.mock.calls.filter(([body]) => JSON.stringify(body).includes(id))).toEqual([])
  })
})

it('waking an id without a job does nothing', async () => {
  const id = crypto.randomUUID()
  await wakeJob(env, id)
  expect(await alarmOf(id)).toBeNull()
})

describe('a change of RETENTION_DAYS', () => {
  const { retention } = readConfig(env)
  afterEach(() => void Object.assign(readConfig(env), { retention }))

  const setRetention = (id: string, days: number) =>
    runInDurableObject(objectOf(id), (instance) => {
      // Changes the object's own copy of the configuration, which it reads only once.
      Object.assign(readConfig(Reflect.get(instance, 'env') as Env), { retention: days * DAY })
    })

  const paidJob = async (): Promise<string> => {
    const { payUrl, paymentJob } = await createJob(await tokenFor(await makePos()))
    await payAs(payUrl, 'paid')
    await untilNothingIsDue(paymentJob)
    await indexed(paymentJob)
    return paymentJob
  }

  it('to fewer days reaches existing jobs: the schedule purges them', async () => {
    const id = await paidJob()
    await setRetention(id, 30)
    vi.setSystemTime(start + 30 * DAY - HOUR)
    await sweepAll({ ...env, RETENTION_DAYS: '30' })
    expect(await objectOf(id).read()).not.toBeNull()
    vi.setSystemTime(start + 30 * DAY + 2 * HOUR)
    await sweepAll({ ...env, RETENTION_DAYS: '30' })
    expect(await objectOf(id).read()).toBeNull()
  })

  it('to more days reaches them too: neither the schedule nor an earlier alarm purges them at the old time', async () => {
    const id = await paidJob()
    await setRetention(id, 800)
    const old = start + 400 * DAY + HOUR
    vi.setSystemTime(old)
    await sweepAll({ ...env, RETENTION_DAYS: '800' })
    await runInDurableObject(objectOf(id), (_, { storage }) => storage.setAlarm(old))
    await runDurableObjectAlarm(objectOf(id))
    expect(await objectOf(id).read()).not.toBeNull()
    expect(await alarmOf(id)).toBeNull()
  })
})
