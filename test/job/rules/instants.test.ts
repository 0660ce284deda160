import { describe, expect, it } from 'vitest'
import { plan } from '../../../src/job/rules/plan.ts'
import { patienceFor } from '../../../src/job/rules/pull-turn.ts'
import { dispatch, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { nextPullAt } from '../../../src/job/rules/schedule.ts'
import { alarmFor, purgeAt } from '../../../src/job/rules/timers.ts'
import { HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { MIDDLE, NOW, REFUSED, RETENTION, sampleJob } from '../../support/sample-job.ts'

/** Final, reported and indexed: all that is left is to purge it. */
const ended = recordDelivery(
  dispatch({ ...sampleJob(REFUSED), indexAt: null }, NOW),
  1,
  { is: 'delivered', outcome: '200' },
  NOW,
  MIDDLE,
)
const PURGE = purgeAt(ended, RETENTION) ?? Number.NaN

describe('an alarm that is not on time', () => {
  it('purges the job when it is early by less than an hour', () => {
    expect(plan(ended, PURGE - HOUR + 1, MIDDLE, RETENTION).work).toBe('purge')
  })

  it('purges nothing when it is early by an hour, and is not set again', () => {
    expect(alarmFor(ended, RETENTION, null, PURGE - HOUR)).toBeNull()
    expect(alarmFor(ended, RETENTION, null, PURGE - HOUR + 1)).toBe(PURGE)
    expect(plan(ended, PURGE - HOUR, MIDDLE, RETENTION).work).toBeNull()
  })

  it('makes the last pull at the very end of a job, in place of one that was due before', () => {
    const job = { ...sampleJob(), indexAt: null }
    const due = { ...job, pullAt: job.expiresAt - 1 }
    expect(plan(due, job.expiresAt - 1, MIDDLE, RETENTION).work).toBe('pull')
    expect(plan(due, job.expiresAt, MIDDLE, RETENTION).work).toBe('last-pull')
  })
})

it('a planned pull that is half a minute ahead counts as made', () => {
  const earliest = NOW + 9 * MINUTE
  expect(nextPullAt(NOW, earliest - 30_001, MIDDLE)).toBe(NOW + 10 * MINUTE)
  expect(nextPullAt(NOW, earliest - 30_000, MIDDLE)).toBe(NOW + 30 * MINUTE)
})

it('a pull is waited for as long as its requests may take: 8 s each, one to ask and up to three to stop', () => {
  const ONE = 8000
  for (const reason of ['return', 'wait', 'notification', 'claim', 'schedule'] as const) {
    expect(patienceFor(reason)).toBeGreaterThan(ONE)
    expect(patienceFor(reason)).toBeLessThan(2 * ONE)
  }
  for (const reason of ['give-up', 'expiry'] as const) expect(patienceFor(reason)).toBeGreaterThan(4 * ONE)
})
