import { describe, expect, it } from 'vitest'
import { recordAnnouncement } from '../../src/domain/announcement.ts'
import { type Job, isWorthSaving } from '../../src/domain/job.ts'
import { NOTHING_BACK } from '../../src/domain/money-back.ts'
import { cancelUnannounced, recordPullResult } from '../../src/domain/pull.ts'
import type { Observed } from '../../src/domain/psp-answer.ts'
import type { Refund } from '../../src/domain/refund.ts'
import { type DeliveryOutcome, dispatch, recordDelivery, resend } from '../../src/domain/reporting.ts'
import { LAST_PULL_PATIENCE } from '../../src/domain/schedule.ts'
import { DAY, HOUR, MINUTE } from '../../src/domain/timestamp.ts'
import { expire, expireUnanswered, recordPull, recordReturn } from '../../src/domain/transition.ts'
import { noteAnswer } from '../../src/domain/unanswered.ts'
import { CAUSES, type Cause, type Move } from '../../src/domain/why/causes.ts'
import { why } from '../../src/domain/why/why.ts'
import {
  AMOUNT,
  AUTHORIZED,
  MIDDLE,
  NOW,
  REFUSED,
  SILENT,
  UNDER_WAY,
  jobIn,
  sampleJob,
  seen,
} from '../support/sample-job.ts'

const SOON = NOW + 20_000
const END = NOW + HOUR + MINUTE

const pulled = (job: Job, answer: Observed, now = SOON): Job => recordPull(job, 'Statuspull', answer, now)
const paid = (amount = AMOUNT): Job => pulled(sampleJob(), seen('SUCCESS', amount))

/** A job after tries of its newest report, a minute apart. */
const tried = (job: Job, ...outcomes: readonly DeliveryOutcome[]): Job =>
  outcomes.reduce((before, outcome, place) => {
    const now = SOON + place * MINUTE
    const reports = before.reports.map((report) =>
      report.revision === before.revision
        ? { ...report, dueAt: Math.min(report.dueAt, now) }
        : { ...report, state: 'delivered' as const },
    )
    return recordDelivery(dispatch({ ...before, reports }, now), job.revision, outcome, now, MIDDLE)
  }, job)

const OK = { is: 'delivered', outcome: '200' } as const
const failed = (outcome: string, answer?: string): DeliveryOutcome => ({
  is: 'failed',
  outcome,
  retryAfter: null,
  ...(answer === undefined ? {} : { answer }),
})
const reported = (job: Job): Job => tried(job, OK)

const refund = (state: Refund['state'], error: string | null = null): Refund => ({
  id: 'r1',
  fingerprint: 'f',
  call: 'c',
  amount: 500,
  description: '',
  at: SOON,
  state,
  reference: null,
  error,
  checks: 0,
  checkAt: state === 'pending' ? SOON + MINUTE : null,
})
const withRefund = (state: Refund['state'], error?: string): Job => ({
  ...reported(paid()),
  moneyBack: { ...NOTHING_BACK, refunded: state === 'done' ? 500 : 0, refunds: [refund(state, error)] },
})

const notAnswered = (job: Job, now = NOW + MINUTE): Job => noteAnswer(job, SILENT, now)
const REFUSED_KEY = { is: 'unavailable', message: 'Unauthorized', accountRefused: true } as const
const other = (amount: number) => ({ account: 'b', reference: 'tr_9', paid: amount, tries: 1, at: null })

