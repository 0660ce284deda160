import { consumeSweeps } from '../../src/job-index/sweeps.ts'
import { sweepMessage } from '../../src/job-index/sweep-message.ts'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { duties } from '../../src/job/core/duties.ts'
import { type JobKey, rowOf } from '../../src/job/core/row.ts'
import type { State } from '../../src/job/core/state.ts'
import { DAY } from '../../src/contract/timestamp.ts'
import { wakeJob } from '../../src/job/call-job.ts'
import { rowsOf, writeRows } from '../../src/job-index/job-index.ts'
import { directoryPage } from '../../src/job-index/job-directory.ts'
import { createJob, makePos, order, payAs, read, send, tokenFor } from '../support/hub/hub.ts'
import {
  RETENTION,
  alarmOf,
  objectOf,
  recordAnswer,
  ringNext,
  stored,
  untilNothingIsDue,
} from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { loggedOf } from '../support/logged.ts'
import { batchOf } from '../support/hub/queue.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'
import { receiver } from '../support/shops/receiver.ts'

async function reported() {
  receiver()
  const pos = await makePos()
  const { payUrl, paymentJob } = await createJob(await tokenFor(pos))
  await payAs(payUrl, 'paid')
  // The sandbox’s notification brings the last step.
  await vi.waitFor(async () => expect((await stored(paymentJob)).steps).toHaveLength(3))
  await untilNothingIsDue(paymentJob)
  await expect.poll(() => rowsInIndex(paymentJob), { timeout: 5000 }).toBe(1)
  return { pos, paymentJob }
}

/** Returns when (ms) a job is purged; null while it has another duty. */
function purgeAt(job: State): number | null {
  return duties(job, Date.now(), RETENTION).find((duty) => duty.do === 'purge')?.at ?? null
}

/** Moves the clock to the end of the job's retention time. */
async function untilItsTimeIsOver(id: string): Promise<void> {
  for (let rings = 0; rings < 99 && purgeAt(await stored(id)) === null; rings++) {
    await ringNext(id)
    // Queues need some real time.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  vi.setSystemTime(purgeAt(await stored(id)) ?? Number.NaN)
}

/** Sweeps as the schedule does then, but only this job: other files sweep their own. */
async function sweep(id: string, hub: Env = env): Promise<void> {
  const [found] = await rowsOf(env, [await stored(id)])
  if (!found) throw new Error('the job has no row')
  await sweepRow(found, hub)
}
function sweepRow(
  { created }: JobKey,
  hub: Env = env,
  changedBefore: number | null = (Date.now() + 1 - RETENTION) * 1000,
): Promise<void> {
  const only = {
    status: null,
    from: created,
    to: created + 1,
    changedBefore,
  }
  return consumeSweeps(batchOf([sweepMessage.write({ sweep: only, after: null })]).batch, hub)
}

/** Rings the alarm for the purge, which a job sets if it is read after its time. */
async function ringToPurge(id: string): Promise<void> {
  await untilItsTimeIsOver(id)
  await runInDurableObject(objectOf(id), (_, { storage }) => storage.setAlarm(Date.now()))
  await runDurableObjectAlarm(objectOf(id))
}

function rowsInIndex(id: string) {
  return env.DB.prepare('select count(*) as n from jobs where id = ?').bind(id).first('n')
}

/** Returns how many objects and rows of jobs have been deleted, on all days together. */
async function purgedSoFar() {
  const { forgotten } = await (
    await operate('GET', '/retention')
  ).json<{ forgotten: { objects: number; rows: number }[] }>()
  return forgotten.reduce((sum, { objects, rows }) => [sum[0] + objects, sum[1] + rows] as const, [
    0, 0,
  ] as readonly [number, number])
}

it('a job whose alarm is never set again is purged by the sweep after its time, with its object, alarm and row, and is counted', async () => {
  const [objects, gone] = await purgedSoFar()
  const { pos, paymentJob: id } = await reported()
  await expect.poll(() => rowsInIndex(id), { timeout: 5000 }).toBe(1)
  await untilItsTimeIsOver(id)
  await runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAlarm())
  const errors = vi.spyOn(console, 'error')
  await sweep(id)
  expect(loggedOf(errors, id)).toEqual([])
  const kept = await runInDurableObject(objectOf(id), async (_, state) => [
    ...state.storage.kv.list(),
    await state.storage.getAlarm(),
  ])
  expect(kept).toEqual([null])
  await expect.poll(() => rowsInIndex(id), { timeout: 5000 }).toBe(0)
  vi.useRealTimers()
  expect((await read(await tokenFor(pos), id)).status).toBe(404)
  // At least: jobs of other files may be purged, too, while the clock is ahead.
  const [objectsNow, goneNow] = await purgedSoFar()
  expect(objectsNow).toBeGreaterThan(objects)
  expect(goneNow).toBeGreaterThan(gone)
})

