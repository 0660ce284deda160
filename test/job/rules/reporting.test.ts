import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { Job } from '../../../src/job/rules/job.ts'
import {
  type DeliveryOutcome,
  dispatch,
  isWanted,
  queueReport,
  recordDelivery,
} from '../../../src/job/rules/reporting.ts'
import { HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import { AMOUNT, MIDDLE, NOW, sampleJob, jobIn, seen } from '../../support/sample-job.ts'
import { paid, reported } from './why-jobs.ts'

const LATER = NOW + 2000
const DELIVERED: DeliveryOutcome = { is: 'delivered', outcome: '200' }
const FAILED: DeliveryOutcome = { is: 'failed', outcome: '500', retryAfter: null }
const STOPPED: DeliveryOutcome = { is: 'stopped', outcome: '410' }

/** Owes the reports of revisions 2 and 3: cancelled first, paid after all. */
const cancelled = jobIn('CANCELLED')
function paidAfterAll(job: Job, now: number): Job {
  return recordPull(job, 'Statuspull', seen('SUCCESS', AMOUNT), now)
}

function flightOf(revision: number, now: number) {
  return { revision, sends: 1, until: now + MINUTE / 2 }
}

it('takes no time, at the least, where the clock of a Worker steps back meanwhile', () => {
  const flying = dispatch(cancelled, LATER)
  const delivery: DeliveryOutcome = { ...FAILED, milliseconds: -900 }
  const recorded = recordDelivery(flying, 2, delivery, LATER, MIDDLE)
  expect(recorded.reports.flatMap(({ attempts }) => attempts)).toEqual([
    { at: LATER, outcome: '500', milliseconds: 0 },
  ])
  // What could not be read again would be lost.
  expect(v.is(Job, recorded)).toBe(true)
})

describe('a report goes to the queue', () => {
  it('when it is pending', () => {
    expect(dispatch(cancelled, LATER).flight).toEqual(flightOf(2, LATER))
  })

  it('not before it is due', () => {
    const job = queueReport(sampleJob(), LATER)
    expect(dispatch(job, LATER - 1)).toBe(job)
    expect(dispatch(job, LATER)).not.toBe(job)
  })

  it('not when none is pending', () => {
    const job = sampleJob()
    expect(dispatch(job, LATER)).toBe(job)
  })

  it('not while another is under way, so that they cannot overtake each other', () => {
    const flying = paidAfterAll(dispatch(cancelled, LATER), LATER + 1)
    expect(dispatch(flying, LATER + 2)).toBe(flying)
    expect(dispatch(flying, LATER + MINUTE / 2 - 1)).toBe(flying)
  })

  it('once the one before it has been tried', () => {
    const flying = paidAfterAll(dispatch(cancelled, LATER), LATER + 1)
    const delivered = recordDelivery(flying, 2, DELIVERED, LATER + 500, MIDDLE)
    expect(dispatch(delivered, LATER + 500).flight).toEqual(flightOf(3, LATER + 500))
  })

  it('in the order in which they became due', () => {
    const both = paidAfterAll(cancelled, LATER)
    const [older, newer] = both.reports
    if (!older || !newer) throw new Error('two reports are owed')
    expect(dispatch(both, LATER + HOUR).flight?.revision).toBe(2)
    const swapped = { ...both, reports: [{ ...older, dueAt: LATER + MINUTE }, newer] }
    expect(dispatch(swapped, LATER + HOUR).flight?.revision).toBe(3)
  })

  it('at once when it is new, although an older one waits for its retry', () => {
    const waiting = recordDelivery(dispatch(cancelled, LATER), 2, FAILED, LATER, MIDDLE)
    expect(dispatch(waiting, LATER + 1000).flight).toBeNull()
    const changed = paidAfterAll(waiting, LATER + 1000)
    expect(dispatch(changed, LATER + 1000).flight).toEqual(flightOf(3, LATER + 1000))
  })

  it.each([
    ['delivered', DELIVERED],
    ['stopped', STOPPED],
  ])('no more when it was %s', (_, outcome) => {
    const settled = recordDelivery(dispatch(cancelled, LATER), 2, outcome, LATER, MIDDLE)
    expect(dispatch(settled, LATER + 100 * HOUR)).toBe(settled)
  })
})

describe('a message without a result', () => {
  it('is sent again after its lease, which doubles each time up to an hour', () => {
    let job = dispatch(cancelled, LATER)
    const leases: number[] = []
    for (let sends = 2; sends <= 9; sends++) {
      const until = job.flight?.until ?? 0
      expect(dispatch(job, until - 1)).toBe(job)
      job = dispatch(job, until)
      expect(job.flight).toMatchObject({ revision: 2, sends })
      leases.push(((job.flight?.until ?? 0) - until) / MINUTE)
    }
    expect(leases).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  it('counts as no attempt, and the next report starts with half a minute again', () => {
    const lost = dispatch(dispatch(cancelled, LATER), LATER + MINUTE / 2)
    expect(lost.reports[0]?.attempts).toEqual([])
    const delivered = paidAfterAll(
      recordDelivery(lost, 2, DELIVERED, LATER + 2 * MINUTE, MIDDLE),
      LATER + 2 * MINUTE,
    )
    expect(dispatch(delivered, LATER + 2 * MINUTE).flight).toEqual(flightOf(3, LATER + 2 * MINUTE))
  })
})

describe('the outcome of a try', () => {
  const flying = dispatch(cancelled, LATER)

  it.each([
    ['delivered', DELIVERED, { state: 'delivered', tries: 0, dueAt: cancelled.reports[0]?.dueAt }],
    ['failed', FAILED, { state: 'waiting', tries: 1, dueAt: LATER + 6000 }],
    ['stopped', STOPPED, { state: 'dead', tries: 0, dueAt: cancelled.reports[0]?.dueAt }],
  ])('is recorded with its time when it %s, and lets the next one go', (_, outcome, report) => {
    const job = recordDelivery(flying, 2, outcome, LATER + 1000, MIDDLE)
    expect(job.flight).toBeNull()
    expect(job.reports).toEqual([
      { revision: 2, attempts: [{ at: LATER + 1000, outcome: outcome.outcome }], ...report },
    ])
  })

  it('changes neither status, trace nor revision', () => {
    const { reports, flight, ...rest } = recordDelivery(flying, 2, DELIVERED, LATER + 1000, MIDDLE)
    expect(flying).toMatchObject(rest)
    expect(reports).toHaveLength(1)
    expect(flight).toBeNull()
  })

  it.each([
    ['a revision that is not under way', paidAfterAll(flying, LATER), 3],
    ['a revision that never was', flying, 99],
    ['a job with nothing under way', cancelled, 2],
    ['a duplicate: delivered before', recordDelivery(flying, 2, DELIVERED, LATER, MIDDLE), 2],
    [
      'a report that is delivered, whatever is under way',
      { ...recordDelivery(flying, 2, DELIVERED, LATER, MIDDLE), flight: flying.flight },
      2,
    ],
    ['a duplicate: failed before', recordDelivery(flying, 2, FAILED, LATER, MIDDLE), 2],
    [
      'an older revision',
      dispatch(paidAfterAll(recordDelivery(flying, 2, FAILED, LATER, MIDDLE), LATER), LATER),
      2,
    ],
  ])('changes nothing when it is of %s', (_, job, revision) => {
    for (const outcome of [FAILED, STOPPED]) {
      expect(recordDelivery(job, revision, outcome, LATER + 1000, MIDDLE)).toBe(job)
    }
    expect(isWanted(job, revision)).toBe(false)
  })

  it('changes nothing when a duplicate of the newest report is delivered: it told the same', () => {
    const delivered = recordDelivery(flying, 2, DELIVERED, LATER, MIDDLE)
    expect(recordDelivery(delivered, 2, DELIVERED, LATER + 1000, MIDDLE)).toBe(delivered)
  })

  describe('of an older report that was delivered after all', () => {
    const changed = paidAfterAll(recordDelivery(flying, 2, FAILED, LATER, MIDDLE), LATER)
    const newest = (job: Job) => job.reports.at(-1)

    it('sends the newest again, for the receiver may have got it before', () => {
      const told = recordDelivery(dispatch(changed, LATER), 3, DELIVERED, LATER, MIDDLE)
      const again = recordDelivery(told, 2, DELIVERED, LATER + 1000, MIDDLE)
      expect(newest(again)).toMatchObject({ revision: 3, state: 'waiting', dueAt: LATER + 1000, tries: 0 })
    })

    it('sends the newest again once it has been delivered, when that is under way', () => {
      const overtaken = recordDelivery(dispatch(changed, LATER), 2, DELIVERED, LATER + 500, MIDDLE)
      expect(newest(overtaken)).toMatchObject({ revision: 3, state: 'waiting', again: true })
      const delivered = recordDelivery(overtaken, 3, DELIVERED, LATER + 1000, MIDDLE)
      expect(newest(delivered)).toMatchObject({ revision: 3, state: 'waiting', dueAt: LATER + 1000 })
      expect(newest(delivered)?.again).toBeUndefined()
      const last = recordDelivery(dispatch(delivered, LATER + 1000), 3, DELIVERED, LATER + 2000, MIDDLE)
      expect(newest(last)?.state).toBe('delivered')
    })

    it('leaves a report alone that was given up', () => {
      const dead = recordDelivery(dispatch(changed, LATER), 3, STOPPED, LATER, MIDDLE)
      expect(recordDelivery(dead, 2, DELIVERED, LATER + 1000, MIDDLE)).toBe(dead)
    })
  })

  it('is wanted of the report that is under way', () => {
    expect(isWanted(flying, 2)).toBe(true)
  })
})

it('a message for a report is not wanted where only another report waits', () => {
  const job = reported(paid())
  const next = job.revision + 1
  const waiting = { revision: next, state: 'waiting' as const, dueAt: NOW, tries: 0, attempts: [] }
  const under = (revision: number): Job => ({
    ...job,
    reports: [...job.reports, waiting],
    flight: { revision, sends: 1, until: NOW },
  })
  expect(isWanted(under(job.revision), job.revision)).toBe(false)
  expect(isWanted(under(waiting.revision), waiting.revision)).toBe(true)
})
