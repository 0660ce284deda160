import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { FactOf } from '../../src/job/core/facts.ts'
import { consumeReports } from '../../src/reports/report-delivery.ts'
import { loggedOf } from '../support/logged.ts'
import { isIndexed } from '../../src/job/core/row.ts'
import { alarmOf, objectOf, recordAnswer, stored } from '../support/jobs/job.ts'
import { TOOK, birthOf } from '../support/jobs/played-job.ts'
import { batchOf } from '../support/hub/queue.ts'
import { quickPauses } from '../support/time/quick-pauses.ts'

type Sent = { job?: string; row?: { id: string; sequence: number; status: string }; listed?: boolean }
type Outcome = FactOf<'attempted'>['outcome']

const PAID = { is: 'observed', status: 'SUCCESS', paid: 1250, expiresAt: null } as const

let id: string
let rows: Sent[]
let queue: () => Promise<void>
beforeEach(() => {
  id = crypto.randomUUID()
  rows = []
  queue = async () => {}
  vi.setSystemTime(Date.now())
  // The hub does not have the accounts of these jobs, so each question fails.
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(env.REPORTS, 'send').mockResolvedValue(undefined as never)
  vi.spyOn(env.JOB_INDEX, 'send').mockImplementation(async (body) => {
    const sent = body as Sent
    if (sent.row?.id !== id) return undefined as never
    await queue()
    rows.push(sent)
    return undefined as never
  })
})

function create(isLive: boolean, outcome = { ...TOOK, expiresAt: null } as Outcome) {
  return objectOf(id).create(birthOf({ id, isLive }, [['first', outcome]]))
}
async function ring(): Promise<void> {
  vi.setSystemTime(Math.max((await alarmOf(id)) ?? 0, Date.now()) + 1)
  await runDurableObjectAlarm(objectOf(id))
}
/** A queue that accepts a message after a while. */
function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10))
}
function untilRowWritten() {
  return vi.waitFor(async () => {
    expect(isIndexed(await stored(id))).toBe(true)
  })
}

