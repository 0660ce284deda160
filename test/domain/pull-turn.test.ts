import { describe, expect, it } from 'vitest'
import type { Reason, Seen } from '../../src/domain/look.ts'
import { PULLS_APART, type Pulls, patienceFor, turnOf } from '../../src/domain/pull-turn.ts'
import { AMOUNT, NOW, SILENT, seen } from '../support/sample-job.ts'

const REASONS: readonly Reason[] = [
  'return',
  'give-up',
  'wait',
  'notification',
  'claim',
  'schedule',
  'expiry',
]
const none: Pulls = { underWay: null, newest: null }
const answered = (answer: Seen['answer'], stopped = false): Pulls => ({
  underWay: null,
  newest: { seen: { answer, stopped }, at: NOW },
})
const OPEN = seen('PENDING')
const SOON = NOW + PULLS_APART - 1

describe.each(REASONS)('a look because of %s', (reason) => {
  it('asks the PSP when nobody else does', () => {
    expect(turnOf(none, reason, NOW)).toEqual({ is: 'pull' })
  })

  it.each(REASONS)('waits for the pull that is under way because of %s', (other) => {
    const pulls: Pulls = { underWay: { reason: other, since: NOW }, newest: null }
    expect(turnOf(pulls, reason, NOW)).toEqual({ is: 'wait' })
    expect(turnOf(pulls, reason, NOW + patienceFor(other) - 1)).toEqual({ is: 'wait' })
  })

  it.each(REASONS)('takes over from a pull because of %s that was lost', (other) => {
    const pulls: Pulls = { underWay: { reason: other, since: NOW }, newest: null }
    expect(turnOf(pulls, reason, NOW + patienceFor(other))).toEqual({ is: 'pull' })
  })

  it.each([
    ['paid', seen('SUCCESS', AMOUNT)],
    ['silence', SILENT],
  ])('takes the newest answer when that is %s', (_, answer) => {
    expect(turnOf(answered(answer), reason, SOON)).toEqual({ is: 'reuse', seen: { answer, stopped: false } })
  })

  it.each([
    ['open', OPEN],
    ['paid', seen('SUCCESS', AMOUNT)],
    ['silence', SILENT],
  ])('asks again two seconds after an answer that was %s', (_, answer) => {
    expect(turnOf(answered(answer), reason, NOW + PULLS_APART)).toEqual({ is: 'pull' })
  })
})

describe('a payment that was not paid a moment ago', () => {
  const NOT_PAID = [OPEN, seen('EXPIRED'), seen('CANCELLED'), seen('FAILURE'), { is: 'unknown' }] as const

  it.each(NOT_PAID)('is asked for later when the PSP notifies: %j', (answer) => {
    expect(turnOf(answered(answer), 'notification', SOON)).toEqual({ is: 'later', at: NOW + PULLS_APART })
  })

  it.each(NOT_PAID)('is asked for at once when the PSP has signed what it claims: %j', (answer) => {
    expect(turnOf(answered(answer), 'claim', SOON)).toEqual({ is: 'pull' })
  })

  it.each(NOT_PAID)('is not asked for again by a customer: %j', (answer) => {
    const reuse = { is: 'reuse', seen: { answer, stopped: false } }
    expect(turnOf(answered(answer), 'return', SOON)).toEqual(reuse)
    expect(turnOf(answered(answer), 'wait', SOON)).toEqual(reuse)
    expect(turnOf(answered(answer), 'schedule', SOON)).toEqual(reuse)
  })

  it.each<Reason>(['give-up', 'expiry'])('is stopped at once because of %s, but only once', (reason) => {
    expect(turnOf(answered(OPEN), reason, SOON)).toEqual({ is: 'pull' })
    expect(turnOf(answered(OPEN, true), reason, SOON).is).toBe('reuse')
    expect(turnOf(answered(seen('CANCELLED')), reason, SOON).is).toBe('reuse')
  })
})
