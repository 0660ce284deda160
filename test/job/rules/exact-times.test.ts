import { describe, expect, it } from 'vitest'
import { firstLookAt, nextLookAt } from '../../../src/job/rules/after-end.ts'
import { toRow } from '../../../src/job/rules/job-row.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { nextOtherLook, rememberOthers } from '../../../src/job/rules/other-payments.ts'
import { plan } from '../../../src/job/rules/plan.ts'
import { turnOf } from '../../../src/job/rules/pull-turn.ts'
import { beginRefund, nextRefundCheck } from '../../../src/job/rules/refund-request.ts'
import { dispatch, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { alarmFor, purgeAt } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { postponePull, recordPull } from '../../../src/job/rules/transition.ts'
import {
  AMOUNT,
  MIDDLE,
  NOW,
  RETENTION,
  SILENT,
  jobIn,
  sampleJob,
  seen,
  seenForNow,
} from '../../support/sample-job.ts'

describe('the alarm', () => {
  const job = sampleJob()

  it('that is set to a time after a timer that must be on time is set anew, whatever may be late', () => {
    expect(job.pullAt).toBe(NOW + MINUTE)
    expect(alarmFor(job, RETENTION, NOW + MINUTE, NOW)).toBe(NOW + MINUTE)
    expect(alarmFor(job, RETENTION, NOW + 5 * MINUTE, NOW)).toBe(NOW + MINUTE)
  })

  it('that is set to this very moment is running, and so is set anew', () => {
    expect(alarmFor(job, RETENTION, NOW + 1, NOW)).toBe(NOW + 1)
    expect(alarmFor(job, RETENTION, NOW, NOW)).toBe(NOW + MINUTE)
  })
})

describe('what the alarm does', () => {
  const paid: Job = { ...jobIn('SUCCESS'), indexAt: null }

  it('is to check a refund from the moment on that it planned, and to plan the next check first', () => {
    const wanted = { id: 'r1', fingerprint: 'f', call: 'c', amount: 500, description: 'd' }
    const begun = beginRefund(paid, wanted, NOW + HOUR, MIDDLE)
    if (!begun.ok) throw new Error(begun.error.is)
    const job = { ...begun.value, indexAt: null }
    const at = nextRefundCheck(job)?.at ?? 0
    expect(plan(job, at - 1, MIDDLE, RETENTION)).toEqual({ job, work: null })
    const due = plan(job, at, MIDDLE, RETENTION)
    expect(due.work).toEqual({ refund: 'r1' })
    expect(nextRefundCheck(due.job)?.at).toBeGreaterThan(at)
  })

  it('is to look at another account from the moment on that it planned', () => {
    const job = rememberOthers(paid, [{ account: 'other', reference: null }], NOW + HOUR)
    const at = nextOtherLook(job)?.at ?? 0
    expect(plan(job, at - 1, MIDDLE, RETENTION).work).toBeNull()
    expect(plan(job, at, MIDDLE, RETENTION).work).toMatchObject({ other: { account: 'other' } })
  })
})

it('a job is purged on time where its next pull would come at that same moment', () => {
  const sent = recordDelivery(
    dispatch({ ...jobIn('SUCCESS'), indexAt: null }, NOW + 1000),
    2,
    { is: 'delivered', outcome: '200' },
    NOW + 1000,
    MIDDLE,
  )
  const at = purgeAt({ ...sent, pullAt: null }, RETENTION) ?? 0
  expect(at).toBe(NOW + 1000 + RETENTION)
  expect(purgeAt({ ...sent, pullAt: at }, RETENTION)).toBe(at)
  expect(purgeAt({ ...sent, pullAt: at - 1 }, RETENTION)).toBeNull()
})

it('a pull that is planned for when the PSP asks to be asked again stays as it is', () => {
  const job = { ...sampleJob(), pullAt: NOW + HOUR }
  expect(postponePull(job, { ...SILENT, retryAfter: HOUR / 1000 }, NOW)).toBe(job)
})

it('only a job that has ended without its money is looked at after its end', () => {
  expect([firstLookAt(sampleJob()), nextLookAt(sampleJob(), 0)]).toEqual([null, null])
  expect([firstLookAt(jobIn('SUCCESS')), nextLookAt(jobIn('SUCCESS'), 0)]).toEqual([null, null])
  const ended = recordPull(sampleJob(), 'Statuspull', seenForNow('EXPIRED'), NOW + 1000)
  expect([firstLookAt(ended), nextLookAt(ended, NOW + DAY)]).toEqual([NOW + 1000 + HOUR, NOW + 1000 + DAY])
})

it('a customer who comes back after the notification is shown the answer that it was given', () => {
  const result = { answer: seen('SUCCESS', AMOUNT), stopped: false }
  const pulls = { underWay: null, newest: { result, at: NOW, isNews: false } }
  expect(turnOf(pulls, 'claim', NOW + 1)).toEqual({ is: 'reuse', result })
  expect(turnOf(pulls, 'notification', NOW + 1)).toEqual({ is: 'later', at: NOW + 2000 })
})

describe('the row of a job in the index', () => {
  it('has the reference of its payment once it has one', () => {
    expect(toRow(sampleJob())).toMatchObject({ reference: 'tr_1' })
    expect(toRow(sampleJob(SILENT))).toMatchObject({ reference: null })
  })

  it('has the real time of its last change, to the microsecond, whatever clock the job has', () => {
    const clock = { offset: 19_000_000, moved: NOW }
    const updated = (NOW + 20_000_000) * 1000 + 789
    const real = NOW + 1_000_000
    expect(toRow({ ...sampleJob(), clock, updated }).updated).toBe(real * 1000 + 789)
    expect(toRow({ ...sampleJob(), updated }).updated).toBe(updated)
  })
})
