import { describe, expect, it } from 'vitest'
import { type Job, endedAt, isFinal } from '../../../src/job/rules/job.ts'
import { type Work, plan } from '../../../src/job/rules/plan.ts'
import { LAST_PULL_PATIENCE } from '../../../src/job/rules/schedule.ts'
import { recordPullResult } from '../../../src/job/rules/pull.ts'
import { dispatch, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { nextWake } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { expireUnanswered } from '../../../src/job/rules/transition.ts'
import { ANNOUNCED, NOW, RETENTION, SILENT, sampleJob, seen, traceOf } from '../../support/sample-job.ts'

type Reply = (job: Job, work: Work, now: number) => Job

const neverAnswers: Reply = (job, work, now) => (work === 'last-pull' ? expireUnanswered(job, now) : job)
const alwaysPending: Reply = (job, work, now) =>
  work === 'last-pull'
    ? recordPullResult(job, 'expiry', { answer: seen('CANCELLED'), stopped: true }, now)
    : recordPullResult(job, 'schedule', { answer: seen('PENDING'), stopped: false }, now)

/** Runs a job's alarm until the job is purged. Every queue works, and the receiver takes each report. */
function live(creation: Job, reply: Reply, random: number) {
  let job = creation
  let now = NOW
  const asked: { work: Work; at: number }[] = []
  for (let rings = 0; rings < 300; rings++) {
    job = { ...dispatch(job, now), indexAt: null }
    if (job.flight)
      job = recordDelivery(job, job.flight.revision, { is: 'delivered', outcome: '200' }, now, random)
    const wake = nextWake(job, RETENTION)
    if (wake === Infinity) throw new Error(`left as ${job.status} for ever`)
    // As the object does, the alarm is never set for the present time.
    now = Math.max(wake, now + 1000)
    const planned = plan(job, now, random, RETENTION)
    if (planned.work === 'purge') return { job, asked, end: endedAt(job) }
    if (planned.work) asked.push({ work: planned.work, at: now })
    job = planned.work ? reply(planned.job, planned.work, now) : planned.job
  }
  throw new Error(`still ${job.status} after 300 rings`)
}

describe('no job stays pending for ever', () => {
  const creations: [string, Job][] = [
    ['an end after an hour', sampleJob()],
    ['no end of its own', sampleJob({ ...ANNOUNCED, expiresAt: null })],
    ['an end in the past', sampleJob({ ...ANNOUNCED, expiresAt: NOW - HOUR })],
    ['an end after twelve days', sampleJob({ ...ANNOUNCED, expiresAt: NOW + 12 * DAY })],
    ['an end after seventy days', sampleJob({ ...ANNOUNCED, expiresAt: NOW + 70 * DAY })],
  ]

  describe.each([0, 0.5, 0.999])('with chance %d', (random) => {
    it.each(creations)('when the PSP never answers: EXPIRED three days after %s', (_, creation) => {
      const { job, end } = live(creation, neverAnswers, random)
      expect(isFinal(job.status)).toBe(true)
      expect(traceOf(job)).toEqual(['Start PENDING 0', 'Expire EXPIRED 0'])
      expect(end).toBe(creation.expiresAt + 3 * DAY)
      expect(job.reports.map((report) => report.state)).toEqual(['delivered'])
    })

    it.each(creations)('when the PSP always says pending: EXPIRED at %s', (_, creation) => {
      const { job, end } = live(creation, alwaysPending, random)
      const wasPulled = creation.expiresAt > NOW
      expect(traceOf(job)).toEqual([
        'Start PENDING 0',
        ...(wasPulled ? ['Statuspull PENDING 0'] : []),
        'Expire EXPIRED 0',
      ])
      expect(end).toBe(Math.max(creation.expiresAt, NOW + 1000))
    })

    it('when the PSP takes no announcement: EXPIRED after a day', () => {
      const { job, end, asked } = live(sampleJob(SILENT), neverAnswers, random)
      expect(traceOf(job)).toEqual(['Start PENDING 0', 'Expire EXPIRED 0'])
      expect(end).toBe(NOW + DAY)
      expect(new Set(asked.map(({ work }) => work))).toEqual(new Set(['announce']))
    })
  })
})

it('asks a PSP that does not answer less and less often', () => {
  const { asked } = live(sampleJob(), neverAnswers, 0.5)
  const end = sampleJob().expiresAt
  const pulls = asked.filter(({ work }) => work === 'pull').map(({ at }) => at)
  expect(pulls.slice(0, 5).map((at) => (at - NOW) / MINUTE)).toEqual([1, 3, 10, 30, 60])
  expect(asked.filter(({ work }) => work === 'last-pull').map(({ at }) => (at - end) / MINUTE)).toEqual([
    0, 1, 6, 36, 156, 516, 1236, 1956, 2676, 3396, 4116, 4320,
  ])
  const ended = end + LAST_PULL_PATIENCE
  expect(pulls.slice(5).map((at) => (at - ended) / HOUR)).toEqual([1, 24, 72, 168, 336, 720])
})

it('goes on pulling a bank transfer daily until its end', () => {
  const { asked } = live(sampleJob({ ...ANNOUNCED, expiresAt: NOW + 12 * DAY }), alwaysPending, 0.5)
  expect(asked.map(({ at }) => Math.round((at - NOW) / DAY)).slice(8)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12,
  ])
})
