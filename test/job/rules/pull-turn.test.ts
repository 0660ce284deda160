import { describe, expect, it } from 'vitest'
import type { PullReason, PullResult } from '../../../src/job/rules/pull.ts'
import { PULLS_APART, type Pulls, patienceFor, turnOf } from '../../../src/job/rules/pull-turn.ts'
import { AMOUNT, NOW, SILENT, seen } from '../../support/sample-job.ts'

const REASONS: readonly PullReason[] = [
  'return',
  'give-up',
  'wait',
  'notification',
  'claim',
  'schedule',
  'expiry',
  'cancel',
]
const none: Pulls = { underWay: null, newest: null }
function answered(answer: PullResult['answer'], stopped = false, isNews = true): Pulls {
  return {
    underWay: null,
    newest: { result: { answer, stopped }, at: NOW, isNews },
  }
}
const OPEN = seen('PENDING')
const SOON = NOW + PULLS_APART - 1

describe.each(REASONS)('a pull because of %s', (reason) => {
  it('asks the PSP when nobody else does', () => {
    expect(turnOf(none, reason, NOW)).toEqual({ is: 'pull' })
  })

  it.each(REASONS)('waits for the pull that is under way because of %s', (other) => {
    const pulls: Pulls = { underWay: { reason: other, since: NOW }, newest: null }
    const until = NOW + (reason === 'notification' ? 5000 : patienceFor(other))
    expect(turnOf(pulls, reason, NOW)).toEqual({ is: 'wait', until })
    expect(turnOf(pulls, reason, until - 1)).toEqual({ is: 'wait', until })
  })

  it.each(REASONS)('takes over from a pull because of %s that was lost', (other) => {
    const pulls: Pulls = { underWay: { reason: other, since: NOW }, newest: null }
    expect(turnOf(pulls, reason, NOW + patienceFor(other))).toEqual({ is: 'pull' })
  })

  it.each([
    ['paid', seen('SUCCESS', AMOUNT)],
    ['silence', SILENT],
  ])('takes the newest answer when that is %s', (_, answer) => {
    expect(turnOf(answered(answer), reason, SOON)).toEqual({
      is: 'reuse',
      result: { answer, stopped: false },
    })
  })

  it.each([
    ['open', OPEN],
    ['paid', seen('SUCCESS', AMOUNT)],
    ['silence', SILENT],
  ])('asks again two seconds after an answer that was %s', (_, answer) => {
    expect(turnOf(answered(answer), reason, NOW + PULLS_APART)).toEqual({ is: 'pull' })
  })
})

it('a notification is left to the alarm when the pull that is under way takes long', () => {
  const pulls: Pulls = { underWay: { reason: 'give-up', since: NOW }, newest: null }
  expect(turnOf(pulls, 'notification', NOW + 5000)).toEqual({ is: 'later', at: NOW + 5000 + PULLS_APART })
})

describe('a payment that was not paid two seconds ago', () => {
  const NOT_PAID = [OPEN, seen('EXPIRED'), seen('CANCELLED'), seen('FAILURE'), { is: 'unknown' }] as const

  it.each(NOT_PAID)('is asked for later when the PSP notifies: %j', (answer) => {
    expect(turnOf(answered(answer), 'notification', SOON)).toEqual({ is: 'later', at: NOW + PULLS_APART })
  })

  it.each(NOT_PAID)('is asked for at once when the PSP has signed what it claims: %j', (answer) => {
    expect(turnOf(answered(answer), 'claim', SOON)).toEqual({ is: 'pull' })
  })

  it.each(NOT_PAID)('is not asked for again by a customer: %j', (answer) => {
    const reuse = { is: 'reuse', result: { answer, stopped: false } }
    expect(turnOf(answered(answer), 'return', SOON)).toEqual(reuse)
    expect(turnOf(answered(answer), 'wait', SOON)).toEqual(reuse)
    expect(turnOf(answered(answer), 'schedule', SOON)).toEqual(reuse)
  })

  it.each<PullReason>(['give-up', 'expiry', 'cancel'])(
    'is stopped at once because of %s, but only once',
    (reason) => {
      expect(turnOf(answered(OPEN), reason, SOON)).toEqual({ is: 'pull' })
      expect(turnOf(answered(OPEN, true), reason, SOON).is).toBe('reuse')
      expect(turnOf(answered(seen('CANCELLED')), reason, SOON).is).toBe('reuse')
    },
  )
})

describe('a payment that was known to be paid', () => {
  const PAID = seen('SUCCESS', AMOUNT)

  it('is asked for later when the PSP notifies again: money may have gone back', () => {
    expect(turnOf(answered(PAID, false, false), 'notification', SOON)).toEqual({
      is: 'later',
      at: NOW + PULLS_APART,
    })
  })

  it('is asked for at once when the hub has refunded it', () => {
    expect(turnOf(answered(PAID, false, false), 'refund', SOON)).toEqual({ is: 'pull' })
    expect(turnOf(answered(PAID), 'refund', SOON)).toEqual({ is: 'pull' })
    expect(turnOf(answered(SILENT), 'refund', SOON).is).toBe('reuse')
  })

  it('is not asked for again by a customer', () => {
    expect(turnOf(answered(PAID, false, false), 'return', SOON).is).toBe('reuse')
  })
})