/** What is so, the job of which it is so, and the words that an operator reads first. */
const TABLE: readonly [cause: Cause, what: string, job: Job, now: number, happened: string][] = [
  ['customer-not-back', 'it is new', sampleJob(), SOON, 'has not come back'],
  ['customer-came-back', 'the customer came back', recordReturn(sampleJob(), SOON), SOON + 1, 'came back'],
  ['part-is-due', 'a part was paid', pulled(sampleJob(), seen('PENDING', 500)), SOON, 'EUR 7.50 is still'],
  ['money-underway', 'money is coming', pulled(sampleJob(), UNDER_WAY), SOON, 'by 2026-02-14T10:00:20Z'],
  ['money-reserved', 'money is reserved', pulled(sampleJob(), AUTHORIZED), SOON, 'still to be captured'],
  ['psp-silent-at-announcement', 'no PSP answered', sampleJob(SILENT), SOON, 'tried once'],
  ['psp-refuses-credentials', 'a key was wrong at the order', sampleJob(REFUSED_KEY), SOON, 'Unauthorized'],
  [
    'psp-refuses-credentials',
    'a key was wrong at a pull',
    noteAnswer(sampleJob(), REFUSED_KEY, NOW + MINUTE),
    NOW + 2 * MINUTE,
    'when the hub asked',
  ],
  [
    'psp-knows-no-payment',
    'the PSP knows nothing',
    noteAnswer(sampleJob(), { is: 'unknown' }, NOW + MINUTE),
    NOW + 2 * MINUTE,
    'does not know the payment: at 2026-01-31T10:01:00Z.',
  ],
  ['psp-silent-at-pulls', 'a pull failed', notAnswered(sampleJob()), NOW + 2 * MINUTE, 'did not answer'],
  [
    'psp-end-unknown',
    'the end is not known',
    { ...pulled(sampleJob(), seen('PENDING')), lastPulls: 2 },
    END + HOUR,
    'has not said yet',
  ],
  ['paid', 'all is well', reported(paid()), SOON + 1, 'paid EUR 12.50 at sandbox'],
  ['psp-refused-order', 'the PSP said no', reported(sampleJob(REFUSED)), SOON, 'The method is not active.'],
  ['payment-failed', 'the payment failed', reported(jobIn('FAILURE')), SOON, 'failed at sandbox'],
  ['cancelled-by-customer', 'no longer wanted', reported(jobIn('CANCELLED')), SOON, 'The customer cancelled'],
  [
    'cancelled-by-shop',
    'the shop stopped it',
    reported(
      recordPullResult(sampleJob(), 'cancel', { answer: seen('CANCELLED'), stopped: true }, NOW + 9, 'shop'),
    ),
    SOON,
    'The shop cancelled',
  ],
  [
    'cancelled-by-operator',
    'an operator stopped it before it was announced',
    reported(cancelUnannounced(sampleJob(SILENT), NOW + 9, 'operator')),
    SOON,
    'An operator cancelled',
  ],
  ['expired', 'nobody paid', reported(expire(sampleJob(), END)), END, 'did not pay in time'],
  [
    'expired',
    'money never came',
    reported(expire(pulled(sampleJob(), UNDER_WAY), NOW + 15 * DAY)),
    NOW + 15 * DAY,
    'did not come in time',
  ],
  [
    'expired-unannounced',
    'no PSP ever answered',
    reported(expire(sampleJob(SILENT), NOW + DAY)),
    NOW + DAY,
    'never took the order',
  ],
  [
    'expired-unconfirmed',
    'the PSP never told the end',
    reported(expireUnanswered({ ...sampleJob(), lastPulls: 9 }, END + LAST_PULL_PATIENCE)),
    END + LAST_PULL_PATIENCE,
    'may have paid',
  ],
  ['report-due', 'the report is new', dispatch(paid(), SOON), SOON + 1, 'about to be sent'],
  ['report-lost', 'the queue lost it', dispatch(dispatch(paid(), SOON), SOON + HOUR), SOON + HOUR, 'queue'],
  [
    'receiver-answers-error',
    'the receiver is broken',
    tried(paid(), failed('500', 'old'), failed('500', 'out of memory')),
    SOON + 2 * MINUTE,
    'answered 500, 2 times, last at 2026-01-31T10:01:20Z. Its answer began: "out of memory"',
  ],
  ['receiver-answers-error', 'it redirects', tried(paid(), failed('302')), SOON, 'does not follow'],
  ['receiver-unreachable', 'it is gone', tried(paid(), failed('no connection')), SOON, 'not be reached'],
  ['receiver-too-slow', 'it hangs', tried(paid(), failed('no answer in time')), SOON, 'in time, once'],
  [
    'report-not-tried',
    'the hub failed',
    tried(paid(), failed('not tried: fault of the hub')),
    SOON,
    'a fault of the hub',
  ],
  [
    'report-given-up',
    'three days are over',
    tried(paid(), ...Array.from({ length: 11 }, () => failed('503'))),
    NOW + 4 * DAY,
    'tried 11 times, and given up',
  ],
  ['report-unwanted', 'it wants no more', tried(paid(), { is: 'stopped', outcome: '410' }), SOON, '410'],
  [
    'report-address-refused',
    'the address is none',
    tried(paid(), { is: 'stopped', outcome: 'address refused' }),
    SOON,
    'sends nothing to https://shop.nl/report',
  ],
  ['paid-twice', 'two accounts', { ...reported(paid(2500)), otherPayments: [other(1250)] }, SOON, 'tr_9'],
  [
    'paid-at-other-account',
    'another account',
    { ...reported(paid()), otherPayments: [other(1250)] },
    SOON,
    'Money came at an account',
  ],
  [
    'charged-back',
    'the bank took it back',
    { ...reported(paid()), moneyBack: { ...NOTHING_BACK, chargedBack: 1250 } },
    SOON,
    'EUR 12.50 was charged back',
  ],
  ['refund-failed', 'a refund failed', withRefund('failed', 'No balance.'), SOON, 'failed: No balance.'],
  ['refund-pending', 'a refund is on its way', withRefund('pending'), SOON, 'asks again at'],
  ['refund-pending', 'the PSP has not answered', withRefund('asking'), SOON, 'has not answered'],
  ['refunded', 'money went back', withRefund('done'), SOON, 'EUR 5.00 was given back'],
  ['overpaid', 'too much came', reported(paid(1500)), SOON, 'EUR 2.50 more than was due'],
  [
    'paid-in-part',
    'the rest did not come',
    reported(expire(pulled(sampleJob(), seen('PENDING', 500)), END)),
    END,
    'Only EUR 5.00 of EUR 12.50',
  ],
  [
    'paid-late',
    'money came after the end',
    reported(pulled(expire(sampleJob(), END), seen('SUCCESS', AMOUNT), END + HOUR)),
    END + HOUR,
    'after the job had ended',
  ],
]