it('the sweep deletes the customer’s IP address 30 days after the creation, with one write and no alarm', async () => {
  const { paymentJob: id } = await reported()
  const { created, entry } = await stored(id)
  const key = { id, created, pos: '' }
  await runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAlarm())
  vi.setSystemTime(created / 1000 + 30 * DAY - 1000)
  await sweepRow(key, env, null)
  expect((await stored(id)).order.ipAddress).toBe(order.ip_address)
  const writes = await runInDurableObject(objectOf(id), (_, { storage }) => vi.spyOn(storage.kv, 'put'))
  vi.setSystemTime(created / 1000 + 30 * DAY + 1000)
  await sweepRow(key, env, null)
  const after = await stored(id)
  expect([after.order.ipAddress, after.entry, await alarmOf(id)]).toEqual(['', entry, null])
  expect(writes.mock.calls.map(([name]) => name)).toEqual(['000001'])
})

it('an ended job sets no alarm for its purge, and an old alarm has no effect', async () => {
  const { paymentJob: id } = await reported()
  const purge = purgeAt(await stored(id)) ?? 0
  expect((await alarmOf(id)) ?? 0).toBeLessThan(purge - 100 * DAY)
  await untilItsTimeIsOver(id)
  vi.setSystemTime(Date.now() - DAY)
  await runDurableObjectAlarm(objectOf(id))
  expect(await alarmOf(id)).toBeNull()
  await sweep(id)
  expect([await alarmOf(id), (await stored(id)).id]).toEqual([null, id])
})

it('if a sweep is cut off before the index has the message of a purge, the next one completes it', async () => {
  const { paymentJob: id } = await reported()
  await expect.poll(() => rowsInIndex(id), { timeout: 5000 }).toBe(1)
  await untilItsTimeIsOver(id)
  const [row] = await rowsOf(env, [await stored(id)])
  if (!row) throw new Error('the job has no row')
  vi.spyOn(console, 'error').mockReturnValue()
  const down = { ...env, JOB_INDEX: { send: () => Promise.reject(new Error('queue is down')) } }
  await sweepRow(row, down as never)
  expect([await objectOf(id).read(), await rowsInIndex(id)]).toEqual([null, 1])
  await sweepRow(row)
  await expect.poll(() => rowsInIndex(id), { timeout: 5000 }).toBe(0)
})

it('a job that changed late is purged one retention time after that', async () => {
  const { paymentJob: id } = await reported()
  await untilItsTimeIsOver(id)
  const first = Date.now()
  vi.setSystemTime(first - 2 * DAY)
  await recordAnswer(id, { is: 'observed', status: 'SUCCESS', paid: 1300, expiresAt: null })
  await untilNothingIsDue(id)
  vi.setSystemTime(first)
  expect(await wakeJob(env, id)).toBe(true)
  await untilItsTimeIsOver(id)
  expect(Date.now()).toBeGreaterThan(first + RETENTION - 3 * DAY)
  await sweep(id)
  expect(await objectOf(id).read()).toBeNull()
})

it('a job is not purged while a refund is under way', async () => {
  const { paymentJob: id } = await reported()
  await untilItsTimeIsOver(id)
  const wanted = { id: 'r1', fingerprint: 'f', call: 'c', amount: 500, description: 'd' }
  await objectOf(id).refund(wanted, 'request')
  await sweep(id)
  expect(await objectOf(id).read()).not.toBeNull()
  expect(await alarmOf(id)).toBeLessThan(Date.now() + DAY)
  await untilItsTimeIsOver(id)
  await sweep(id)
  expect(await objectOf(id).read()).toBeNull()
})

