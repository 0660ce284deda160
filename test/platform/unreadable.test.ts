import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { type MockInstance, beforeEach, describe, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { consumeJobIndex } from '../../src/job-index/consume-rows.ts'
import { consumeReports } from '../../src/reports/report-delivery.ts'
import { type Pos, askWith, createJob, makePos, read, send, tokenFor } from '../support/hub/hub.ts'
import { FORMAT } from '../../src/job/core/journal.ts'
import { rowsOf } from '../../src/job-index/job-index.ts'
import { objectOf, stored } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { batchOf } from '../support/hub/queue.ts'

let errors: MockInstance
beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockReturnValue()
})
/**
 * Returns the logged events about unreadable values, only of the job `id`: jobs of other tests have
 * alarms too.
 */
function events(id?: string) {
  return errors.mock.calls
    .map(([logged]) => logged as { event: string; job?: string })
    .filter(({ event, job }) => /unreadable|^kv\.|^alarm\.|^request\./.test(event) && (job ?? id) === id)
    .map(({ event }) => event)
}

async function jobKey(id: string) {
  const { created, pos } = await stored(id)
  return { id, created, pos }
}

const FUTURE = { version: 99, whatever: 'a later release writes' }

/** The jobs of a day that `index verify` and `index rebuild` name. */
async function wrongOf(day: string): Promise<string[][]> {
  const verified = await operate('GET', `/index/${day}/verify`)
  const rebuilt = await operate('POST', `/index/${day}/rebuild`)
  return Promise.all([verified, rebuilt].map(async (page) => (await page.json<{ wrong: string[] }>()).wrong))
}

describe('a job that this release cannot read', () => {
  let token: string
  let id: string
  beforeEach(async () => {
    token = await tokenFor(await makePos())
    id = (await createJob(token)).paymentJob
    await runInDurableObject(objectOf(id), (_, { storage }) => storage.kv.put('000001', FUTURE))
    await evictDurableObject(objectOf(id))
    errors.mockClear()
  })

  const inStorage = () => runInDurableObject(objectOf(id), (_, { storage }) => storage.kv.get('000001'))
  const alarm = () => runInDurableObject(objectOf(id), (_, { storage }) => storage.getAlarm())

  it.each([
    ['a retrieve', () => read(token, id)],
    [
      'a till that waits',
      () =>
        send(`/v2/paymentjobs/${id}`, { headers: { authorization: `Bearer ${token}`, prefer: 'wait=60' } }),
    ],
    ["a customer's page that waits", () => send(`/receipt/${id}/events`)],
    ['a customer who pays', () => send(`/pay/${id}`)],
    ['a customer who comes back', () => send(`/return/${id}`)],
    [
      'a notification',
      () =>
        send(`/notifications/sandbox/${id}`, { method: 'POST', body: new URLSearchParams({ id: 'tr_1' }) }),
    ],
    ['an operator', () => operate('GET', `/jobs/${id}`)],
    ['an operator who resends its report', () => operate('POST', `/jobs/${id}/resend`)],
  ])('is a 503 with one log event for %s, and stays as it is', async (_, ask) => {
    const response = await ask()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).not.toBeNull()
    expect(events(id)).toEqual(['stored.unreadable'])
    const [logged] = errors.mock.calls.map((call) => JSON.stringify(call))
    expect(logged).toContain(id)
    expect(logged).toContain(`of format 99; this release reads up to ${FORMAT}`)
    expect(await inStorage()).toEqual(FUTURE)
  })

  it('is named by verify and rebuild, which continue with the other jobs of the day', async () => {
    const other = await createJob(token)
    await env.JOB_DIRECTORY.getByName('2021-06-07').add([id, other.paymentJob])
    for (const wrong of await wrongOf('2021-06-07')) expect(wrong).toContain(id)
    expect(await rowsOf(env, [await jobKey(other.paymentJob)])).toHaveLength(1)
  })

  it('is not reported as missing', async () => {
    expect((await read(token, crypto.randomUUID())).status).toBe(404)
  })

  it('is tried by its alarm each hour, and stays as it is', async () => {
    const pauses: number[] = []
    for (let rings = 0; rings < 3; rings++) {
      vi.setSystemTime(Math.max((await alarm()) ?? 0, Date.now()))
      await runDurableObjectAlarm(objectOf(id))
      await evictDurableObject(objectOf(id))
      pauses.push(((await alarm()) ?? 0) - Date.now())
    }
    const minutes = pauses.map((pause) => pause / 60_000)
    expect(minutes).toEqual([60, 60, 60])
    expect(new Set(events(id))).toEqual(new Set(['alarm.failed']))
    expect(errors).toHaveBeenCalledWith(expect.objectContaining({ event: 'alarm.failed', job: id }))
    expect(await inStorage()).toEqual(FUTURE)
  })

  it('is served again once a release can read it', async () => {
    const job = await createJob(token)
    const good = await runInDurableObject(objectOf(job.paymentJob), (_, { storage }) =>
      storage.kv.get('000001'),
    )
    await runDurableObjectAlarm(objectOf(id))
    await runInDurableObject(objectOf(id), (_, { storage }) => storage.kv.put('000001', good))
    await evictDurableObject(objectOf(id))
    expect((await read(token, id)).status).toBe(200)
  })
})