describe('the row of a job', () => {
  it('is sent at once in test mode, and once', async () => {
    await create(false)
    await untilRowWritten()
    await evictDurableObject(objectOf(id))
    await ring()
    expect(rows).toMatchObject([{ row: { sequence: 1 }, listed: false }])
  })

  it('is sent again if the queue refused it, even by an object that lost its memory', async () => {
    queue = () => Promise.reject(new Error('queue is down'))
    await create(false)
    await evictDurableObject(objectOf(id))
    queue = async () => {}
    await ring()
    await untilRowWritten()
    expect(rows).toMatchObject([{ row: { sequence: 1 }, listed: false }])
  })

  it('is sent again after longer and longer pauses, of ten minutes at most, while the queue refuses it', async () => {
    const tries: number[] = []
    queue = () => {
      tries.push(Date.now())
      return Promise.reject(new Error('queue is down'))
    }
    await create(false, { is: 'refused', message: 'The method is not active.' })
    for (let rings = 0; rings < 99 && tries.length < 12; rings++) await ring()
    const pauses = tries.slice(1).map((at, before) => (at - (tries[before] ?? 0)) / 1000)
    const planned = [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]
    // The alarm of another duty may ring up to a second earlier: an object has at most one alarm a second.
    expect(pauses.map((pause, at) => Math.abs(pause - (planned[at] ?? 0)) < 1.5)).not.toContain(false)
  })

  it('has an alarm half a minute later while it is on its way to the queue, in case the object dies', async () => {
    const { promise: taken, resolve: take } = Promise.withResolvers<void>()
    queue = () => taken
    await create(false)
    expect(await alarmOf(id)).toBe(Date.now() + 30_000)
    take()
    await untilRowWritten()
  })

  it('waits for a minute if a live job has no problem', async () => {
    await create(true)
    expect(rows).toEqual([])
    await ring()
    await untilRowWritten()
    expect(rows).toMatchObject([{ row: { sequence: 1, status: 'PENDING' }, listed: false }])
  })

  it('is one message if the job ends within that minute, and says that the directory does not have the job', async () => {
    await create(true)
    vi.setSystemTime(Date.now() + 20_000)
    await recordAnswer(id, PAID, 'return')
    const row = { sequence: 2, status: 'SUCCESS' }
    await vi.waitFor(() => expect(rows).toMatchObject([{ row, listed: false }]))
  })

  it('says that the directory has the job if it was written before', async () => {
    await create(false)
    await untilRowWritten()
    await recordAnswer(id, PAID, 'return')
    await vi.waitFor(() => expect(rows.map(({ listed }) => listed)).toEqual([false, true]))
  })

  it.each([
    ['its own', () => void (queue = later)],
    ["the report's", () => void vi.mocked(env.REPORTS.send).mockImplementation(later as never)],
  ])(
    'that goes out with a report, %s queue being slower, is recorded by the entry of its try, or soon by its own',
    async (_, slow) => {
      slow()
      await create(true)
      await recordAnswer(id, PAID, 'return')
      await vi.waitFor(() => expect(rows).toHaveLength(1))
      const { revision } = await stored(id)
      const tried = { revision, began: Date.now(), ms: 1, outcome: '200', result: 'delivered' } as const
      await objectOf(id).tell({ do: 'record-report', tried: { is: 'report-tried', ...tried } })
      const facts = (await objectOf(id).entries()).map((entry) => entry.facts.map(({ is }) => is))
      expect(facts).toEqual([['created', 'attempted'], ['seen'], ['report-tried', 'row-written']])
      await recordAnswer(id, { ...PAID, paid: 1300 })
      await vi.waitFor(() => expect(rows).toHaveLength(2))
      await ring()
      await untilRowWritten()
      expect(rows).toHaveLength(2)
    },
  )

  it('that the queue accepts after a newer row changes nothing', async () => {
    quickPauses()
    const late = Promise.withResolvers<void>()
    queue = () => late.promise
    await create(false)
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    await vi.waitFor(() => expect(loggedOf(errors, id)).toMatchObject([{ duty: 'row' }]), 5000)
    queue = async () => {}
    await recordAnswer(id, PAID, 'return')
    await vi.waitFor(async () => {
      await ring()
      expect((await stored(id)).index.written).toBe(2)
    }, 5000)
    const before = await objectOf(id).entries()
    late.resolve()
    await vi.waitFor(() => expect(rows.map(({ row }) => row?.sequence)).toEqual([2, 1]))
    await evictDurableObject(objectOf(id))
    expect(await objectOf(id).entries()).toEqual(before)
  })
})

it('the hub leaves a report and a row to their queues for half a minute, and no longer', async () => {
  const wakeAfter = async (time: number) => {
    vi.setSystemTime(Date.now() + time)
    await objectOf(id).wake()
    const reports = vi.mocked(env.REPORTS.send).mock.calls.filter(([body]) => (body as Sent).job === id)
    return [reports.length, (await stored(id)).index.written]
  }
  await create(true)
  await recordAnswer(id, PAID, 'return')
  await vi.waitFor(() => expect(rows).toHaveLength(1))
  // The entry of the report’s try also records the row, so the row has no entry.
  await recordAnswer(id, PAID, 'return')
  expect(await wakeAfter(29_000)).toEqual([1, 0])
  expect(await wakeAfter(2000)).toEqual([2, 2])
  await recordAnswer(id, { ...PAID, paid: 1300 })
  expect(await wakeAfter(0)).toEqual([3, 2])
})

it('a report of a point of sale that no longer exists is given up, and says why', async () => {
  await create(true, { is: 'refused', message: 'The method is not active.' })
  await consumeReports(batchOf([{ job: id, revision: 1 }]).batch)
  await vi.waitFor(async () =>
    expect((await stored(id)).report).toMatchObject({
      state: 'given-up',
      history: [{ outcome: 'point of sale unknown' }],
    }),
  )
})
