import { expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import { recordDelivery, resend } from '../../../src/job/rules/reporting.ts'
import { MIDDLE, NOW, jobIn } from '../../support/sample-job.ts'

const attempts = [{ at: NOW, outcome: '200' }]
const OLDER = [1, 2].map((revision) => ({
  revision,
  state: 'delivered' as const,
  dueAt: NOW,
  tries: 1,
  attempts,
}))
const NEWEST = { revision: 3, state: 'waiting' as const, dueAt: NOW, tries: 0, attempts: [] }
/** A job that has told of two changes, and has a third to tell. */
const job: Job = { ...jobIn('SUCCESS'), revision: 3, reports: [...OLDER, NEWEST] }

it('older reports stay as they are when the newest is sent again', () => {
  expect(resend(job, NOW + 9).reports).toEqual([...OLDER, { ...NEWEST, dueAt: NOW + 9 }])
})

it('older reports stay as they are when the receiver got one of them after the newest', () => {
  const told = recordDelivery(job, 1, { is: 'delivered', outcome: '200' }, NOW, MIDDLE)
  expect(told.reports).toEqual([...OLDER, { ...NEWEST, again: true }])
})
