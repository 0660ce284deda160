import type { Status } from '../../../src/contract/values.ts'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import type { Observed, PullAnswer } from '../../../src/psp/answer.ts'
import {
  type PullReason,
  isAnswered,
  isOpen,
  isReserved,
  isToBeStopped,
  isWorthPulling,
  recordPullResult,
} from '../../../src/job/rules/pull.ts'
import { HOUR } from '../../../src/contract/timestamp.ts'
import { endPulls, pullSooner } from '../../../src/job/rules/transition.ts'
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

const UNKNOWN: PullAnswer = { is: 'unknown' }
const { stage: _, ...UNSTAGED } = seen('PENDING') as Observed & { stage?: unknown }
const ENDS: readonly Status[] = ['SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED']

describe('a PSP that was asked', () => {
  it.each<[string, PullAnswer, boolean]>([
    ['says how the payment stands', seen('PENDING'), true],
    ['is silent', SILENT, false],
    ['does not know the payment', UNKNOWN, false],
  ])('has answered only where it %s', (_name, answer, is) => {
    expect(isAnswered({ answer, stopped: false })).toBe(is)
  })
})

describe('an answer', () => {
  it.each<[string, PullAnswer, { open: boolean; reserved: boolean }]>([
    ['that the customer may pay', seen('PENDING'), { open: true, reserved: false }],
    ['of a PSP that tells no stages', UNSTAGED, { open: true, reserved: false }],
    ['that money is under way', UNDER_WAY, { open: false, reserved: false }],
    ['that money is reserved', AUTHORIZED, { open: false, reserved: true }],
    ['that it was paid', seen('SUCCESS', AMOUNT), { open: false, reserved: false }],
    ['that it failed', seen('FAILURE'), { open: false, reserved: false }],
    [
      'that it was paid after it was reserved',
      { ...AUTHORIZED, status: 'SUCCESS' },
      { open: false, reserved: false },
    ],
    ['that does not come', SILENT, { open: false, reserved: false }],
    ['that nothing is known', UNKNOWN, { open: false, reserved: false }],
  ])('%s tells whether to stop or to capture it', (_name, answer, { open, reserved }) => {
    expect([isOpen(answer), isReserved(answer)]).toEqual([open, reserved])
  })
})

describe('whether the PSP is asked', () => {
  const returned = (job: Job, status: Status): Job =>
    recordPullResult(
      job,
      'return',
      { answer: seen(status, status === 'SUCCESS' ? AMOUNT : 0), stopped: false },
      NOW + 2000,
    )

  it.each<[PullReason, readonly Status[]]>([
    ['wait', ['PENDING', 'FAILURE', 'CANCELLED', 'EXPIRED']],
    ['cancel', ['PENDING']],
    ['return', ['PENDING', 'FAILURE', 'CANCELLED', 'EXPIRED']],
    ['give-up', ['PENDING', 'FAILURE', 'CANCELLED', 'EXPIRED']],
    ['notification', ['PENDING', ...ENDS]],
    ['claim', ['PENDING', ...ENDS]],
    ['schedule', ['PENDING', ...ENDS]],
    ['expiry', ['PENDING', ...ENDS]],
    ['refund', ['PENDING', ...ENDS]],
    ['look', ['PENDING', ...ENDS]],
  ])('because of %s depends on how the job stands', (reason, asked) => {
    for (const status of ['PENDING', ...ENDS] as const)
      expect([status, isWorthPulling(jobIn(status), reason)]).toEqual([status, asked.includes(status)])
    expect(isWorthPulling(sampleJob(SILENT), reason)).toBe(false)
    expect(isWorthPulling(sampleJob(REFUSED), reason)).toBe(false)
  })

  it.each(['return', 'give-up'] as const)(
    'because of a %s: again after one that found it open, not after one that found it paid',
    (reason) => {
      expect(isWorthPulling(returned(sampleJob(), 'PENDING'), reason)).toBe(true)
      expect(isWorthPulling(returned(sampleJob(), 'SUCCESS'), reason)).toBe(false)
    },
  )
})

