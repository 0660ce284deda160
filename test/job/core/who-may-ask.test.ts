import { describe, expect, it } from 'vitest'
import { HOUR } from '../../../src/contract/timestamp.ts'
import { APART } from '../../../src/job/core/schedule.ts'
import {
  type AskReason,
  type NewestAnswers,
  isWorthAsking,
  nextTurnAt,
  turnAfter,
} from '../../../src/job/core/who-may-ask.ts'
import { AUTHORIZED, NOW, NO_ANSWER, paidJob, playedJob, seen } from '../../support/jobs/played-job.ts'

const REASONS: AskReason[] = ['back', 'gave-up', 'wait', 'notified', 'claim', 'cancel', 'operator', 'duty']
const OPEN = { answer: seen('PENDING') }
const STOPPED = { answer: seen('PENDING'), stopped: 'gave-up' } as const
const RESERVED = { answer: AUTHORIZED }
const PAID = { answer: seen('SUCCESS') }
const UNKNOWN = { answer: { is: 'unknown' } } as const
const SILENT = { answer: NO_ANSWER }

/** The state of a payment about which the hub asked nothing before `NOW`. */
function asksOf(prompted = false) {
  const [payment] = playedJob().state.payments
  if (!payment) throw new Error('no account took the order')
  return prompted ? { ...payment.asks, prompted: { since: NOW, tries: 0, isPaid: false } } : payment.asks
}

/** The turn that each reason gets after an answer: `share` unless named. */
function turnsAfter(newest: Partial<NewestAnswers>, asks = asksOf(), at = NOW) {
  const recent = { asked: NOW, answers: [], at: NOW, bringsPayment: false, ...newest }
  return Object.fromEntries(
    REASONS.map((why) => [why, turnAfter(recent, why, asks, at)] as const).filter(
      ([, turn]) => turn !== 'share',
    ),
  )
}

describe('a question within two seconds of an answer', () => {
  it.each([
    ['open', [OPEN], { 'gave-up': 'ask', notified: 'later', claim: 'ask', cancel: 'ask', duty: 'ask' }],
    ['open after a stop', [STOPPED], { notified: 'later', claim: 'ask' }],
    ['reserved', [RESERVED], { notified: 'later', claim: 'ask' }],
    ['paid', [PAID], { notified: 'later', claim: 'ask' }],
    ['unknown to the PSP', [UNKNOWN], { notified: 'later', claim: 'ask' }],
    ['unanswered, because the PSP was silent', [SILENT], {}],
    ['unanswered, by a fault of the hub', [], {}],
  ])('about a payment that is %s', (_, answers, turns) => {
    expect(turnsAfter({ answers })).toEqual(turns)
  })

  it('shares the answer with the one notification that says no more than this', () => {
    expect(turnsAfter({ answers: [PAID], bringsPayment: true })).toEqual({ claim: 'ask' })
  })

  it.each([
    ['the job has the answer', asksOf(), { asked: 0 }],
    ['something prompts the duty', asksOf(true), { asked: NOW }],
  ])('is asked for a duty that the answer does not end: %s', (_, asks, { asked }) => {
    expect(turnsAfter({ answers: [PAID], asked }, asks)).toMatchObject({ duty: 'ask' })
    expect(turnsAfter({ answers: [SILENT], asked }, asks)).toEqual({ duty: 'ask' })
  })
})

it('a question is asked once the two seconds are over, whatever the answer', () => {
  const all = REASONS.map((why) => [why, 'ask'])
  expect(turnsAfter({ answers: [PAID] }, asksOf(), NOW + APART)).toEqual(Object.fromEntries(all))
  expect(turnsAfter({ answers: [PAID] }, asksOf(), NOW + APART - 1)).not.toHaveProperty('back')
})

it('a question that waits for its turn is asked after two seconds, or when the hourly limit has room', () => {
  expect(nextTurnAt(NOW, 0)).toBe(NOW + APART)
  expect(nextTurnAt(NOW, NOW + HOUR)).toBe(NOW + HOUR)
})

it('only customers and their pages ask nothing about a paid job', () => {
  const worth = (job: { state: Parameters<typeof isWorthAsking>[0] }) =>
    REASONS.filter((why) => !isWorthAsking(job.state, why))
  expect(worth(playedJob())).toEqual([])
  expect(worth(paidJob())).toEqual(['back', 'gave-up', 'wait'])
})
