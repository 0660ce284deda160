import type { Status } from '../../../src/contract/values.ts'
import { describe, expect, it } from 'vitest'
import { INDEX_LEASE } from '../../../src/job/rules/job-row.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { recordPullResult } from '../../../src/job/rules/pull.ts'
import { plan } from '../../../src/job/rules/plan.ts'
import type { PullAnswer } from '../../../src/psp/answer.ts'
import { beginRefund, recordRefund } from '../../../src/job/rules/refund-request.ts'
import { dispatch, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { alarmFor, nextPspWork, nextWake, purgeAt } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { pullSooner } from '../../../src/job/rules/transition.ts'
import {
  AMOUNT,
  ANNOUNCED,
  MIDDLE,
  NOW,
  REFUSED,
  RETENTION,
  SILENT,
  indexed,
  sampleJob,
  jobIn,
  seen,
} from '../../support/sample-job.ts'

const FAILED = { is: 'failed', outcome: '500', retryAfter: null } as const
const DELIVERED = { is: 'delivered', outcome: '200' } as const
const STOPPED = { is: 'stopped', outcome: '410' } as const

/** Final, reported and indexed. */
const settled = recordDelivery(dispatch(indexed(sampleJob(REFUSED)), NOW), 1, DELIVERED, NOW + 200, MIDDLE)

describe('a job needs its PSP next', () => {
  const END = sampleJob().expiresAt

  it.each([
    ['to announce', sampleJob(SILENT), 'announce', NOW + 10_000],
    ['to pull', sampleJob(), 'pull', NOW + MINUTE],
    ['to pull for the last time at its end', { ...sampleJob(), pullAt: END }, 'last-pull', END],
    ['to pull for the last time when no pull is planned', { ...sampleJob(), pullAt: null }, 'last-pull', END],
    [
      'to pull for the last time again',
      { ...sampleJob(), pullAt: END + HOUR, lastPulls: 2 },
      'last-pull',
      END + HOUR,
    ],
    [
      'to pull by the end that it has now',
      { ...sampleJob(), expiresAt: NOW + 30_000 },
      'last-pull',
      NOW + 30_000,
    ],
    [
      'no more: it expires without a payment',
      { ...sampleJob(SILENT), expiresAt: NOW + 10_000 },
      'expire',
      NOW + 10_000,
    ],
  ] as const)('%s', (_, job, work, at) => {
    expect(nextPspWork(job)).toEqual({ work, at })
  })

  it.each<Status>(['SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])('never when it is %s', (status) => {
    expect(nextPspWork(jobIn(status))).toBeNull()
    expect(nextPspWork({ ...sampleJob(SILENT), status })).toBeNull()
  })
})

describe('a job that has ended', () => {
  const job = pullSooner(jobIn('EXPIRED'), NOW + 9 * DAY)

  it('is pulled once more when a notification came too soon after an answer', () => {
    expect(nextPspWork(job)).toEqual({ work: 'pull', at: NOW + 9 * DAY })
    expect(plan(job, NOW + 9 * DAY, MIDDLE, RETENTION).work).toBe('pull')
  })

  it('still has that pull when a customer comes back meanwhile', () => {
    const back = recordPullResult(job, 'return', { answer: seen('EXPIRED'), stopped: false }, NOW + DAY)
    expect(back.steps.at(-1)).toMatchObject({ action: 'Return', status: 'EXPIRED' })
    expect(back.pullAt).toBe(NOW + 9 * DAY)
  })

  it('is not purged before that', () => {
    expect(purgeAt(settled, RETENTION)).not.toBeNull()
    expect(purgeAt(pullSooner(settled, NOW + 9 * DAY), RETENTION)).toBeNull()
  })

  it('is pulled by its schedule for three days after that was asked for, should the PSP not answer', () => {
    const asked = jobIn('EXPIRED').updated / 1000 + 50 * DAY
    const pulled = (now: number) => plan(pullSooner(jobIn('EXPIRED'), asked), now, MIDDLE, RETENTION)
    expect(pulled(asked + 3 * DAY - 1)).toMatchObject({
      work: 'pull',
      job: { pullAt: expect.any(Number) as number },
    })
    expect(pulled(asked + 3 * DAY)).toMatchObject({ work: 'pull', job: { pullAt: null } })
  })

  it('is left in peace once the PSP has said how the payment stands, and not before', () => {
    const begun = plan(job, NOW + 9 * DAY, MIDDLE, RETENTION).job
    const look = (answer: PullAnswer) =>
      recordPullResult(begun, 'schedule', { answer, stopped: false }, NOW + 9 * DAY)
    expect(look(seen('EXPIRED')).pullAt).toBeNull()
    expect(look({ is: 'unknown' }).pullAt).not.toBeNull()
    expect(look(SILENT).pullAt).not.toBeNull()
    expect(look(seen('SUCCESS', AMOUNT))).toMatchObject({ status: 'SUCCESS', pullAt: null })
  })
})

describe('the alarm runs', () => {
  it('for the first pull when nothing else is due', () => {
    expect(nextWake(indexed(sampleJob()), RETENTION)).toBe(NOW + MINUTE)
  })

  it('for the announcement', () => {
    expect(nextWake(sampleJob(SILENT), RETENTION)).toBe(NOW + 10_000)
  })

  it('for a row that the index queue has not taken', () => {
    const job = { ...sampleJob({ ...ANNOUNCED, expiresAt: NOW + DAY }), pullAt: NOW + HOUR }
    expect(nextWake(job, RETENTION)).toBe(NOW + INDEX_LEASE)
  })

  it('for the end, where that comes before every pull', () => {
    const job = indexed(sampleJob({ ...ANNOUNCED, expiresAt: NOW - 10_000 }))
    expect(nextWake(job, RETENTION)).toBe(NOW + 50_000)
  })

  it('for a report that is pending', () => {
    expect(nextWake(sampleJob(REFUSED), RETENTION)).toBe(NOW)
  })

  it('for the report under way, and not for those that wait behind it', () => {
    const job = dispatch(indexed(sampleJob(REFUSED)), NOW)
    const [report] = job.reports
    if (!report) throw new Error('a report is owed')
    expect(nextWake(job, RETENTION)).toBe(NOW + MINUTE / 2)
    const both = { ...job, reports: [report, { ...report, revision: 2, dueAt: NOW }] }
    expect(nextWake(both, RETENTION)).toBe(NOW + MINUTE / 2)
  })

  it('for the retry of a report', () => {
    const job = recordDelivery(dispatch(indexed(sampleJob(REFUSED)), NOW), 1, FAILED, NOW + 200, MIDDLE)
    expect(nextWake(job, RETENTION)).toBe(NOW + 5200)
  })

  it('for nothing more once all but the purge is done: that is left to the sweeps', () => {
    expect(nextWake(settled, RETENTION)).toBe(NOW + RETENTION)
    expect(alarmFor(settled, RETENTION, null, NOW)).toBeNull()
    expect(alarmFor(settled, RETENTION, NOW - 1, NOW)).toBeNull()
  })

  it('for a purge that is due, should the job be asked for', () => {
    expect(alarmFor(settled, RETENTION, null, NOW + RETENTION)).toBe(NOW + RETENTION)
    expect(alarmFor(settled, 5 * DAY, NOW + RETENTION, NOW + 6 * DAY)).toBe(NOW + 5 * DAY)
  })
})

describe('an alarm that is set', () => {
  const flying = dispatch({ ...indexed(sampleJob(REFUSED)), flight: null }, NOW)

  it.each([
    ['is left while it rings 40 seconds after it could look after a lost message', 70_000, 70_000],
    ['is set anew when it rings later', 70_001, 30_000],
    ['is left when it rings somewhat early', 1000, 1000],
  ])('%s', (_, set, wanted) => {
    expect(alarmFor(flying, RETENTION, NOW + set, NOW)).toBe(NOW + wanted)
  })

  it('is set anew when it runs slightly too late for the PSP', () => {
    const job = indexed(sampleJob())
    expect(alarmFor(job, RETENTION, NOW + MINUTE + 1, NOW)).toBe(NOW + MINUTE)
    expect(alarmFor(job, RETENTION, NOW + MINUTE, NOW)).toBe(NOW + MINUTE)
  })

  it('is left when nothing but the purge is to come: it runs once in vain, or is of a release that set it for the purge', () => {
    expect(alarmFor(settled, RETENTION, NOW + MINUTE, NOW)).toBe(NOW + MINUTE)
    expect(alarmFor(settled, RETENTION, NOW + RETENTION, NOW)).toBe(NOW + RETENTION)
    expect(plan(settled, NOW + MINUTE, MIDDLE, RETENTION)).toEqual({ job: settled, work: null })
  })

  it('is set anew when it would run in vain, long before the next pull', () => {
    const looked = pullSooner(settled, NOW + 9 * DAY)
    expect(alarmFor(looked, RETENTION, NOW + MINUTE, NOW)).toBe(NOW + 9 * DAY)
  })

  it('is none when its time is over, or there was none', () => {
    expect(alarmFor(flying, RETENTION, NOW - 1, NOW)).toBe(NOW + 30_000)
    expect(alarmFor(flying, RETENTION, null, NOW)).toBe(NOW + 30_000)
  })
})

describe('a job is purged', () => {
  it('its retention time after its last change, to the millisecond before', () => {
    expect(purgeAt({ ...settled, updated: (NOW + HOUR) * 1000 + 999 }, RETENTION)).toBe(
      NOW + HOUR + RETENTION,
    )
  })

  it.each<[why: string, job: Job]>([
    ['it is pending', sampleJob()],
    ['a report is owed', sampleJob(REFUSED)],
    [
      'a report waits for its retry',
      recordDelivery(dispatch(sampleJob(REFUSED), NOW), 1, FAILED, NOW, MIDDLE),
    ],
    ['a report is under way', { ...settled, flight: { revision: 1, sends: 1, until: NOW } }],
  ])('but not while %s', (_, job) => {
    expect(purgeAt(job, RETENTION)).toBeNull()
  })

  it('but not while one of its refunds is unsettled', () => {
    const job: Job = { ...jobIn('SUCCESS'), reports: [] }
    expect(purgeAt(job, RETENTION)).not.toBeNull()
    const wanted = { id: 'r1', fingerprint: 'f', call: 'c', amount: 500, description: 'd' }
    const asked = beginRefund(job, wanted, NOW, MIDDLE)
    if (!asked.ok) throw new Error(asked.error.is)
    const answered = (state: 'pending' | 'done') =>
      recordRefund(asked.value, 'r1', { is: 'taken', reference: 're_1', state }, NOW)
    expect(purgeAt(asked.value, RETENTION)).toBeNull()
    expect(purgeAt(answered('pending'), RETENTION)).toBeNull()
    expect(purgeAt({ ...answered('done'), pullAt: null }, RETENTION)).toBe(purgeAt(job, RETENTION))
  })

  it('although its report was given up', () => {
    const job = recordDelivery(dispatch(sampleJob(REFUSED), NOW), 1, STOPPED, NOW + 200, MIDDLE)
    expect(purgeAt(job, RETENTION)).toBe(NOW + RETENTION)
  })
})

describe('an alarm that is set', () => {
  const purge = purgeAt(settled, RETENTION) ?? 0
  it.each([
    ['is set for a purge that is due, where there is none', null, purge],
    ['is left before a purge that is due', purge - 1000, purge - 1000],
    ['is set anew where it is to run now', purge - HOUR + 1, purge],
    ['is set anew where it is too late', purge + 1, purge],
  ])('%s', (_, set, alarm) => {
    expect(alarmFor(settled, RETENTION, set, purge - HOUR + 1)).toBe(alarm)
  })

  it.each([
    ['is none where there is none', null, null],
    ['is none any more where it is to run now', purge - 2 * HOUR, null],
    ['is left where it is yet to run', purge - 2 * HOUR + 1, purge - 2 * HOUR + 1],
  ])('for a purge that is far off %s', (_, set, alarm) => {
    expect(alarmFor(settled, RETENTION, set, purge - 2 * HOUR)).toBe(alarm)
  })

  it('is left where it is less than an hour too early', () => {
    const job = indexed(sampleJob())
    const wake = NOW + MINUTE
    expect(alarmFor(job, RETENTION, wake - HOUR + 1, NOW - 2 * HOUR)).toBe(wake - HOUR + 1)
    expect(alarmFor(job, RETENTION, wake - HOUR, NOW - 2 * HOUR)).toBe(wake)
  })
})
