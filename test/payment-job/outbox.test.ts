import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { INDEX_LEASE } from '../../src/domain/job-row.ts'
import { consumeReports } from '../../src/queues/reports.ts'
import { objectOf, stored } from '../support/job.ts'
import { batchOf } from '../support/queue.ts'
import { ORDER, REFUSED } from '../support/sample-job.ts'

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
const createRefused = () =>
  objectOf(id).create({
    id,
    transactionId: crypto.randomUUID(),
    fingerprint: 'f1',
    pos: 'pos1',
    account: 'first',
    origin: 'https://hub.nl',
    order: ORDER,
    answer: REFUSED,
  })

describe('the row of a job', () => {
  it('is sent once more by an object that was put to rest before it saved that the queue took it, and no more', async () => {
    await createRefused()
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
    await createRefused()
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