describe('a journal that has lost an entry', () => {
  it.each([
    ['its first', '000001'],
    ['one between others', '000002'],
  ])(
    'does not count as a shorter journal: without %s the job is a 503, and stays as it is',
    async (_, lost) => {
      const token = await tokenFor(await makePos())
      const id = (await createJob(token)).paymentJob
      await send(`/return/${id}`)
      await askWith(token, 'POST', `/v2/paymentjobs/${id}/cancel`)
      const keys = () =>
        runInDurableObject(objectOf(id), (_object, { storage }) =>
          Array.from(storage.kv.list({ start: '0', end: ':' }), ([key]) => key),
        )
      await runInDurableObject(objectOf(id), (_object, { storage }) => storage.kv.delete(lost))
      await evictDurableObject(objectOf(id))
      const left = await keys()
      expect(left).toContain('000003')

      const response = await read(token, id)
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ code: 'stored-unreadable' })
      expect((await operate('GET', `/jobs/${id}/journal`)).status).toBe(503)
      expect(await keys()).toEqual(left)
    },
  )

  it('hides no other job of its day from verify and rebuild', async () => {
    const token = await tokenFor(await makePos())
    const [{ paymentJob: id }, other] = [await createJob(token), await createJob(token)]
    await send(`/return/${id}`)
    await runInDurableObject(objectOf(id), (_object, { storage }) => storage.kv.delete('000001'))
    await evictDurableObject(objectOf(id))
    await env.JOB_DIRECTORY.getByName('2021-06-08').add([id, other.paymentJob])
    for (const wrong of await wrongOf('2021-06-08')) expect(wrong).toContain(id)
    expect(await rowsOf(env, [await jobKey(other.paymentJob)])).toHaveLength(1)
  })
})

describe('a record in KV that this release cannot read', () => {
  let pos: Pos
  let token: string
  let name: string
  beforeEach(async () => {
    pos = await makePos()
    token = await tokenFor(pos)
    name = `token:${pos.id}:${await sha256(token)}`
  })

  it.each([
    ['is of a later version', JSON.stringify(FUTURE)],
    ['lacks required members', '{"expires":1}'],
    ['is no JSON', 'nonsense'],
  ])('is not a token when it %s: the client gets a new one', async (_, value) => {
    await env.TOKENS.put(name, value, { expirationTtl: 3600 })
    expect((await read(token, crypto.randomUUID())).status).toBe(401)
    expect(events()).toEqual(['kv.token-unreadable'])
    expect((await createJob(await tokenFor(pos))).status).toBe('PENDING')
  })
})

describe('a message that this release cannot read', () => {
  it.each([
    ['reports', { version: 2, job: 'x', revision: 1 }],
    ['job-index', { version: 2, row: {} }],
  ])('in %s is retried when a later release sent it', async (queue, body) => {
    const { batch, acked, delays } = batchOf([body], `payment-hub-${queue}`)
    await (queue === 'reports' ? consumeReports(batch) : consumeJobIndex(batch, env))
    expect([acked(), delays()]).toEqual([0, [3600]])
    expect(events()).toEqual(['queue.message-unreadable'])
  })

  it('is acknowledged when no release can read it', async () => {
    const { batch, acked, retried } = batchOf([{ nonsense: true }, 'text'], 'payment-hub-job-index')
    await consumeJobIndex(batch, env)
    expect([acked(), retried()]).toEqual([2, 0])
  })
})
