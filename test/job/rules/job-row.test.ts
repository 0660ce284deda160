import { describe, expect, it } from 'vitest'
import {
  INDEX_LEASE,
  isRowDue,
  markIndexDue,
  markIndexDueAgain,
  markIndexRefused,
  markIndexed,
  owedSince,
  restingRow,
  toRow,
} from '../../../src/job/rules/job-row.ts'
import { MINUTE } from '../../../src/contract/timestamp.ts'
import { NOW, jobIn, sampleJob } from '../../support/sample-job.ts'
import { failed, tried } from './why-jobs.ts'

/** A job with a row of its creation and one of its payment, both on their way. */
const paid = jobIn('SUCCESS')
const [OLDER, NEWEST] = [paid.sequence - 1, paid.sequence]

describe('a row that the index queue took', () => {
  it('is done with when it is the newest', () => {
    expect(markIndexed(paid, NEWEST)).toMatchObject({ indexAt: null, indexSends: 0, listed: true })
  })

  it('says nothing of a newer one: that is still to be sent', () => {
    expect(markIndexed(paid, OLDER)).toMatchObject({ indexAt: paid.indexAt, listed: true })
    const repeated = markIndexDueAgain(paid, NOW)
    expect(markIndexed(repeated, OLDER)).toMatchObject({ indexAt: NOW + INDEX_LEASE, indexSends: 1 })
  })
})

describe('a row that the index queue refused', () => {
  it('is sent again in a minute', () => {
    expect(markIndexRefused(paid, NEWEST, NOW).indexAt).toBe(NOW + MINUTE)
  })

  it('changes nothing when a newer one is on its way', () => {
    expect(markIndexRefused(paid, OLDER, NOW)).toBe(paid)
  })

  it('changes nothing when it was taken by another try', () => {
    const taken = markIndexed(paid, NEWEST)
    expect(markIndexRefused(taken, NEWEST, NOW)).toBe(taken)
  })
})

it('repeats of a row are counted, from none for each new row', () => {
  const twice = markIndexDueAgain(markIndexDueAgain(paid, NOW), NOW)
  expect(twice).toMatchObject({ sequence: NEWEST, indexSends: 2 })
  expect(markIndexDue(twice, NOW)).toMatchObject({ sequence: NEWEST + 1, indexSends: 0 })
})

it('a row that has rested is no repeat when it is sent: that the queue took it is saved with the next change', () => {
  const rested = markIndexDueAgain({ ...sampleJob(), ...restingRow(NOW) }, NOW)
  expect(rested).toMatchObject({ sequence: 1, indexSends: 0, indexAt: NOW + INDEX_LEASE })
})

describe('the index shows since when a report is given up', () => {
  const given = (attempts: { at: number; outcome: string }[]) =>
    toRow({
      ...sampleJob(),
      reports: [{ revision: 1, state: 'dead', dueAt: NOW, tries: 0, attempts }],
    }).undeliveredAt

  it('from its last try', () => {
    const attempts = [1, 2, 3].map((n) => ({ at: NOW + n, outcome: '500' }))
    expect(given(attempts)).toBe(NOW + 3)
  })

  it('from when it was due, where none was made', () => {
    expect(given([])).toBe(NOW)
  })
})

describe('a change of a job', () => {
  it.each([
    ['makes the row of a new job due', null, paid, true],
    ['that has a newer row makes it due', { ...paid, sequence: OLDER }, paid, true],
    ['that sends its row once more makes it due', paid, { ...paid, indexSends: 1 }, true],
    ['that leaves its row as it is makes none due', paid, paid, false],
    ['whose row the queue has taken makes none due', null, { ...paid, indexAt: null }, false],
  ])('%s', (_, before, after, isDue) => {
    expect(isRowDue(before, after)).toBe(isDue)
  })
})

it('nothing is owed of a report that was delivered, whatever is remembered of its tries', () => {
  const job = tried(paid, failed('500'))
  expect(owedSince(job)).not.toBeNull()
  const delivered = job.reports.map((report) => ({ ...report, state: 'delivered' as const }))
  expect(owedSince({ ...job, reports: delivered })).toBeNull()
})
