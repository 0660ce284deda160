import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import { OK, failed, paid, tried } from './why-jobs.ts'

function answersOf(job: Job) {
  return job.reports.at(-1)?.attempts.map(({ answer }) => answer)
}

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

it('only the last three tries keep how the receiver answered', () => {
  const job = tried(paid(), ...['a', 'b', 'c', 'd'].map((answer) => failed('500', answer)))
  expect(job.reports.at(-1)?.attempts.map(({ answer }) => answer)).toEqual([undefined, 'b', 'c', 'd'])
})
