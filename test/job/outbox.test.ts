import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NewJob } from '../../src/job/rules/announcement.ts'
import { INDEX_LEASE } from '../../src/job/rules/job-row.ts'
import { consumeReports } from '../../src/reports/consume.ts'
import { objectOf, recordAnswer, ringNext, stored } from '../support/job.ts'
import { loggedOf } from '../support/logged.ts'
import { batchOf } from '../support/queue.ts'
import { ANNOUNCED, ORDER, REFUSED } from '../support/sample-job.ts'

type Sent = { row?: { id: string; sequence: number }; listed?: boolean }

let id: string
let rows: Sent[]
let queue: () => Promise<void>
beforeEach(() => {
  id = crypto.randomUUID()
  rows = []
  queue = async () => {}
  vi.setSystemTime(Date.now())
  vi.spyOn(env.REPORTS, 'send').mockResolvedValue(undefined as never)
  vi.spyOn(env.JOB_INDEX, 'send').mockImplementation(async (body) => {
    const sent = body as Sent
    if (sent.row?.id !== id) return undefined as never
    await queue()
    rows.push(sent)
    return undefined as never
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A job that its PSP refused: it has a row and a report, and asks nobody for anything. */
function createRefused() {
  return create({ answer: REFUSED })
}

/** A job in test mode: it has a row from the start, and no report. Its account is one that the hub does not have. */
function createInTestMode() {
  return create({ answer: { ...ANNOUNCED, expiresAt: null } })
}

/** A job that its PSP announced, in live mode. Its account is one that the hub does not have, so no pull is answered. */
function createWell() {
  return create({ answer: { ...ANNOUNCED, expiresAt: null }, isLive: true })
}

function create(born: Pick<NewJob, 'answer' | 'isLive'>) {
  return objectOf(id).create({
    id,
    transactionId: crypto.randomUUID(),
    fingerprint: 'f1',
    pos: 'pos1',
    account: 'first',
    origin: 'https://hub.nl',
    order: ORDER,
    ...born,
  })
}

describe('the row of a job', () => {
  // Its account is unknown, so that each pull is a fault.
  beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

  it('is sent once more by an object that was put to rest before it saved that the queue took it, and no more', async () => {
    await createInTestMode()
    await vi.waitFor(() => expect(rows).toHaveLength(1))
    await evictDurableObject(objectOf(id))
    vi.setSystemTime(Date.now() + INDEX_LEASE)
    await runDurableObjectAlarm(objectOf(id))
    await vi.waitFor(async () => expect((await stored(id)).indexAt).toBeNull())
    await evictDurableObject(objectOf(id))
    expect(await stored(id)).toMatchObject({ indexAt: null, indexSends: 0, listed: true })
    expect(rows).toMatchObject([
      { row: { sequence: 1 }, listed: false },
      { row: { sequence: 1 }, listed: false },
    ])
  })

  it('is sent again in a minute when the queue refused it', async () => {
    queue = () => Promise.reject(new Error('queue is down'))
    await createInTestMode()
    const due = Date.now() + 60_000
    await vi.waitFor(async () => expect((await stored(id)).indexAt).toBe(due))
    await evictDurableObject(objectOf(id))
    expect((await stored(id)).indexAt).toBe(due)
    queue = async () => {}
    vi.setSystemTime(due)
    await runDurableObjectAlarm(objectOf(id))
    await vi.waitFor(() => expect(rows).toHaveLength(1))
  })
})

describe('the row of a change that calls for a report', () => {
  const DELIVERED = { is: 'delivered', outcome: '200' } as const

  it('rests until the report is tried, and is saved as written together with the try', async () => {
    await createRefused()
    const { flight, indexAt, sequence } = await stored(id)
    expect(flight).toMatchObject({ revision: 1, until: indexAt })
    await objectOf(id).reported(1, DELIVERED, sequence)
    await evictDurableObject(objectOf(id))
    const reports = [{ state: 'delivered' }]
    expect(await stored(id)).toMatchObject({ indexAt: null, listed: true, flight: null, reports })
    expect(rows).toEqual([])
  })

  it('goes by its own queue when who tried the report has not written it, and is saved as taken', async () => {
    await createRefused()
    await objectOf(id).reported(1, DELIVERED)
    await vi.waitFor(() => expect(rows).toMatchObject([{ row: { sequence: 1 }, listed: false }]))
    await vi.waitFor(async () => expect((await stored(id)).indexAt).toBeNull())
    await evictDurableObject(objectOf(id))
    expect(await stored(id)).toMatchObject({ indexAt: null, indexSends: 0, listed: true })
  })

  it('goes by its own queue at once when that of reports takes nothing', async () => {
    vi.spyOn(env.REPORTS, 'send').mockRejectedValue(new Error('queue is down'))
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    await createRefused()
    await vi.waitFor(() => expect(rows).toMatchObject([{ row: { sequence: 1 }, listed: false }]))
    expect(loggedOf(errors, id)).toMatchObject([{ event: 'queue.send-failed', job: id }])
  })

  it('goes by its own queue when the report counts as lost', async () => {
    await createRefused()
    vi.setSystemTime((await stored(id)).flight?.until ?? 0)
    await runDurableObjectAlarm(objectOf(id))
    await vi.waitFor(() => expect(rows).toMatchObject([{ row: { sequence: 1 }, listed: false }]))
    expect((await stored(id)).flight).toMatchObject({ sends: 2 })
  })

  it('is overtaken by that of a try that failed, which goes by its own queue and is in the directory', async () => {
    await createRefused()
    await objectOf(id).reported(1, { is: 'failed', outcome: '500', retryAfter: null }, 1)
    await vi.waitFor(() => expect(rows).toMatchObject([{ row: { sequence: 2 }, listed: true }]))
  })
})

describe('the row of a new job that is well', () => {
  const alarm = () => runInDurableObject(objectOf(id), (_, { storage }) => storage.getAlarm())
  const paid = { is: 'observed', status: 'SUCCESS', paid: 1250, expiresAt: null } as const
  // Its account is unknown, so that each pull is a fault.
  beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

  it('is sent by the alarm of the first pull, also by an object that was put to rest, and once', async () => {
    const { pullAt } = await createWell()
    await evictDurableObject(objectOf(id))
    expect(rows).toEqual([])
    expect(await alarm()).toBe(pullAt)
    vi.setSystemTime(pullAt ?? 0)
    await runDurableObjectAlarm(objectOf(id))
    await vi.waitFor(async () => expect((await stored(id)).indexAt).toBeNull())
    await evictDurableObject(objectOf(id))
    expect(await stored(id)).toMatchObject({ indexAt: null, listed: true })
    for (let rings = 0; rings < 3; rings++) await ringNext(id)
    expect(rows).toMatchObject([{ row: { sequence: 1, status: 'PENDING' }, listed: false }])
  })

  it('is one message with its end where nobody wrote it with the report, which says that the directory does not have the job', async () => {
    await createWell()
    vi.setSystemTime(Date.now() + 20_000)
    await recordAnswer(id, paid, 'return')
    await objectOf(id).reported(1, { is: 'delivered', outcome: '200' })
    await vi.waitFor(() => expect(rows).toHaveLength(1))
    expect(rows).toMatchObject([{ row: { sequence: 1, status: 'SUCCESS' }, listed: false }])
  })

  it('is sent again in a minute when the queue refuses it at the first pull', async () => {
    const { pullAt } = await createWell()
    queue = () => Promise.reject(new Error('queue is down'))
    vi.setSystemTime(pullAt ?? 0)
    await runDurableObjectAlarm(objectOf(id))
    await vi.waitFor(async () => expect((await stored(id)).indexAt).toBe((pullAt ?? 0) + 60_000))
    queue = async () => {}
    await evictDurableObject(objectOf(id))
    vi.setSystemTime((pullAt ?? 0) + 60_000)
    await runDurableObjectAlarm(objectOf(id))
    await vi.waitFor(() => expect(rows).toHaveLength(1))
    expect(rows).toMatchObject([{ row: { sequence: 1 }, listed: false }])
  })

  it('is sent with its end once more when the object loses its memory before the queue has answered', async () => {
    await createWell()
    queue = () => Promise.reject(new Error('cut off'))
    await recordAnswer(id, paid, 'return')
    await objectOf(id).reported(1, { is: 'delivered', outcome: '200' })
    await evictDurableObject(objectOf(id))
    expect((await stored(id)).indexAt).not.toBeNull()
    queue = async () => {}
    await ringUntil(() => rows.length > 0)
    expect(rows).toMatchObject([{ row: { sequence: 1, status: 'SUCCESS' }, listed: false }])
  })

  const ringUntil = async (isDone: () => boolean) => {
    for (let rings = 0; rings < 10 && !isDone(); rings++) await ringNext(id)
  }
})

it('an alarm that runs early is set again', async () => {
  await createRefused()
  await runDurableObjectAlarm(objectOf(id))
  expect(await runInDurableObject(objectOf(id), (_, { storage }) => storage.getAlarm())).not.toBeNull()
})

it('a report of a point of sale that is not there any more is given up, and says why', async () => {
  await createRefused()
  const { batch } = batchOf([{ job: id, revision: 1 }])
  await consumeReports(batch)
  const attempts = [{ outcome: 'point of sale unknown' }]
  await vi.waitFor(async () =>
    expect((await stored(id)).reports).toMatchObject([{ state: 'dead', attempts }]),
  )
})
