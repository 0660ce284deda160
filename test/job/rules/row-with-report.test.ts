import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import { markIndexDue, markIndexDueAgain, markIndexed } from '../../../src/job/rules/job-row.ts'
import { dispatch, queueReport, recordDelivery } from '../../../src/job/rules/reporting.ts'
import {
  isReportDue,
  isRowForReport,
  recordRow,
  restUntilReported,
} from '../../../src/job/rules/row-with-report.ts'
import { NOW, sampleJob } from '../../support/sample-job.ts'

const DELIVERED = { is: 'delivered', outcome: '200' } as const
const before = markIndexed(sampleJob(), 1)
/** A change that calls for a row and a report. */
const changed = markIndexDue(queueReport({ ...before, revision: before.revision + 1 }, NOW), NOW)
const resting = restUntilReported(before, dispatch(changed, NOW))

describe('a row rests until the report of its change is tried', () => {
  it('for as long as the report does not count as lost', () => {
    expect(resting.indexAt).toBe(resting.flight?.until)
    expect(isReportDue(before, resting)).toBe(true)
    expect(isRowForReport(resting)).toBe(true)
  })

  it.each([
    ['no report goes out', markIndexDue(before, NOW)],
    ['the report is under way already', markIndexDue(resting, NOW), resting],
    ['the report is sent again', dispatch({ ...changed, flight: resting.flight }, NOW + 30_000), resting],
    ['it is sent again itself', markIndexDueAgain(dispatch(changed, NOW), NOW)],
    ['the change has none', { ...dispatch(changed, NOW), sequence: before.sequence }],
  ])('but not when %s', (_, job, earlier = before) => {
    expect(restUntilReported(earlier, job)).toBe(job)
    expect(isRowForReport(job)).toBe(false)
  })
})

describe('after a try of the report', () => {
  it('a row that was written is done with', () => {
    const row = recordRow(resting, resting.sequence, NOW)
    expect(row).toMatchObject({ indexAt: null, indexSends: 0, listed: true })
  })

  it('a row that was not written is sent', () => {
    expect(recordRow(resting, undefined, NOW)).toEqual(markIndexDueAgain(resting, NOW))
  })

  it('a row that a later change has overtaken stays due', () => {
    const later = markIndexDue(resting, NOW + 1)
    expect(recordRow(later, resting.sequence, NOW)).toMatchObject({ indexAt: later.indexAt, listed: true })
    expect(recordRow(later, undefined, NOW)).toBe(later)
  })

  it('a row that its own queue has is left alone', () => {
    const repeated = markIndexDueAgain(resting, NOW)
    expect(recordRow(repeated, undefined, NOW)).toBe(repeated)
    const done = recordDelivery(resting, resting.revision, DELIVERED, NOW, 0.5)
    expect(recordRow(done, undefined, NOW)).toBe(done)
  })
})

describe('a report is due', () => {
  const flight = { revision: 1, sends: 1, until: NOW + 30_000 }
  it.each<[string, Job | null, boolean]>([
    ['where the job is new', null, true],
    ['where none was under way', before, true],
    ['where another was under way', { ...before, flight: { ...flight, revision: 0 } }, true],
    ['where it has been sent less often', { ...before, flight: { ...flight, sends: 0 } }, true],
    ['but not where it was under way already', { ...before, flight }, false],
  ])('%s', (_, earlier, isDue) => {
    expect(isReportDue(earlier, { ...before, flight })).toBe(isDue)
    expect(isReportDue(earlier, { ...before, flight: null })).toBe(false)
  })
})

it('a row is for who tries the report only while neither is sent again', () => {
  const [until, flight] = [resting.indexAt, resting.flight]
  expect(flight?.sends).toBe(1)
  expect(isRowForReport({ ...resting, indexSends: 1, indexAt: until })).toBe(false)
  expect(isRowForReport({ ...resting, flight: flight && { ...flight, sends: 2 } })).toBe(false)
})

it('a row does not rest until a report that is sent for the second time', () => {
  const sentTwice = { ...changed, flight: { revision: changed.revision, sends: 2, until: NOW + 30_000 } }
  expect(restUntilReported(before, sentTwice)).toBe(sentTwice)
})
