import { describe, expect, it } from 'vitest'
import {
  type PullReason,
  isToBeStopped,
  isWorthPulling,
  recordPullResult,
} from '../../../src/job/rules/pull.ts'
import type { PullAnswer } from '../../../src/psp/answer.ts'
import { LAST_PULL_PATIENCE } from '../../../src/job/rules/schedule.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import { HOUR } from '../../../src/contract/timestamp.ts'
import {
  AMOUNT,
  AUTHORIZED,
  NOW,
  REFUSED,
  SILENT,
  UNDER_WAY,
  jobIn,
  sampleJob,
  seen,
  traceOf,
} from '../../support/sample-job.ts'

const job = sampleJob()
const LATER = NOW + 60_000
const END = job.expiresAt
function pull(reason: PullReason, answer: PullAnswer, { stopped = false, now = LATER } = {}) {
  return recordPullResult(job, reason, { answer, stopped }, now)
}
const PAID = seen('SUCCESS', AMOUNT)

describe('a pull records its result', () => {
  it.each<[PullReason, string]>([
    ['return', 'Return'],
    ['give-up', 'Return'],
    ['wait', 'Statuspull'],
    ['notification', 'Statuspull'],
    ['claim', 'Statuspull'],
    ['schedule', 'Statuspull'],
    ['expiry', 'Statuspull'],
  ])('because of %s as %s', (reason, action) => {
    expect(traceOf(pull(reason, PAID))).toEqual(['Start PENDING 0', `${action} SUCCESS ${AMOUNT}`])
  })

  it.each<PullReason>(['return', 'give-up'])('because of %s even where the PSP says nothing', (reason) => {
    expect(traceOf(pull(reason, SILENT)).at(-1)).toBe('Return PENDING 0')
    expect(traceOf(pull(reason, { is: 'unknown' })).at(-1)).toBe('Return PENDING 0')
  })

  it.each<PullReason>(['wait', 'notification', 'claim'])(
    'because of %s only where there is an answer',
    (reason) => {
      expect(pull(reason, SILENT)).toBe(job)
      expect(pull(reason, { is: 'unknown' })).toBe(job)
    },
  )

  it('because of the schedule, and leaves a PSP alone for as long as it asks', () => {
    expect(pull('schedule', { ...SILENT, retryAfter: 3600 }).pullAt).toBe(LATER + 3_600_000)
  })
})

describe('a pull of money that is reserved, where the capture had no answer', () => {
  const held = (reason: PullReason, now = LATER) =>
    recordPullResult(job, reason, { answer: SILENT, stopped: false, reserved: AUTHORIZED }, now)

  it.each<[PullReason, string]>([
    ['return', 'Return'],
    ['notification', 'Statuspull'],
    ['schedule', 'Statuspull'],
    ['expiry', 'Statuspull'],
    ['cancel', 'Statuspull'],
  ])('records because of %s that it is reserved, once', (reason, action) => {
    expect(held(reason)).toMatchObject({ status: 'PENDING', stage: { is: 'authorized' } })
    expect(traceOf(held(reason))).toEqual(['Start PENDING 0', `${action} PENDING 0`])
  })

  it('leaves the next pull planned, and ends nothing: the money may yet be taken', () => {
    expect(held('schedule').pullAt).toBe(job.pullAt)
    expect(held('expiry', END + LAST_PULL_PATIENCE).status).toBe('PENDING')
  })
})

