import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { Job } from '../../../src/job/rules/job.ts'
import { type DeliveryOutcome, dispatch, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { nextWake, purgeAt } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import { AMOUNT, MIDDLE, NOW, RETENTION, jobIn, seen } from '../../support/sample-job.ts'

const LATER = NOW + 2000
const SCHEDULE = [
  5000,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

function failed(retryAfter: number | null = null): DeliveryOutcome {
  return {
    is: 'failed',
    outcome: '503',
    retryAfter,
  }
}

/** The job after this many tries that failed, each made as soon as it was due. */
function afterFailures(count: number, random = MIDDLE): Job {
  let job = jobIn('SUCCESS')
  for (let tries = 0; tries < count; tries++) {
    const now = dueAt(job)
    job = recordDelivery(dispatch(job, now), 2, failed(), now, random)
  }
  return job
}

function dueAt(job: Job): number {
  return job.reports[0]?.dueAt ?? Number.NaN
}
function lastTry(job: Job): number {
  return job.reports[0]?.attempts.at(-1)?.at ?? Number.NaN
}

describe('a report that fails', () => {
  it.each(SCHEDULE.map((delay, i) => [i + 1, delay] as const))(
    'waits after try %i for %i ms, a tenth more or less',
    (tries, delay) => {
      const plain = afterFailures(tries)
      expect(plain.reports[0]).toMatchObject({ state: 'waiting', dueAt: lastTry(plain) + delay })
      const early = afterFailures(tries, 0)
      expect(dueAt(early) - lastTry(early)).toBeCloseTo(0.9 * delay, 0)
      const late = afterFailures(tries, 0.999_999_999)
      expect(dueAt(late) - lastTry(late)).toBeCloseTo(1.1 * delay, 0)
    },
  )

  it('is dead after the eleventh try, three days on, with every try recorded', () => {
    const job = afterFailures(11)
    expect(job.reports[0]?.state).toBe('dead')
    expect(job.reports[0]?.attempts).toHaveLength(11)
    const days = (lastTry(job) - NOW) / DAY
    expect(days).toBeGreaterThan(3)
    expect(days).toBeLessThan(3.3)
    expect(dispatch(job, lastTry(job) + DAY)).toBe(job)
  })
})

describe('Retry-After', () => {
  const flying = dispatch(jobIn('SUCCESS'), LATER)
  const waitFor = (retryAfter: number | null): number =>
    dueAt(recordDelivery(flying, 2, failed(retryAfter), LATER, MIDDLE)) - LATER

  it.each([
    ['is honoured when it asks for more patience', 120, 2 * MINUTE],
    ['does not hurry the schedule', 1, 5000],
    ['of nothing leaves the schedule', 0, 5000],
    ['is capped at a day', 7 * 24 * 3600, DAY],
    ['of for ever is capped too', Number.MAX_SAFE_INTEGER, DAY],
  ])('%s', (_, seconds, wait) => {
    expect(waitFor(seconds)).toBe(wait)
  })

  it('does not bring back a report that is out of tries', () => {
    const last = afterFailures(10)
    const now = dueAt(last)
    expect(recordDelivery(dispatch(last, now), 2, failed(60), now, MIDDLE).reports[0]?.state).toBe('dead')
  })
})

const outcomes = fc.oneof(
  fc.constant<DeliveryOutcome>({ is: 'delivered', outcome: '204' }),
  fc.constant<DeliveryOutcome>({ is: 'stopped', outcome: '410' }),
  fc.option(fc.nat(200_000)).map(failed),
)
/** What comes of the next message: it is lost, or it arrives so many times with this outcome. */
const fates = fc.array(
  fc.oneof(fc.constant(null), fc.record({ outcome: outcomes, copies: fc.integer({ min: 1, max: 3 }) })),
  { maxLength: 30 },
)

it('ends for each report as delivered or dead, whatever receiver and queue do', () => {
  fc.assert(
    fc.property(fates, fc.nat(30), fc.double({ min: 0, max: 0.999, noNaN: true }), (fate, change, random) => {
      let job = jobIn('CANCELLED')
      let now = LATER
      for (let round = 0; round < 80; round++) {
        if (round === change) job = recordPull(job, 'Return', seen('SUCCESS', AMOUNT), now)
        job = { ...dispatch(job, now), indexAt: null }
        const { flight } = job
        const came = round < fate.length ? fate[round] : { outcome: failed(), copies: 1 }
        if (flight && came) {
          for (let copy = 0; copy < came.copies; copy++) {
            job = recordDelivery(job, flight.revision, came.outcome, now, random)
          }
        }
        expect(v.parse(Job, job)).toEqual(job)
        now = Math.max(now, nextWake({ ...job, indexAt: null }, RETENTION))
      }
      expect(job.reports).toHaveLength(2)
      for (const { state } of job.reports) expect(['delivered', 'dead']).toContain(state)
      const [older, newest] = job.reports
      expect(older?.attempts.length).toBeLessThanOrEqual(11)
      // It has its schedule again after each older report that may have come after it.
      expect(newest?.attempts.length).toBeLessThanOrEqual(33)
      if (newest?.state === 'delivered') expect(newest.again).toBeUndefined()
      expect(purgeAt(job, RETENTION)).not.toBeNull()
    }),
  )
})
