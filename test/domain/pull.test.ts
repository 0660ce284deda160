import { describe, expect, it } from 'vitest'
import { type PullReason, isToBeStopped, isWorthPulling, recordPullResult } from '../../src/domain/pull.ts'
import type { PullAnswer } from '../../src/domain/psp-answer.ts'
import { LAST_PULL_PATIENCE } from '../../src/domain/schedule.ts'
import { recordPull } from '../../src/domain/transition.ts'
import { AMOUNT, NOW, REFUSED, SILENT, sampleJob, seen, traceOf } from '../support/sample-job.ts'

const job = sampleJob()
const LATER = NOW + 60_000
const END = job.expiresAt
const pull = (reason: PullReason, answer: PullAnswer, { stopped = false, now = LATER } = {}) =>
  recordPullResult(job, reason, { answer, stopped }, now)
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

  it('ends what the PSP does not know', () => {
    expect(pull('expiry', { is: 'unknown' }, { now: END }).status).toBe('EXPIRED')
  })

  it('waits for a PSP that is silent, until patience ends', () => {
    expect(pull('expiry', SILENT, { now: END }).status).toBe('PENDING')
    expect(pull('expiry', SILENT, { now: END + LAST_PULL_PATIENCE }).status).toBe('EXPIRED')
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

  it('but not at the end of a job whose PSP keeps it open for longer', () => {
    expect(isToBeStopped(job, 'expiry', seen('PENDING', 0, END))).toBe(true)
    expect(isToBeStopped(job, 'expiry', seen('PENDING', 0, END + 1))).toBe(false)
  })
})

describe('a pull is worth it', () => {
  const returned = recordPull(job, 'Return', PAID, LATER)
  const notified = recordPull(job, 'Statuspull', PAID, LATER)

  it.each<[PullReason, boolean, boolean]>([
    ['return', false, true],
    ['give-up', false, true],
    ['wait', false, false],
    ['notification', true, false],
    ['claim', true, false],
    ['schedule', true, true],
    ['expiry', true, true],
  ])('because of %s after a return that saw SUCCESS: %s, after a notification: %s', (reason, one, other) => {
    expect(isWorthPulling(returned, reason)).toBe(one)
    expect(isWorthPulling(notified, reason)).toBe(other)
    expect(isWorthPulling(job, reason)).toBe(true)
  })

  it('never while the PSP has no payment', () => {
    expect(isWorthPulling(sampleJob(SILENT), 'return')).toBe(false)
    expect(isWorthPulling(sampleJob(REFUSED), 'notification')).toBe(false)
  })
})