describe('why a payment stands as it does', () => {
  it.each(TABLE)('%s: %s', (cause, _, job, now, happened) => {
    const answer = why(job, now)
    expect(answer).toMatchObject({ cause, move: CAUSES[cause] satisfies Move })
    expect(answer.happened).toContain(happened)
  })

  it('is told by a table that has every cause', () => {
    const told = new Set(TABLE.map(([cause]) => cause))
    expect(Object.keys(CAUSES).filter((cause) => !told.has(cause as Cause))).toEqual([])
  })

  it.each(TABLE)('is told in whole sentences, without a hole: %s, %s', (_, __, job, now) => {
    const { happened, todo, also } = why(job, now)
    for (const text of [happened, todo, ...also]) {
      expect(text).toMatch(/^[A-Z][^]*[.?"]$/)
      expect(text).not.toMatch(/undefined|null|NaN|\[object| {2}|\.\./)
    }
  })
})

describe('of several causes the one that matters most is named', () => {
  it('that the shop does not know comes before what is wrong with the money', () => {
    const job = tried(paid(1500), failed('500'))
    expect(why(job, SOON)).toMatchObject({
      cause: 'receiver-answers-error',
      also: ['The customer paid EUR 2.50 more than was due.'],
    })
    expect(why(job, SOON).happened).toMatch(/^The customer paid EUR 15\.00 at sandbox/)
  })

  it('of a payment that is open, what keeps it open comes before an unknown part', () => {
    const job = tried(pulled(sampleJob(), seen('PENDING', 500)), failed('500'))
    const answer = why(job, SOON)
    expect(answer.cause).toBe('part-is-due')
    expect(answer.also).toEqual([expect.stringContaining('answered 500')])
  })

  it('what was told to the shop is said beside, with how its receiver answered', () => {
    expect(why(reported(paid()), SOON).happened).toContain(
      'The shop was told at 2026-01-31T10:00:20Z: its receiver answered 200.',
    )
  })

  it('accounts that were passed over are named, with what was wrong with each', () => {
    const waiting = { ...sampleJob(SILENT), passedOver: ['b'] }
    const announced = recordAnnouncement(
      waiting,
      'c',
      { is: 'announced', reference: 'tr_1', checkoutUrl: 'https://psp.nl/1', expiresAt: null },
      SOON,
      MIDDLE,
      ['sandbox'],
      ['sandbox', 'b'],
    )
    expect(announced.passedOver).toEqual(['b', 'sandbox'])
    expect(why(announced, SOON).happened).toContain(
      'The order went to c after b, which refused its credentials, and sandbox, which did not answer.',
    )
  })
})

describe('accounts that were not asked', () => {
  const inTrouble = { why: 'silent' as const, since: NOW - 5 * MINUTE }

  it('are named, with since when they had not answered', () => {
    const job = { ...paid(), asked: { milliseconds: 300, skipped: [{ ...inTrouble, account: 'b' }] } }
    expect(why(job, SOON).happened).toContain(
      ' b was passed over because it had not answered since 2026-01-31T09:55:00Z.',
    )
  })

  it('are not said to have been tried', () => {
    const due = sampleJob(SILENT)
    const job = { ...due, asked: { skipped: [{ ...inTrouble, account: due.account }] } }
    expect(why(job, SOON).happened).toContain('not tried yet, for it had not answered others.')
    expect(why(sampleJob(SILENT), SOON).happened).toContain('tried once')
  })
})

describe('what the PSP did not answer', () => {
  it('counts no longer once it has answered', () => {
    const job = pulled(notAnswered(sampleJob()), seen('PENDING'), NOW + 3 * MINUTE)
    expect(why(noteAnswer(job, seen('PENDING'), NOW + 3 * MINUTE), NOW + 4 * MINUTE).cause).toBe(
      'customer-not-back',
    )
  })

  it('is saved when it begins and when it ends, and not each time', () => {
    const before = sampleJob()
    const first = notAnswered(before)
    const second = notAnswered(first, NOW + 3 * MINUTE)
    expect(isWorthSaving(before, first)).toBe(true)
    expect(isWorthSaving(first, second)).toBe(false)
    expect(isWorthSaving(second, noteAnswer(second, REFUSED_KEY, NOW + HOUR))).toBe(true)
    expect(isWorthSaving(second, noteAnswer(second, seen('PENDING'), NOW + HOUR))).toBe(true)
  })

  it('is one pull for all who asked together', () => {
    const once = notAnswered(sampleJob())
    expect(noteAnswer(once, SILENT, NOW + MINUTE + 1000)).toBe(once)
    const twice = noteAnswer(once, SILENT, NOW + 3 * MINUTE)
    expect(twice.unanswered).toMatchObject({ since: NOW + MINUTE, last: NOW + 3 * MINUTE, pulls: 2 })
  })
})

it('a report that is sent again by an operator is about to be sent, whatever became of it before', () => {
  expect(why(resend(reported(paid()), SOON + HOUR), SOON + HOUR).cause).toBe('report-due')
})

it('only the last three tries keep how the receiver answered', () => {
  const job = tried(paid(), ...['a', 'b', 'c', 'd'].map((answer) => failed('500', answer)))
  expect(job.reports.at(-1)?.attempts.map(({ answer }) => answer)).toEqual([undefined, 'b', 'c', 'd'])
})

it('an account that refuses its key is told from a PSP that is silent, as soon as either changes', () => {
  const refused = recordAnnouncement(sampleJob(SILENT), 'sandbox', REFUSED_KEY, SOON, MIDDLE)
  expect(refused).toMatchObject({ error: 'Unauthorized', announcement: { is: 'due', accountRefused: true } })
  expect(recordAnnouncement(refused, 'sandbox', REFUSED_KEY, SOON + 9, MIDDLE)).toBe(refused)
  const silent = recordAnnouncement(refused, 'sandbox', SILENT, SOON + 9, MIDDLE)
  expect(silent.announcement).toEqual({ is: 'due', tries: 1, at: NOW + 10_000 })
})
