import type { Status } from '../../../src/contract/values.ts'
import { describe, expect, it } from 'vitest'
import { isLookedAfter } from '../../../src/job/rules/after-end.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { plan } from '../../../src/job/rules/plan.ts'
import { recordPullResult } from '../../../src/job/rules/pull.ts'
import type { PullAnswer } from '../../../src/psp/answer.ts'
import { nextPspWork, purgeAt } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import { expire, expireUnanswered, planNextPull, recordPull } from '../../../src/job/rules/transition.ts'
import {
  AMOUNT,
  MIDDLE,
  NOW,
  REFUSED,
  RETENTION,
  SILENT,
  jobIn,
  sampleJob,
  seen,
  seenForNow,
  traceOf,
} from '../../support/sample-job.ts'

const ENDED = NOW + 1000
function endedFor(status: Exclude<Status, 'PENDING' | 'SUCCESS'>): Job {
  return recordPull(sampleJob(), 'Statuspull', seenForNow(status), ENDED)
}
function look(job: Job, answer: PullAnswer, now: number): Job {
  return recordPullResult(plan(job, now, MIDDLE, RETENTION).job, 'schedule', { answer, stopped: false }, now)
}

describe('a job that has ended', () => {
  it.each(['FAILURE', 'CANCELLED', 'EXPIRED'] as const)(
    'as %s is looked at after 1 h and 1, 3, 7, 14 and 30 days, and then no more',
    (status) => {
      let job = endedFor(status)
      const looks: number[] = []
      for (let work = nextPspWork(job); work !== null; work = nextPspWork(job)) {
        expect(work.work).toBe('pull')
        looks.push((work.at - ENDED) / HOUR)
        job = look(job, seenForNow(status), work.at)
      }
      expect(looks).toEqual([1, 24, 72, 168, 336, 720])
      expect(traceOf(job)).toEqual(['Start PENDING 0', `Statuspull ${status} 0`])
    },
  )

  it('is left in peace once the word of its PSP is final for good', () => {
    const looked = look(endedFor('EXPIRED'), seen('EXPIRED'), ENDED + HOUR)
    expect(looked).toMatchObject({ closed: true, pullAt: null })
    expect(traceOf(looked)).toEqual(traceOf(endedFor('EXPIRED')))
  })

  it.each<[string, PullAnswer]>([
    ['is silent', SILENT],
    ['does not know the payment', { is: 'unknown' }],
    ['says the same again', seenForNow('EXPIRED')],
    ['says that it is still open', seen('PENDING')],
  ])('is looked at again when its PSP %s', (_, answer) => {
    expect(look(endedFor('EXPIRED'), answer, ENDED + HOUR)).toMatchObject({
      status: 'EXPIRED',
      pullAt: ENDED + DAY,
    })
  })

  it('becomes SUCCESS by late money, is reported, and is marked late', () => {
    const job = look(endedFor('EXPIRED'), seen('SUCCESS', AMOUNT), ENDED + DAY)
    expect(job).toMatchObject({ status: 'SUCCESS', paid: AMOUNT, late: true, pullAt: null })
    expect(job.reports.at(-1)).toMatchObject({ revision: job.revision, dueAt: ENDED + DAY })
  })

  it('is not marked late when its money was on time', () => {
    expect(jobIn('SUCCESS').late).toBeUndefined()
  })

  it('is looked at from its first end on, whatever comes later', () => {
    const back = recordPull(endedFor('EXPIRED'), 'Return', seenForNow('EXPIRED'), ENDED + 2 * DAY)
    expect(planNextPull(back, ENDED + 2 * DAY, MIDDLE).pullAt).toBe(ENDED + 3 * DAY)
  })

  it.each<[string, Job]>([
    ['is paid', jobIn('SUCCESS')],
    ['was refused', sampleJob(REFUSED)],
    ['was never announced', expire(sampleJob(SILENT), NOW + DAY)],
    ['is closed', jobIn('CANCELLED')],
  ])('is not looked after when it %s', (_, job) => {
    expect(isLookedAfter(job)).toBe(false)
    expect(nextPspWork(job)).toBeNull()
  })

  it('is looked after when three days of trying said that its PSP is gone', () => {
    const end = sampleJob().expiresAt + 3 * DAY
    const job = expireUnanswered(sampleJob(), end)
    expect(nextPspWork(job)).toEqual({ work: 'pull', at: end + HOUR })
  })

  it('is purged on time: no look is waited for that comes after that', () => {
    const job: Job = { ...endedFor('EXPIRED'), reports: [] }
    expect(purgeAt(job, 2 * DAY)).toBeNull()
    const looked = look(look(job, SILENT, ENDED + HOUR), SILENT, ENDED + DAY)
    expect(purgeAt(looked, 2 * DAY)).toBe(ENDED + 2 * DAY)
  })
})
