import { describe, expect, it } from 'vitest'
import { owedSince } from '../../src/domain/job-row.ts'
import type { Job } from '../../src/domain/job.ts'
import { isWanted } from '../../src/domain/reporting.ts'
import { NOW } from '../support/sample-job.ts'
import { OK, failed, paid, reported, tried } from './why-jobs.ts'

const answersOf = (job: Job) => job.reports.at(-1)?.attempts.map(({ answer }) => answer)

describe('how the answer to a report began', () => {
  it('is kept of the last three tries that have one: tries without an answer do not count', () => {
    const silent = failed('no connection')
    const job = tried(
      paid(),
      silent,
      failed('500', 'a'),
      failed('500', 'b'),
      silent,
      failed('500', 'c'),
      silent,
    )
    expect(answersOf(job)).toEqual([undefined, 'a', 'b', undefined, 'c', undefined])
  })

  it('is none of one that was taken', () => {
    expect(answersOf(tried(paid(), failed('500', 'a'), OK))).toEqual(['a', undefined])
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

it('nothing is owed of a report that was delivered, whatever is remembered of its tries', () => {
  const job = tried(paid(), failed('500'))
  expect(owedSince(job)).not.toBeNull()
  const delivered = job.reports.map((report) => ({ ...report, state: 'delivered' as const }))
  expect(owedSince({ ...job, reports: delivered })).toBeNull()
})