describe('an open payment', () => {
  const job = sampleJob()
  it.each<[PullReason, boolean]>([
    ['give-up', true],
    ['cancel', true],
    ['return', false],
    ['notification', false],
    ['schedule', false],
    ['look', false],
  ])('is stopped because of %s: %s', (reason, is) => {
    expect(isToBeStopped(job, reason, seen('PENDING', 0, job.expiresAt + HOUR))).toBe(is)
  })

  it.each([
    [-1, true],
    [0, true],
    [1, false],
  ])('is stopped at the end of its job unless the PSP keeps it open for longer: by %s ms', (longer, is) => {
    expect(isToBeStopped(job, 'expiry', seen('PENDING', 0, job.expiresAt + longer))).toBe(is)
  })

  it('of a job that has ended is stopped whatever the reason, but not that of a paid one', () => {
    expect(isToBeStopped(jobIn('EXPIRED'), 'look', seen('PENDING'))).toBe(true)
    expect(isToBeStopped(jobIn('SUCCESS'), 'look', seen('PENDING'))).toBe(false)
  })
})

describe('what a pull finds is recorded', () => {
  const LATER = NOW + HOUR
  const asked = { ...pullSooner(jobIn('SUCCESS'), LATER + HOUR) }
  const paid = seen('SUCCESS', AMOUNT)

  it('after a refund as a status pull, which ends the pulls', () => {
    const job = recordPullResult(sampleJob(), 'refund', { answer: paid, stopped: false }, LATER)
    expect(traceOf(job)).toEqual(['Start PENDING 0', `Statuspull SUCCESS ${AMOUNT}`])
    expect(recordPullResult(asked, 'refund', { answer: paid, stopped: false }, LATER).pullAt).toBeNull()
  })

  it.each([SILENT, UNKNOWN])('after a refund not at all where the PSP does not say it', (answer) => {
    expect(recordPullResult(asked, 'refund', { answer, stopped: false }, LATER)).toBe(asked)
  })

  it.each(['look', 'wait', 'notification', 'claim'] as const)(
    'because of %s without ending a pull that is planned',
    (reason) => {
      expect(recordPullResult(asked, reason, { answer: paid, stopped: false }, LATER).pullAt).toBe(
        LATER + HOUR,
      )
    },
  )

  it('as a status pull where the wish to stop it came too late', () => {
    const job = recordPullResult(sampleJob(), 'cancel', { answer: paid, stopped: true }, LATER)
    expect(traceOf(job)).toEqual(['Start PENDING 0', `Statuspull SUCCESS ${AMOUNT}`])
  })

  it('in two steps where a part was paid before it was stopped at its end', () => {
    const job = sampleJob()
    const answer = seen('CANCELLED', 500)
    const ended = recordPullResult(job, 'expiry', { answer, stopped: true }, job.expiresAt)
    expect(traceOf(ended)).toEqual(['Start PENDING 0', 'Statuspull PENDING 500', 'Expire EXPIRED 500'])
  })
})

it('a pull that was asked for in the last ten seconds outlives the answer to the one before', () => {
  const LATER = NOW + HOUR
  const planned = (after: number): Job => pullSooner(jobIn('SUCCESS'), LATER + after)
  expect(endPulls(planned(10_000), LATER).pullAt).toBe(LATER + 10_000)
  expect(endPulls(planned(10_001), LATER).pullAt).toBeNull()
})

it('money that was reserved when the customer came back is a step of that return, also where nobody waits any more', () => {
  const reserved = { answer: seen('SUCCESS', AMOUNT), stopped: false, reserved: AUTHORIZED }
  const traceAfter = (reason: 'return' | 'give-up' | 'notification') =>
    traceOf(recordPullResult(sampleJob(), reason, reserved, NOW + 9))
  expect(traceAfter('return')).toEqual(['Start PENDING 0', 'Return PENDING 0', 'Return SUCCESS 1250'])
  expect(traceAfter('give-up')).toEqual(traceAfter('return'))
  expect(traceAfter('notification').at(1)).toBe('Statuspull PENDING 0')
})

it('a look after a refund that the PSP puts off plans nothing: the pulls of the schedule go on', () => {
  const job = { ...jobIn('SUCCESS'), pullAt: NOW + 60_000 }
  const busy = { ...SILENT, retryAfter: 600 }
  expect(recordPullResult(job, 'refund', { answer: busy, stopped: false }, NOW + 9)).toBe(job)
})
