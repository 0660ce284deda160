import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INDEX_LEASE } from '../../../src/job/rules/job-row.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { plan } from '../../../src/job/rules/plan.ts'
import { dispatch, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { nextPspWork, nextWake } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import {
  ANNOUNCED,
  MIDDLE,
  NOW,
  REFUSED,
  RETENTION,
  SILENT,
  indexed,
  sampleJob,
  jobIn,
  traceOf,
} from '../../support/sample-job.ts'

/** Paid a second after its creation, and reported. */
const delivered = recordDelivery(
  dispatch(indexed(jobIn('SUCCESS')), NOW + 1000),
  2,
  { is: 'delivered', outcome: '200' },
  NOW + 1000,
  MIDDLE,
)

describe('the alarm plans ahead', () => {
  it('the next announcement before it makes the one that is due', () => {
    const { job, work } = plan(sampleJob(SILENT), NOW + 10_000, MIDDLE, RETENTION)
    expect(work).toBe('announce')
    expect(job.announcement).toEqual({ is: 'due', tries: 2, at: NOW + 40_000 })
  })

  it('the next pull before it makes the one that is due', () => {
    const { job, work } = plan(indexed(sampleJob()), NOW + MINUTE, MIDDLE, RETENTION)
    expect(work).toBe('pull')
    expect(job.pullAt).toBe(NOW + 3 * MINUTE)
  })

  it('another last pull before it makes the one that is due, and ends nothing yet', () => {
    const { expiresAt } = sampleJob()
    const { job, work } = plan(
      { ...indexed(sampleJob()), pullAt: expiresAt + HOUR },
      expiresAt,
      MIDDLE,
      RETENTION,
    )
    expect(work).toBe('last-pull')
    expect(job).toMatchObject({ lastPulls: 1, status: 'PENDING' })
    expect(nextPspWork(job)).toEqual({ work: 'last-pull', at: expiresAt + MINUTE })
  })

  it('nothing for a job that expires without a payment: that is done at once', () => {
    const { job, work } = plan({ ...sampleJob(SILENT), expiresAt: NOW + 5000 }, NOW + 5000, MIDDLE, RETENTION)
    expect(work).toBeNull()
    expect(traceOf(job)).toEqual(['Start PENDING 0', 'Expire EXPIRED 0'])
    expect(job.reports).toHaveLength(1)
  })

  it('the next try to index, whether or not there is work at the PSP', () => {
    const due = NOW + INDEX_LEASE
    const again = { indexAt: due + INDEX_LEASE, indexSends: 1 }
    const both = plan(sampleJob(), due, MIDDLE, RETENTION)
    expect(both).toMatchObject({ job: again, work: 'pull' })
    const index = plan({ ...sampleJob(), pullAt: NOW + HOUR }, due, MIDDLE, RETENTION)
    expect(index).toMatchObject({ job: again, work: null })
    const final = plan(jobIn('SUCCESS'), NOW + HOUR, MIDDLE, RETENTION)
    expect(final).toMatchObject({ job: { indexAt: NOW + HOUR + INDEX_LEASE, indexSends: 1 }, work: null })
  })

  it('nothing for a job whose time is over: it is purged', () => {
    const { job, work } = plan(delivered, NOW + RETENTION + 1000, MIDDLE, RETENTION)
    expect(work).toBe('purge')
    expect(job).toBe(delivered)
  })

  it.each([
    ['nothing is due yet', sampleJob(), NOW + MINUTE - 1],
    ['its announcement is not due yet', sampleJob(SILENT), NOW + 9999],
    ['it is final, and its row is indexed', indexed(jobIn('SUCCESS')), NOW + 9 * DAY],
    ['it is to be forgotten more than an hour later', delivered, NOW + RETENTION + 999 - HOUR],
    ['it was refused', indexed(sampleJob(REFUSED)), NOW + 9 * DAY],
  ])('nothing when %s', (_, job, now) => {
    const planned = plan(job, now, MIDDLE, RETENTION)
    expect(planned).toEqual({ job, work: null })
    expect(planned.job).toBe(job)
  })
})

const randoms = fc.double({ min: 0, max: 0.999_999, noNaN: true })
const creations = fc.oneof(
  fc.constant(sampleJob(SILENT)),
  fc
    .option(fc.integer({ min: NOW, max: NOW + 10 * DAY }))
    .map((expiresAt) => sampleJob({ ...ANNOUNCED, expiresAt })),
)

/** What the alarm does to a job, apart from asking the PSP. */
function ring(job: Job, now: number, random: number): Job {
  return dispatch(plan(job, now, random, RETENTION).job, now)
}

it('leaves nothing due when the alarm runs on time', () => {
  fc.assert(
    fc.property(creations, fc.array(randoms, { minLength: 60, maxLength: 60 }), (creation, chances) => {
      let job = creation
      for (const random of chances) {
        const now = nextWake(job, RETENTION)
        job = ring(job, now, random)
        expect(nextWake(job, RETENTION)).toBeGreaterThan(now)
      }
    }),
    { numRuns: 50 },
  )
})

it('leaves nothing due, however late the alarm runs', () => {
  fc.assert(
    fc.property(creations, fc.nat(30 * DAY), randoms, (creation, late, random) => {
      const now = Math.max(nextWake(creation, RETENTION), NOW + late)
      expect(nextWake(ring(creation, now, random), RETENTION)).toBeGreaterThan(now)
    }),
  )
})

describe('an alarm that runs after the end of a job', () => {
  const late = { ...indexed(sampleJob()), expiresAt: NOW - HOUR }

  it.each([
    ['makes the last pull that is due', { ...late, pullAt: NOW }, 'last-pull'],
    ['makes the last pull in place of another', { ...late, pullAt: NOW - 2 * HOUR }, 'last-pull'],
    ['makes the last pull again', { ...late, pullAt: NOW - MINUTE, lastPulls: 4 }, 'last-pull'],
    [
      'announces no more',
      { ...late, announcement: { is: 'due' as const, tries: 1, at: NOW - 2 * HOUR } },
      null,
    ],
  ])('%s, and leaves nothing due', (_, job, work) => {
    const planned = plan(job, NOW, MIDDLE, RETENTION)
    expect(planned.work).toBe(work)
    expect(planned.job.status).toBe(work === null ? 'EXPIRED' : 'PENDING')
    expect(nextWake(dispatch(planned.job, NOW), RETENTION)).toBeGreaterThan(NOW)
  })
})
