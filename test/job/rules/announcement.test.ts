import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { Job } from '../../../src/job/rules/job.ts'
import { INDEX_LEASE, isRowDue } from '../../../src/job/rules/job-row.ts'
import { plan } from '../../../src/job/rules/plan.ts'
import type { AnnounceOutcome } from '../../../src/psp/answer.ts'
import { nextWake } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { type NewJob, createJob, recordAnnouncement } from '../../../src/job/rules/announcement.ts'
import { postponePull, recordPull, recordReturn } from '../../../src/job/rules/transition.ts'
import {
  AMOUNT,
  ANNOUNCED,
  MIDDLE,
  NOW,
  REFUSED,
  RETENTION,
  SILENT,
  sampleJob,
  jobIn,
  seen,
  traceOf,
} from '../../support/sample-job.ts'

const LATER = NOW + 20_000

/** A job of a live point of sale. */
function newJob(answer: AnnounceOutcome, more: Partial<NewJob> = {}) {
  const { order, id, transactionId, fingerprint, pos, account, origin } = sampleJob()
  const known = { order, id, transactionId, fingerprint, pos, account, origin }
  return createJob({ ...known, answer, isLive: true, ...more }, NOW, MIDDLE)
}

describe('a job is created', () => {
  it('pending, with where to pay, when the PSP holds the payment', () => {
    const job = sampleJob(ANNOUNCED)
    expect(job).toMatchObject({ status: 'PENDING', paid: 0, error: null, reports: [], revision: 1 })
    expect(job.announcement).toEqual({
      is: 'announced',
      reference: 'tr_1',
      checkoutUrl: 'https://psp.nl/checkout/tr_1',
    })
    expect(job.pullAt).toBe(NOW + MINUTE)
  })

  it('as a failure that is reported when the PSP refuses', () => {
    const job = sampleJob(REFUSED)
    expect(job).toMatchObject({ status: 'FAILURE', error: 'The method is not active.', pullAt: null })
    expect(job.announcement).toEqual({ is: 'refused' })
    expect(traceOf(job)).toEqual(['Start FAILURE 0'])
    expect(job.reports).toEqual([{ revision: 1, state: 'waiting', dueAt: NOW, tries: 0, attempts: [] }])
  })

  it('pending, with its announcement to be repeated, when the PSP is silent', () => {
    const job = sampleJob(SILENT)
    expect(job).toMatchObject({ status: 'PENDING', error: 'No answer in time.', pullAt: null, reports: [] })
    expect(job.announcement).toEqual({ is: 'due', tries: 1, at: NOW + 10_000 })
    expect(job.expiresAt).toBe(NOW + DAY)
  })

  it.each([
    ['announced', ANNOUNCED],
    ['refused', REFUSED],
    ['silent', SILENT],
  ])('whole, with one Start step just after its creation, its row due in the index: %s', (_, answer) => {
    const job = sampleJob(answer)
    expect(v.parse(Job, job)).toEqual(job)
    expect(job.steps).toHaveLength(1)
    expect(job.steps[0]).toMatchObject({ action: 'Start', at: NOW * 1000 + 1, paid: 0 })
    expect([job.created, job.updated]).toEqual([NOW * 1000, NOW * 1000 + 1])
    expect(job.indexAt).toBe(NOW + INDEX_LEASE)
  })

  it("with the PSP's end and a minute's grace, or a day where the PSP names none", () => {
    expect(sampleJob().expiresAt).toBe(NOW + HOUR + MINUTE)
    expect(sampleJob({ ...ANNOUNCED, expiresAt: null }).expiresAt).toBe(NOW + DAY + MINUTE)
  })
})

describe('the row of a new job', () => {
  it('rests in live mode until the first pull, whose alarm sends it', () => {
    const job = newJob(ANNOUNCED)
    expect(job).toMatchObject({ sequence: 0, indexSends: 0, listed: false, indexAt: job.pullAt })
    expect(isRowDue(null, job)).toBe(false)
    expect(nextWake(job, RETENTION)).toBe(job.pullAt)
    const { job: planned, work } = plan(job, job.pullAt ?? 0, MIDDLE, RETENTION)
    expect(work).toBe('pull')
    expect(isRowDue(job, planned)).toBe(true)
  })

  it('is one row with the end of a job that ends before that', () => {
    const job = newJob(ANNOUNCED)
    const ended = recordPull(job, 'Return', seen('SUCCESS', AMOUNT), NOW + 20_000)
    expect(ended).toMatchObject({ sequence: 1, listed: false })
    expect(isRowDue(job, ended)).toBe(true)
  })

  it('goes on resting when the customer comes back without a result', () => {
    const job = newJob(ANNOUNCED)
    const back = recordReturn(job, NOW + 20_000)
    expect(back.steps).toHaveLength(2)
    expect(back.indexAt).toBe(job.indexAt)
    expect(isRowDue(job, back)).toBe(false)
  })

  it.each<[why: string, answer: AnnounceOutcome, more: Partial<NewJob>]>([
    ['in test mode', ANNOUNCED, { isLive: false }],
    ['for a Worker that names no mode', ANNOUNCED, { isLive: undefined } as unknown as Partial<NewJob>],
    ['when the PSP refused', REFUSED, {}],
    ['when the PSP was silent', SILENT, {}],
    ['when an account may hold a second payment', ANNOUNCED, { unsure: ['first'] }],
    ['when an account was passed over', ANNOUNCED, { passedOver: ['first'] }],
    ['when it was passed over, and may hold one', ANNOUNCED, { unsure: ['first'], passedOver: ['first'] }],
  ])('is sent at once %s', (_, answer, more) => {
    const job = newJob(answer, more)
    expect(job).toMatchObject({ sequence: 1, indexAt: NOW + INDEX_LEASE })
    expect(isRowDue(null, job)).toBe(true)
    expect('isLive' in job).toBe(false)
  })
})