describe('the last pull of a job', () => {
  it('ends what is still open, and tells it as expired whatever the PSP calls a stopped payment', () => {
    const ended = pull('expiry', seen('CANCELLED'), { stopped: true, now: END })
    expect(traceOf(ended)).toEqual(['Start PENDING 0', 'Expire EXPIRED 0'])
  })

  it('takes what was paid while it was being stopped', () => {
    expect(pull('expiry', PAID, { stopped: true, now: END }).status).toBe('SUCCESS')
  })

  it('believes the end that the PSP tells', () => {
    expect(pull('expiry', seen('FAILURE'), { now: END }).status).toBe('FAILURE')
  })

  it.each<[string, PullAnswer, boolean]>([
    ['is silent', SILENT, false],
    ['does not know the payment', { is: 'unknown' }, false],
    ['does not answer the stop', SILENT, true],
    ['does not know the payment that is to be stopped', { is: 'unknown' }, true],
    ['cannot stop the payment', seen('PENDING'), true],
  ])('waits for a PSP that %s, until patience ends, and looks again after that', (_, answer, stopped) => {
    expect(pull('expiry', answer, { stopped, now: END }).status).toBe('PENDING')
    const last = END + LAST_PULL_PATIENCE
    expect(pull('expiry', answer, { stopped, now: last - 1 }).status).toBe('PENDING')
    expect(pull('expiry', answer, { stopped, now: last })).toMatchObject({
      status: 'EXPIRED',
      pullAt: last + HOUR,
    })
  })

  it('keeps a part payment that it is the first to see', () => {
    const ended = pull('expiry', seen('CANCELLED', 500), { stopped: true, now: END })
    expect(traceOf(ended)).toEqual(['Start PENDING 0', 'Statuspull PENDING 500', 'Expire EXPIRED 500'])
    expect(ended.reports).toHaveLength(2)
  })

  it('ends nothing when the customer acted while it was being stopped', () => {
    const after = pull('expiry', UNDER_WAY, { stopped: true, now: END + LAST_PULL_PATIENCE })
    expect(after).toMatchObject({ status: 'PENDING', stage: { is: 'underway' } })
  })

  it('is made again when the PSP does not answer to the stop: the payment may be open, or paid', () => {
    expect(pull('expiry', SILENT, { stopped: true, now: END })).toBe(job)
    const ended = pull('expiry', SILENT, { stopped: true, now: END + LAST_PULL_PATIENCE })
    expect(ended.status).toBe('EXPIRED')
  })

  it('goes on with what the PSP keeps open for longer', () => {
    expect(pull('expiry', seen('PENDING', 0, END + 60_000), { now: END })).toMatchObject({
      status: 'PENDING',
      expiresAt: END + 120_000,
    })
  })
})

describe('an open payment is stopped', () => {
  it.each<[PullReason, boolean]>([
    ['return', false],
    ['give-up', true],
    ['wait', false],
    ['notification', false],
    ['claim', false],
    ['schedule', false],
    ['expiry', true],
  ])('because of %s: %s', (reason, stops) => {
    expect(isToBeStopped(job, reason, seen('PENDING'))).toBe(stops)
    expect(isToBeStopped(job, reason, PAID)).toBe(false)
    expect(isToBeStopped(job, reason, SILENT)).toBe(false)
    expect(isToBeStopped(job, reason, { is: 'unknown' })).toBe(false)
  })

  it.each<PullReason>(['give-up', 'expiry', 'schedule'])(
    'but not because of %s where money is under way or reserved',
    (reason) => {
      expect(isToBeStopped(job, reason, UNDER_WAY)).toBe(false)
      expect(isToBeStopped(job, reason, AUTHORIZED)).toBe(false)
    },
  )

  it.each<PullReason>(['return', 'notification', 'schedule'])(
    'because of %s, when it is still open after the end of its job',
    (reason) => {
      expect(isToBeStopped(jobIn('EXPIRED'), reason, seen('PENDING'))).toBe(true)
      expect(isToBeStopped(jobIn('SUCCESS'), reason, seen('PENDING'))).toBe(false)
    },
  )

  it('but not at the end of a job whose PSP keeps it open for longer', () => {
    expect(isToBeStopped(job, 'expiry', seen('PENDING', 0, END))).toBe(true)
    expect(isToBeStopped(job, 'expiry', seen('PENDING', 0, END + 1))).toBe(false)
  })
})

describe('a pull is worth it', () => {
  const returned = recordPull(job, 'Return', PAID, LATER)
  const notified = recordPull(job, 'Statuspull', PAID, LATER)

  it.each<[PullReason, boolean, boolean]>([
    ['return', false, false],
    ['give-up', false, false],
    ['wait', false, false],
    ['notification', true, true],
    ['claim', true, true],
    ['schedule', true, true],
    ['expiry', true, true],
  ])('because of %s after a return that saw SUCCESS: %s, after a notification: %s', (reason, one, other) => {
    expect(isWorthPulling(returned, reason)).toBe(one)
    expect(isWorthPulling(notified, reason)).toBe(other)
    expect(isWorthPulling(job, reason)).toBe(true)
  })

  it.each(['SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'] as const)(
    'not to cancel a job that has ended in %s: there is nothing to stop',
    (status) => {
      expect(isWorthPulling(jobIn(status), 'cancel')).toBe(false)
      expect(isWorthPulling(job, 'cancel')).toBe(true)
    },
  )

  it('never while the PSP has no payment', () => {
    expect(isWorthPulling(sampleJob(SILENT), 'return')).toBe(false)
    expect(isWorthPulling(sampleJob(REFUSED), 'notification')).toBe(false)
  })
})
