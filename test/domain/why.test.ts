import { describe, expect, it } from 'vitest'
import { NOTHING_BACK } from '../../src/domain/money-back.ts'
import type { Job } from '../../src/domain/job.ts'
import { cancelUnannounced, recordPullResult } from '../../src/domain/pull.ts'
import { dispatch } from '../../src/domain/reporting.ts'
import { LAST_PULL_PATIENCE } from '../../src/domain/schedule.ts'
import { DAY, HOUR, MINUTE } from '../../src/domain/timestamp.ts'
import { expire, expireUnanswered, recordReturn } from '../../src/domain/transition.ts'
import { noteAnswer } from '../../src/domain/unanswered.ts'
import { TODOS } from '../../src/console/payment-todo.tsx'
import { CAUSES, type Cause, type Move } from '../../src/domain/why/causes.ts'
import { why } from '../../src/domain/why/why.ts'
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
} from '../support/sample-job.ts'
import {
  SOON,
  END,
  pulled,
  paid,
  tried,
  failed,
  reported,
  withRefund,
  notAnswered,
  REFUSED_KEY,
  other,
} from './why-jobs.ts'

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

it('what names a command of the CLI has words of its own in the console', () => {
  const command = /\b(job|psp|pos|report) (pull|refund|cancel|check|rekey|route|resend)\b/
  const named = TABLE.filter(([, , job, now]) => command.test(why(job, now).todo)).map(([cause]) => cause)
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(TODOS).toSorted())
})