it('a job whose row was lost is purged once the index has been rebuilt', async () => {
  const { paymentJob: id } = await reported()
  await expect.poll(() => rowsInIndex(id), { timeout: 5000 }).toBe(1)
  const job = await stored(id)
  await env.DB.prepare('delete from jobs where id = ?').bind(id).run()
  await untilItsTimeIsOver(id)
  const day = new Date(job.created / 1000).toISOString().slice(0, 10)
  // The message of its creation adds it there, perhaps after the row of its end.
  await vi.waitFor(
    async () => expect((await directoryPage(env, day, null, 100_000)).ids).toContain(id),
    10_000,
  )
  await writeRows(env, [rowOf(await stored(id))])
  await sweep(id)
  expect(await objectOf(id).read()).toBeNull()
  await expect.poll(() => rowsInIndex(id), { timeout: 5000 }).toBe(0)
})

it('a job that is read after its time, although no sweep came, sets the alarm that purges it', async () => {
  const { paymentJob: id } = await reported()
  await untilItsTimeIsOver(id)
  vi.setSystemTime(Date.now() + 9 * DAY)
  await runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAlarm())
  await evictDurableObject(objectOf(id))
  await objectOf(id).read()
  await vi.waitFor(async () => expect(await alarmOf(id)).not.toBeNull())
  await runDurableObjectAlarm(objectOf(id))
  expect(await objectOf(id).read()).toBeNull()
})

it('a job is not purged while the index queue refuses the message, and the log says so', async () => {
  const { paymentJob } = await reported()
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(env.JOB_INDEX, 'send').mockRejectedValue(new Error('queue is down'))
  await ringToPurge(paymentJob)
  expect(loggedOf(errors, paymentJob)).toMatchObject([{ event: 'job.duty-failed', duty: 'purge' }])
  expect(await objectOf(paymentJob).read()).not.toBeNull()
  expect(
    await runInDurableObject(objectOf(paymentJob), (_, state) => state.storage.getAlarm()),
  ).toBeGreaterThan(Date.now())
})

it('a job is not purged while the hub asks its PSP: the answer may be a late payment', async () => {
  const world = outside()
  const { paymentJob: id } = await createJob(await tokenFor(await makeLivePos()))
  world.fake.bring(id, 'paid')
  await send(`/return/${id}`)
  await untilNothingIsDue(id)
  await untilItsTimeIsOver(id)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  world.fault = async (request) => {
    await answered
    return world.fake.handle(request)
  }
  const question = objectOf(id).ask({ why: 'operator' })
  const sends = vi.spyOn(env.JOB_INDEX, 'send')
  expect(await wakeJob(env, id)).toBe(true)
  expect(sends.mock.calls.filter(([body]) => JSON.stringify(body).includes(id))).toEqual([])
  answer()
  expect(await question).toMatchObject({ isAnswered: true, job: { id } })
})

it('a late payment that comes while its job is being purged keeps the job, and its row', async () => {
  const { payUrl, paymentJob: id } = await createJob(await tokenFor(await makePos()))
  receiver()
  await payAs(payUrl, 'expired')
  await untilNothingIsDue(id)
  const rowStatus = () => env.DB.prepare('select status from jobs where id = ?').bind(id).first('status')
  await expect.poll(rowStatus, { timeout: 5000 }).toBe('EXPIRED')

  const sendOn = env.JOB_INDEX.send.bind(env.JOB_INDEX)
  vi.spyOn(env.JOB_INDEX, 'send').mockImplementation(async (body, options) => {
    const isPurge = 'forgotten' in (body as object)
    if (isPurge) {
      const paid = { is: 'observed', status: 'SUCCESS', paid: 1250, expiresAt: null } as const
      await recordAnswer(id, paid)
    }
    return sendOn(body, options)
  })
  await ringToPurge(id)
  expect((await stored(id)).status).toBe('SUCCESS')
  expect(await runInDurableObject(objectOf(id), (_, state) => state.storage.getAlarm())).not.toBeNull()
  vi.useRealTimers()
  await expect.poll(rowStatus, { timeout: 5000 }).toBe('SUCCESS')
})
