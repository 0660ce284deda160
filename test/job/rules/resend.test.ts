import { describe, expect, it } from 'vitest'
import { INDEX_LEASE } from '../../../src/job/rules/job-row.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { toRow } from '../../../src/job/rules/job-row.ts'
import { type DeliveryOutcome, dispatch, resend, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { DAY } from '../../../src/contract/timestamp.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import { AMOUNT, MIDDLE, NOW, sampleJob, jobIn, seen } from '../../support/sample-job.ts'

const LATER = NOW + 2000
const STOPPED: DeliveryOutcome = { is: 'stopped', outcome: '410' }
const FAILED: DeliveryOutcome = { is: 'failed', outcome: '500', retryAfter: null }
const DELIVERED: DeliveryOutcome = { is: 'delivered', outcome: '200' }

function tried(job: Job, outcome: DeliveryOutcome, now: number): Job {
  return recordDelivery(dispatch(job, now), job.revision, outcome, now, MIDDLE)
}

const dead = tried(jobIn('CANCELLED'), STOPPED, LATER)

describe('a report that is given up', () => {
  it('is marked for the operator in a new row of the index', () => {
    expect(dead.sequence).toBe(jobIn('CANCELLED').sequence + 1)
    expect(dead.indexAt).toBe(LATER + INDEX_LEASE)
    expect(toRow(dead)).toMatchObject({ undeliveredAt: LATER, sequence: dead.sequence })
  })

  it('counts only while it is the newest', () => {
    const paid = recordPull(dead, 'Statuspull', seen('SUCCESS', AMOUNT), LATER + 1)
    expect(toRow(paid).undeliveredAt).toBeNull()
    expect(paid.sequence).toBe(dead.sequence + 1)
  })
})

describe('a report that is sent again', () => {
  it('is due at once, with its whole schedule before it and its history as it was', () => {
    const again = resend(dead, LATER + DAY)
    expect(again.reports).toEqual([
      {
        revision: 2,
        state: 'waiting',
        dueAt: LATER + DAY,
        tries: 0,
        attempts: [{ at: LATER, outcome: '410' }],
      },
    ])
    const failed = tried(again, FAILED, LATER + DAY)
    expect(failed.reports[0]).toMatchObject({ state: 'waiting', tries: 1, dueAt: LATER + DAY + 5000 })
    expect(failed.reports[0]?.attempts).toHaveLength(2)
  })

  it('starts its schedule anew, wherever that was', () => {
    let job = jobIn('CANCELLED')
    let now = LATER
    for (let tries = 1; tries <= 3; tries++, now += DAY) job = tried(job, FAILED, now)
    expect(job.reports[0]).toMatchObject({ state: 'waiting', tries: 3 })
    expect(resend(job, now).reports[0]).toMatchObject({ state: 'waiting', tries: 0, dueAt: now })
    for (let tries = 4; tries <= 11; tries++, now += 2 * DAY) job = tried(job, FAILED, now)
    expect(job.reports[0]?.state).toBe('dead')
    const again = tried(resend(job, now), FAILED, now)
    expect(again.reports[0]).toMatchObject({ state: 'waiting', tries: 1, dueAt: now + 5000 })
  })

  it('is no longer marked for the operator', () => {
    const again = resend(dead, LATER + DAY)
    expect(toRow(again)).toMatchObject({ undeliveredAt: null, sequence: dead.sequence + 1 })
    expect(again.indexAt).toBe(LATER + DAY + INDEX_LEASE)
  })

  it('goes out once more although it was delivered, without a new row', () => {
    const delivered = tried(jobIn('SUCCESS'), DELIVERED, LATER)
    const again = resend(delivered, LATER + DAY)
    expect(dispatch(again, LATER + DAY).flight?.revision).toBe(2)
    expect([again.sequence, again.indexAt]).toEqual([delivered.sequence, delivered.indexAt])
  })

  it('is the newest one: an older one stays as it is', () => {
    const both = tried(recordPull(dead, 'Statuspull', seen('SUCCESS', AMOUNT), LATER + 1), STOPPED, LATER + 1)
    const again = resend(both, LATER + DAY)
    expect(again.reports.map(({ revision, state }) => [revision, state])).toEqual([
      [2, 'dead'],
      [3, 'waiting'],
    ])
  })

  it('is queued where there was none: a job of which nothing was reported yet', () => {
    const again = resend(sampleJob(), LATER)
    expect(again.reports).toEqual([{ revision: 1, state: 'waiting', dueAt: LATER, tries: 0, attempts: [] }])
    expect(resend(again, LATER).reports).toEqual(again.reports)
  })

  it('does not overtake the try that is under way', () => {
    const again = resend(dispatch(jobIn('CANCELLED'), LATER), LATER + 1)
    expect(dispatch(again, LATER + 2)).toBe(again)
    expect(recordDelivery(again, 2, DELIVERED, LATER + 3, MIDDLE).reports[0]?.state).toBe('delivered')
  })
})

it('gives the index a row of what operators search by', () => {
  expect(toRow(jobIn('SUCCESS'))).toStrictEqual({
    id: '7f2c1d1e-0000-4000-8000-000000000001',
    created: NOW * 1000,
    pos: 'pos1',
    account: 'sandbox',
    paymentMethod: 'ideal',
    orderId: '7',
    orderNumber: 'A-7',
    currency: 'EUR',
    amount: AMOUNT,
    paid: AMOUNT,
    status: 'SUCCESS',
    updated: (NOW + 1000) * 1000,
    undeliveredAt: null,
    sequence: 2,
    reference: 'tr_1',
    announcement: 'announced',
    owedSince: null,
    paidAfter: 1000,
  })
})
