import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  FASTEST,
  GRACE,
  type JobClock,
  afterReal,
  jobNow,
  newClock,
  realAt,
} from '../../../src/job/rules/job-clock.ts'
import { createJob } from '../../../src/job/rules/announcement.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { plan } from '../../../src/job/rules/plan.ts'
import { dispatch, recordDelivery, resend } from '../../../src/job/rules/reporting.ts'
import { alarmFor } from '../../../src/job/rules/timers.ts'
import { DAY } from '../../../src/contract/timestamp.ts'
import { endPulls, pullSooner, recordPull } from '../../../src/job/rules/transition.ts'
import { ANNOUNCED, MIDDLE, ORDER, RETENTION } from '../../support/sample-job.ts'

const START = Date.UTC(2026, 10, 21)
const times = fc.integer({ min: START - DAY, max: START + 2000 * DAY })
const speeds = fc.oneof(fc.constantFrom(1, 2, 3, 7, 1000, FASTEST), fc.integer({ min: 1, max: FASTEST }))
const clocks = speeds.map((speed): JobClock => newClock(speed, START))

describe('the clock of a job', () => {
  it('of speed 1 shows what no clock shows, always', () => {
    fc.assert(
      fc.property(times, fc.nat(1000 * DAY), (time, span) => {
        const clock = newClock(1, START)
        expect(jobNow(clock, time)).toBe(jobNow(undefined, time))
        expect(realAt(clock, time)).toBe(realAt(undefined, time))
        expect(afterReal(clock, time, span)).toBe(afterReal(undefined, time, span))
        expect(afterReal(undefined, time, span)).toBe(time + span)
      }),
    )
  })

  it('goes on at each millisecond, and is never behind the real one', () => {
    fc.assert(
      fc.property(clocks, times, (clock, time) => {
        expect(jobNow(clock, time)).toBeGreaterThanOrEqual(time)
        expect(jobNow(clock, time + 1)).toBeGreaterThan(jobNow(clock, time))
      }),
    )
  })

  it('shows an instant at the first real millisecond that realAt says', () => {
    fc.assert(
      fc.property(clocks, times, (clock, instant) => {
        const real = realAt(clock, instant)
        expect(Number.isInteger(real)).toBe(true)
        expect(jobNow(clock, real)).toBeGreaterThanOrEqual(instant)
        expect(jobNow(clock, real - 1)).toBeLessThan(instant)
      }),
    )
  })

  it('is as far as it says after a real span', () => {
    fc.assert(
      fc.property(clocks, times, fc.nat(500 * DAY), (clock, instant, span) => {
        expect(realAt(clock, afterReal(clock, instant, span))).toBe(realAt(clock, instant) + span)
      }),
    )
  })

  it('runs as the real one at first, then fast, and is 60 days ahead in the end', () => {
    const clock = newClock(1000, START)
    expect(jobNow(clock, START + GRACE)).toBe(START + GRACE)
    expect(jobNow(clock, START + GRACE + 5)).toBe(START + GRACE + 5000)
    expect(realAt(clock, START + GRACE + 5000)).toBe(START + GRACE + 5)
    expect(realAt({ speed: 10, since: START }, START + 30 * DAY)).toBe(START + 3 * DAY)
    const [late, later] = [jobNow(clock, START + 300 * DAY), jobNow(clock, START + 301 * DAY)]
    expect(later - late).toBe(DAY)
    expect((late - START) / DAY - 300).toBeCloseTo(60, 0)
  })

  it('keeps microseconds exact for longer than any job is there', () => {
    const end = jobNow(newClock(FASTEST, START), START + 3650 * DAY) * 1000
    expect(Number.isSafeInteger(end + 1)).toBe(true)
  })
})

const moves = fc.constantFrom(
  'alarm' as const,
  'paid' as const,
  'expired' as const,
  'refused' as const,
  'again' as const,
)
const lives = fc.array(fc.record({ wait: fc.nat(2 * DAY), move: moves }), { maxLength: 20 })

/** A job of whatever clock, and all that it does and plans at the times that the clock shows. */
function live(clock: JobClock | undefined, life: { wait: number; move: string }[]): unknown[] {
  const known = {
    id: 'j',
    transactionId: 't',
    fingerprint: 'f',
    pos: 'p',
    account: 'a',
    origin: 'https://hub.nl',
  }
  const seen = (status: 'SUCCESS' | 'EXPIRED') =>
    ({ is: 'observed', status, paid: status === 'SUCCESS' ? ORDER.amount : 0, expiresAt: null }) as const
  let real = START
  const wanted = { ...known, order: ORDER, answer: ANNOUNCED, ...(clock ? { clock } : {}) }
  let job = createJob(wanted, jobNow(clock, real), MIDDLE)
  const shown: unknown[] = []
  for (const { wait, move } of life) {
    real += wait
    const now = jobNow(clock, real)
    const moved: Record<string, () => Job> = {
      alarm: () => plan(job, now, MIDDLE, RETENTION).job,
      paid: () => recordPull(job, 'Statuspull', seen('SUCCESS'), now),
      expired: () => recordPull(job, 'Statuspull', seen('EXPIRED'), now),
      refused: () =>
        recordDelivery(
          job,
          job.flight?.revision ?? 0,
          { is: 'failed', outcome: '500', retryAfter: 60 },
          now,
          MIDDLE,
        ),
      again: () => (job.reports.length === 0 ? job : resend(job, now)),
    }
    job = dispatch(moved[move]?.() ?? job, now)
    const { clock: _, ...rest } = job
    const alarm = alarmFor(job, RETENTION, job.alarmAt, now)
    shown.push(rest, alarm === null ? 'no alarm' : realAt(clock, alarm))
  }
  return shown
}

it('a job with a clock of speed 1 lives as one without, to the last timer', () => {
  fc.assert(
    fc.property(lives, (life) => {
      expect(live(newClock(1, START), life)).toEqual(live(undefined, life))
    }),
  )
})

it('a pull that was asked for while the PSP answered stays, however fast the clock runs', () => {
  const clock = newClock(10_000, START)
  const now = jobNow(clock, START + GRACE + 60_000)
  const known = {
    id: 'j',
    transactionId: 't',
    fingerprint: 'f',
    pos: 'p',
    account: 'a',
    origin: 'https://hub.nl',
  }
  const job = createJob({ ...known, order: ORDER, answer: ANNOUNCED, clock }, now, MIDDLE)
  const seen = { is: 'observed', status: 'SUCCESS', paid: ORDER.amount, expiresAt: null } as const
  const paid = recordPull(job, 'Statuspull', seen, now)
  const soon = afterReal(clock, now, 2000)
  expect(endPulls(pullSooner(paid, soon), now).pullAt).toBe(soon)
  expect(endPulls(pullSooner(paid, afterReal(clock, now, 11_000)), now).pullAt).toBeNull()
})
