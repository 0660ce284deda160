import { birthOf } from '../support/jobs/played-job.ts'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { purgeStorage } from '../../src/job/tombstone.ts'
import { wakeJob } from '../../src/job/call-job.ts'
import { type JobJson, create, order, read, send } from '../support/hub/hub.ts'
import { objectOf, ringNext, ringUntilFinal, stored, untilNothingIsDue } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'

const DAY = 86_400_000

let key: { 'idempotency-key': string }
const shop = liveShop()
beforeEach(() => {
  key = { 'idempotency-key': crypto.randomUUID() }
})

function inside(id: string) {
  return runInDurableObject(objectOf(id), async (_, { storage }) => ({
    keys: [...storage.kv.list()].map(([name]) => name),
    alarm: await storage.getAlarm(),
  }))
}

/** Makes a job, and lets it expire and be purged. Returns when (ms) it was purged. */
async function purgedJob(headers: Record<string, string> = key) {
  const { paymentJob: id } = await (await create(shop.token, order, headers)).json<JobJson>()
  await ringUntilFinal(id)
  await untilNothingIsDue(id)
  for (let rings = 0; rings < 5 && (await objectOf(id).read()); rings++) {
    await ringNext(id).catch(() => {})
    await wakeJob(env, id)
  }
  expect(await objectOf(id).read()).toBeNull()
  const purged = Date.now()
  vi.useRealTimers()
  return { id, purged }
}

function announcements() {
  return shop.world.asked.filter((call) => call.startsWith('POST')).length
}

describe('a purged job that was made under an Idempotency-Key', () => {
  it('leaves a tombstone and its alarm, and nothing else', async () => {
    const { id, purged } = await purgedJob()
    const { keys, alarm } = await inside(id)
    expect(keys).toEqual(['tombstone'])
    expect(alarm).toBe(purged + 400 * DAY)
  })

  it('leaves it at the purge itself, without another alarm', async () => {
    const { paymentJob: id } = await (await create(shop.token, order, key)).json<JobJson>()
    const job = await stored(id)
    const now = Date.now()
    const left = await runInDurableObject(objectOf(id), async (_, { storage }) => {
      await purgeStorage(storage, job, now)
      return { keys: [...storage.kv.list()].map(([name]) => name), alarm: await storage.getAlarm() }
    })
    expect(left).toEqual({ keys: ['tombstone'], alarm: now + 400 * DAY })
    await runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAll())
  })

  it('no longer exists: a read, its payUrl and a notification answer as for an unknown job', async () => {
    const { id } = await purgedJob()
    expect((await read(shop.token, id)).status).toBe(404)
    expect((await send(`/pay/${id}`)).status).toBe(404)
    expect((await send(`/notifications/sandbox/${id}`, { method: 'POST', body: 'id=tr_1' })).status).toBe(200)
  })

  it('is not made again: the key is a 409 that says so, and the hub does not ask the PSP', async () => {
    const { id } = await purgedJob()
    const before = announcements()
    const again = await create(shop.token, order, key)
    expect(again.status).toBe(409)
    expect(again.headers.get('content-type')).toBe('application/problem+json')
    expect(await again.json()).toMatchObject({
      status: 409,
      field: 'Idempotency-Key',
      error: expect.stringMatching(/was used before, and its job was deleted/) as string,
    })
    expect(announcements()).toBe(before)
    expect((await inside(id)).keys).toEqual(['tombstone'])
  })

  it('is not made again while D1, KV and the queues are down', async () => {
    const { id } = await purgedJob()
    // The Worker’s memory is of the present: the purge was years ahead.
    expect((await read(shop.token, id)).status).toBe(404)
    const before = announcements()
    const down = () => Promise.reject(new Error('D1_ERROR: down'))
    vi.spyOn(env.DB, 'batch').mockImplementation(down)
    vi.spyOn(env.TOKENS, 'get').mockImplementation(down)
    vi.spyOn(env.JOB_INDEX, 'send').mockImplementation(down)
    vi.spyOn(env.REPORTS, 'send').mockImplementation(down)
    expect((await create(shop.token, order, key)).status).toBe(409)
    expect(announcements()).toBe(before)
  })

  it('differs from another order under its key, which is still a 422', async () => {
    await purgedJob()
    const other = await create(shop.token, { ...order, amount: '99.00' }, key)
    expect(other.status).toBe(422)
    expect(await other.json()).toMatchObject({ field: 'Idempotency-Key' })
  })

  it('is not made again by a Worker that calls create without looking first', async () => {
    const { id } = await purgedJob()
    const born = { ...birthOf({ id }), attempts: [] }
    await expect(async () => objectOf(id).create(born)).rejects.toThrow('was purged')
    expect((await inside(id)).keys).toEqual(['tombstone'])
  })

  it('frees its key after another 400 days, and no day before', async () => {
    const { id, purged } = await purgedJob()
    vi.setSystemTime(purged + 400 * DAY - 1)
    await runDurableObjectAlarm(objectOf(id))
    expect(await inside(id)).toEqual({ keys: ['tombstone'], alarm: purged + 400 * DAY })
    vi.setSystemTime(purged + 400 * DAY)
    await runDurableObjectAlarm(objectOf(id))
    expect(await inside(id)).toEqual({ keys: [], alarm: null })
    vi.useRealTimers()
    const again = await create(shop.token, order, key)
    expect(again.status).toBe(201)
    expect((await again.json<JobJson>()).paymentJob).toBe(id)
  })
})

it('a purged job with a random id leaves nothing', async () => {
  const { id } = await purgedJob({})
  expect(await inside(id)).toEqual({ keys: [], alarm: null })
})

it('a tombstone that this release cannot read still counts: 503, and nothing is announced or overwritten', async () => {
  const { id } = await purgedJob()
  const newer = { version: 99, what: 'ever' }
  await runInDurableObject(objectOf(id), (_, { storage }) => storage.kv.put('tombstone', newer))
  const before = announcements()
  expect((await create(shop.token, order, key)).status).toBe(503)
  expect(announcements()).toBe(before)
  expect(await runInDurableObject(objectOf(id), (_, { storage }) => storage.kv.get('tombstone'))).toEqual(
    newer,
  )
})