describe('the answer to a repeated announcement', () => {
  it('gives a waiting job its payment, without a step and without a report', () => {
    const job = recordAnnouncement(sampleJob(SILENT), 'sandbox', ANNOUNCED, LATER, MIDDLE)
    expect(job).toMatchObject({ status: 'PENDING', error: null, reports: [], revision: 1 })
    expect(job.announcement).toMatchObject({ is: 'announced', reference: 'tr_1' })
    expect(job.expiresAt).toBe(NOW + HOUR + MINUTE)
    expect(job.pullAt).toBe(NOW + MINUTE)
    expect(job.updated).toBe(LATER * 1000)
    expect(traceOf(job)).toEqual(['Start PENDING 0'])
  })

  it('counts the life of a payment without an end of its own from now', () => {
    const job = recordAnnouncement(
      sampleJob(SILENT),
      'sandbox',
      { ...ANNOUNCED, expiresAt: null },
      LATER,
      MIDDLE,
    )
    expect(job.expiresAt).toBe(LATER + DAY + MINUTE)
  })

  it('fails a waiting job when it is a refusal, and queues a report', () => {
    const job = recordAnnouncement(sampleJob(SILENT), 'sandbox', REFUSED, LATER, MIDDLE)
    expect(job).toMatchObject({ status: 'FAILURE', error: 'The method is not active.', revision: 2 })
    expect(job.announcement).toEqual({ is: 'refused' })
    expect(traceOf(job)).toEqual(['Start PENDING 0', 'Statuspull FAILURE 0'])
    expect(job.reports).toEqual([{ revision: 2, state: 'waiting', dueAt: LATER, tries: 0, attempts: [] }])
  })

  it('changes nothing when there is none', () => {
    const job = sampleJob(SILENT)
    expect(recordAnnouncement(job, 'sandbox', SILENT, LATER, MIDDLE)).toBe(job)
  })

  it.each([
    ['the same payment', ANNOUNCED],
    ['a refusal', REFUSED],
    ['silence', SILENT],
  ])('is ignored by a job that has its payment: %s', (_, answer) => {
    const job = sampleJob(ANNOUNCED)
    expect(recordAnnouncement(job, 'sandbox', answer, LATER, MIDDLE)).toBe(job)
  })

  it.each([
    ['expired', { ...sampleJob(SILENT), status: 'EXPIRED' as const }],
    ['refused', sampleJob(REFUSED)],
    ['announced', sampleJob()],
    ['paid', jobIn('SUCCESS')],
  ])(
    'comes too late for a job that is %s: its payment is looked after, so that nobody can pay it',
    (_, job) => {
      const late = recordAnnouncement(job, 'sandbox', { ...ANNOUNCED, reference: 'tr_2' }, LATER, MIDDLE)
      const other = { account: 'sandbox', reference: 'tr_2', paid: 0, tries: 0, at: LATER }
      expect(late).toEqual({ ...job, otherPayments: [other] })
    },
  )
})

describe('an announcement at another account', () => {
  it('moves the job there, and tells the index', () => {
    const before = sampleJob(SILENT)
    const job = recordAnnouncement(before, 'stripe-2', ANNOUNCED, LATER, MIDDLE)
    expect(job).toMatchObject({ account: 'stripe-2', sequence: before.sequence + 1 })
    expect(job.indexAt).toBeGreaterThan(LATER)
  })

  it('that none follows does not', () => {
    const before = sampleJob(SILENT)
    expect(recordAnnouncement(before, 'stripe-2', SILENT, LATER, MIDDLE)).toBe(before)
  })

  it('is where the job ends when it is refused there', () => {
    expect(recordAnnouncement(sampleJob(SILENT), 'stripe-2', REFUSED, LATER, MIDDLE)).toMatchObject({
      account: 'stripe-2',
      status: 'FAILURE',
    })
  })
})

describe('a PSP that asks to be left alone', () => {
  const BUSY = { ...SILENT, retryAfter: 3600 }
  const announcementAt = ({ announcement }: Job) => (announcement.is === 'due' ? announcement.at : null)

  it('at creation is announced to no sooner', () => {
    expect(announcementAt(sampleJob(BUSY))).toBe(NOW + 3_600_000)
  })

  it('when announced to again is announced to no sooner', () => {
    const job = recordAnnouncement(sampleJob(SILENT), 'sandbox', BUSY, LATER, MIDDLE)
    expect(announcementAt(job)).toBe(LATER + 3_600_000)
  })

  it('for longer than a day is asked again after a day', () => {
    expect(announcementAt(sampleJob({ ...SILENT, retryAfter: 10 ** 9 }))).toBe(NOW + 86_400_000)
  })

  it('is pulled from no sooner', () => {
    const job = sampleJob(ANNOUNCED)
    expect(postponePull(job, BUSY, NOW).pullAt).toBe(NOW + 3_600_000)
    expect(postponePull(job, SILENT, NOW)).toBe(job)
  })
})

it('a payment that is announced late has a new row: the index knows then that its PSP has it', () => {
  const waiting = sampleJob(SILENT)
  const announced = recordAnnouncement(waiting, 'sandbox', ANNOUNCED, LATER, MIDDLE)
  expect(announced.sequence).toBe(waiting.sequence + 1)
})
