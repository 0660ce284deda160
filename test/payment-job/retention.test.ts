import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { nextWake } from '../../src/domain/timers.ts'
import { createJob, makePos, payAs, read, tokenFor } from '../support/hub.ts'
import { RETENTION, objectOf, ringNext, stored, untilNothingIsDue } from '../support/job.ts'
import { operate } from '../support/operator.ts'
import { receiver } from '../support/receiver.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const reported = async () => {
  receiver()
  const pos = await makePos()
  const { payUrl, paymentJob } = await createJob(await tokenFor(pos))
  await payAs(payUrl, 'paid')
  // The sandbox's notification brings the last step.
  await vi.waitFor(async () => expect((await stored(paymentJob)).steps).toHaveLength(3))
  await untilNothingIsDue(paymentJob)
  return { pos, paymentJob }
}

const ringUntilPurged = async (id: string): Promise<void> => {
  for (let rings = 0; rings < 5 && (await objectOf(id).read()); rings++)
    await ringNext(id).catch(() => undefined)
}

/** How many objects and rows of jobs have gone, on all days together. */
const purgedSoFar = async () => {
  const { forgotten } = await (
    await operate('GET', '/retention')
  ).json<{ forgotten: { objects: number; rows: number }[] }>()
  return forgotten.reduce((sum, { objects, rows }) => [sum[0] + objects, sum[1] + rows] as const, [
    0, 0,
  ] as readonly [number, number])
}

it('a job is purged after its time: object, alarm and row; and is counted', async () => {
  const [objects, gone] = await purgedSoFar()
  const { pos, paymentJob } = await reported()
  const start = Date.now()
  const rows = () => env.DB.prepare('select count(*) as n from jobs where id = ?').bind(paymentJob).first('n')
  await expect.poll(rows, { timeout: 5000 }).toBe(1)
  await ringUntilPurged(paymentJob)
  expect(Date.now() - start).toBeGreaterThan(RETENTION - 60_000)
  const kept = await runInDurableObject(objectOf(paymentJob), async (_, state) => [
    ...state.storage.kv.list(),
    await state.storage.getAlarm(),
  ])
  expect(kept).toEqual([null])
  await expect.poll(rows, { timeout: 5000 }).toBe(0)
  vi.useRealTimers()
  expect((await read(await tokenFor(pos), paymentJob)).status).toBe(404)
  // At least: while the clock is ahead, jobs of other files may be purged too.
  const [objectsNow, goneNow] = await purgedSoFar()
  expect(objectsNow).toBeGreaterThan(objects)
  expect(goneNow).toBeGreaterThan(gone)
})

it('a job is not purged while the index queue does not take the word', async () => {
  const { paymentJob } = await reported()
  vi.spyOn(env.JOB_INDEX, 'send').mockRejectedValue(new Error('queue is down'))
  await ringUntilPurged(paymentJob)
  expect(await objectOf(paymentJob).read()).not.toBeNull()
  expect(
    await runInDurableObject(objectOf(paymentJob), (_, state) => state.storage.getAlarm()),
  ).toBeGreaterThan(Date.now())
})

it('a job is not purged while its PSP is being asked: the answer may be a late payment', async () => {
  const { paymentJob: id } = await reported()
  const call = { id: crypto.randomUUID(), reason: 'notification' } as const
  const early = nextWake(await stored(id), RETENTION)
  vi.setSystemTime(early)
  expect(await objectOf(id).beginPull(call)).toMatchObject({ is: 'pull' })
  await runDurableObjectAlarm(objectOf(id))
  const answer = { is: 'observed', status: 'SUCCESS', paid: 1250, expiresAt: null } as const
  expect(await objectOf(id).endPull(call, { answer, stopped: false })).toMatchObject({ paid: 1250 })
  expect(await runInDurableObject(objectOf(id), (_, state) => state.storage.getAlarm())).not.toBeNull()
})

it('a late payment that comes while its job is being purged keeps the job, and its row', async () => {
  const { payUrl, paymentJob: id } = await createJob(await tokenFor(await makePos()))
  receiver()
  await payAs(payUrl, 'expired')
  await vi.waitFor(async () => expect((await stored(id)).reports[0]?.state).toBe('delivered'))
  const rowStatus = () => env.DB.prepare('select status from jobs where id = ?').bind(id).first('status')
  await expect.poll(rowStatus, { timeout: 5000 }).toBe('EXPIRED')

  const send = env.JOB_INDEX.send.bind(env.JOB_INDEX)
  vi.spyOn(env.JOB_INDEX, 'send').mockImplementation(async (body, options) => {
    const isPurge = 'forgotten' in (body as object)
    if (isPurge) {
      const paid = { is: 'observed', status: 'SUCCESS', paid: 1250, expiresAt: null } as const
      await objectOf(id).record('Statuspull', paid)
    }
    return send(body, options)
  })
  await ringUntilPurged(id)
  expect((await stored(id)).status).toBe('SUCCESS')
  expect(await runInDurableObject(objectOf(id), (_, state) => state.storage.getAlarm())).not.toBeNull()
  vi.useRealTimers()
  await expect.poll(rowStatus, { timeout: 5000 }).toBe('SUCCESS')
})
