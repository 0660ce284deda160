import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Sweep } from '../../src/job-index/sweep-plan.ts'
import { consumeSweeps } from '../../src/job-index/sweeps.ts'
import { sweepMessage } from '../../src/job-index/sweep-message.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { loggedOf } from '../support/logged.ts'
import { batchOf } from '../support/hub/queue.ts'
import { row } from '../support/hub/shards.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Each test has its own period, in which no other file has jobs. */
let start = Date.UTC(2040, 0, 1, 10, 30)
beforeEach(() => void (start += 60 * DAY))

describe('a page of jobs', () => {
  const sweepOf = (): Sweep => ({
    status: 'PENDING',
    from: start * 1000,
    to: (start + HOUR) * 1000,
    changedBefore: null,
  })
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, n) => row({ pos: `page-${start}`, created: start * 1000 + n }))
  const woken: string[] = []
  const hubWith = (send: (body: unknown) => Promise<unknown>, wake: (id: string) => Promise<void>) =>
    ({
      ...env,
      SWEEPS: { send },
      PAYMENT_JOB: { getByName: (id: string) => ({ wake: () => wake(id).then(() => true) }) },
    }) as never
  beforeEach(() => void woken.splice(0))
  const first = () => batchOf([sweepMessage.write({ sweep: sweepOf(), after: null })], 'payment-hub-sweeps')

  it('that is full sends the next one before it wakes the first of its jobs', async () => {
    await writeRows(env, rowsOf(201))
    const sent: unknown[] = []
    const batch = first()
    await consumeSweeps(
      batch.batch,
      hubWith(
        async (body) => {
          expect(woken).toEqual([])
          sent.push(body)
        },
        async (id) => void woken.push(id),
      ),
    )
    expect([batch.acked(), woken.length, sent.length]).toEqual([1, 200, 1])
    const next = batchOf(sent, 'payment-hub-sweeps')
    await consumeSweeps(
      next.batch,
      hubWith(
        () => Promise.reject(new Error('none is full')),
        async (id) => void woken.push(id),
      ),
    )
    expect([next.acked(), new Set(woken).size]).toEqual([1, 201])
  })

  it('comes again whole, and wakes nobody, if it cannot send the next one', async () => {
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    await writeRows(env, rowsOf(200))
    const batch = first()
    await consumeSweeps(
      batch.batch,
      hubWith(
        () => Promise.reject(new Error('queue is down')),
        async (id) => void woken.push(id),
      ),
    )
    expect([batch.acked(), batch.retried(), woken]).toEqual([0, 1, []])
    const event = { event: 'queue.message-failed', queue: 'payment-hub-sweeps' }
    expect(loggedOf(errors, 'payment-hub-sweeps')).toMatchObject([event])
  })

  it('is done even if one of its jobs cannot be woken, which is logged', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const rows = rowsOf(3)
    await writeRows(env, rows)
    const bad = rows[1]?.id ?? ''
    const batch = first()
    await consumeSweeps(
      batch.batch,
      hubWith(
        async () => {},
        async (id) => {
          if (id === bad) throw new Error('object is down')
          woken.push(id)
        },
      ),
    )
    expect([batch.acked(), woken.length]).toEqual([1, 2])
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: 'sweep.failed', job: bad }))
  })
})
