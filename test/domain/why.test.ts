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

const PAID = 'The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z. '
const TOLD = ' The shop was told at 2026-01-31T10:00:20Z: its receiver answered 200.'

/** What is so, the job of which it is so, and what an operator reads then. */
const TABLE: readonly [cause: Cause, what: string, job: Job, now: number, happened: string][] = [
  [
    'customer-not-back',
    'it is new',
    sampleJob(),
    SOON,
    "The customer has not paid, and has not come back from the PSP's page. The payment is open at sandbox.",
  ],
  [
    'customer-came-back',
    'the customer came back',
    recordReturn(sampleJob(), SOON),
    SOON + 1,
    'The customer came back from the PSP at 2026-01-31T10:00:20Z, and had not paid. The PSP of sandbox says that the payment is open.',
  ],
  [
    'part-is-due',
    'a part was paid',
    pulled(sampleJob(), seen('PENDING', 500)),
    SOON,
    'The customer has paid EUR 5.00; EUR 7.50 is still due.',
  ],
  [
    'money-underway',
    'money is coming',
    pulled(sampleJob(), UNDER_WAY),
    SOON,
    'The customer has paid by ideal at sandbox, and the money is under way since 2026-01-31T10:00:20Z. The PSP says by 2026-02-14T10:00:20Z how it ended.',
  ],
  [
    'money-reserved',
    'money is reserved',
    pulled(sampleJob(), AUTHORIZED),
    SOON,
    'The money is reserved at sandbox since 2026-01-31T10:00:20Z, and is still to be captured. The reservation ends at 2026-02-07T10:00:20Z.',
  ],
  [
    'psp-silent-at-announcement',
    'no PSP answered',
    sampleJob(SILENT),
    SOON,
    'The PSP of sandbox has not answered, so nobody can pay yet; tried once. The last was: "No answer in time." The hub tries again at 2026-01-31T10:00:10Z, and when the customer opens payUrl.',
  ],
  [
    'psp-refuses-credentials',
    'a key was wrong at the order',
    sampleJob(REFUSED_KEY),
    SOON,
    'The PSP refused the credentials of sandbox, so nobody can pay yet; tried once. It said: "Unauthorized" The hub tries again at 2026-01-31T10:00:10Z, and when the customer opens payUrl.',
  ],
  [
    'psp-refuses-credentials',
    'a key was wrong at a pull',
    noteAnswer(sampleJob(), REFUSED_KEY, NOW + MINUTE),
    NOW + 2 * MINUTE,
    'The PSP refused the credentials of sandbox when the hub asked how the payment stands: at 2026-01-31T10:01:00Z. It said: "Unauthorized" The hub asks again at 2026-01-31T10:01:00Z.',
  ],
  [
    'psp-knows-no-payment',
    'the PSP knows nothing',
    noteAnswer(sampleJob(), { is: 'unknown' }, NOW + MINUTE),
    NOW + 2 * MINUTE,
    'The PSP of sandbox said that it does not know the payment: at 2026-01-31T10:01:00Z. The hub asks again at 2026-01-31T10:01:00Z.',
  ],
  [
    'psp-silent-at-pulls',
    'a pull failed',
    notAnswered(sampleJob()),
    NOW + 2 * MINUTE,
    'The PSP of sandbox did not answer when the hub asked how the payment stands: at 2026-01-31T10:01:00Z. The last was: "No answer in time." The hub asks again at 2026-01-31T10:01:00Z.',
  ],
  [
    'psp-end-unknown',
    'the end is not known',
    { ...pulled(sampleJob(), seen('PENDING')), lastPulls: 2 },
    END + HOUR,
    'The time to pay ended at 2026-01-31T11:01:00Z, and the PSP of sandbox has not said yet how the payment ended. The hub asks again at 2026-01-31T10:01:00Z.',
  ],
  [
    'paid',
    'all is well',
    reported(paid()),
    SOON + 1,
    `${PAID}The shop was told at 2026-01-31T10:00:20Z: its receiver answered 200.`,
  ],
  [
    'psp-refused-order',
    'the PSP said no',
    reported(sampleJob(REFUSED)),
    SOON,
    `The PSP of sandbox refused the order at 2026-01-31T10:00:00Z. It said: "The method is not active."${TOLD}`,
  ],
  [
    'payment-failed',
    'the payment failed',
    reported(jobIn('FAILURE')),
    SOON,
    `The payment failed at sandbox: 2026-01-31T10:00:01Z.${TOLD}`,
  ],
  [
    'cancelled-by-customer',
    'no longer wanted',
    reported(jobIn('CANCELLED')),
    SOON,
    `The customer cancelled the payment at sandbox; the hub learnt it at 2026-01-31T10:00:01Z.${TOLD}`,
  ],
  [
    'cancelled-by-shop',
    'the shop stopped it',
    reported(
      recordPullResult(sampleJob(), 'cancel', { answer: seen('CANCELLED'), stopped: true }, NOW + 9, 'shop'),
    ),
    SOON,
    `The shop cancelled the payment at 2026-01-31T10:00:00Z.${TOLD}`,
  ],
  [
    'cancelled-by-operator',
    'an operator stopped it before it was announced',
    reported(cancelUnannounced(sampleJob(SILENT), NOW + 9, 'operator')),
    SOON,
    `An operator cancelled the payment at 2026-01-31T10:00:00Z.${TOLD}`,
  ],
  [
    'expired',
    'nobody paid',
    reported(expire(sampleJob(), END)),
    END,
    `The customer did not pay in time; the job ended at 2026-01-31T11:01:00Z.${TOLD}`,
  ],
  [
    'expired',
    'money never came',
    reported(expire(pulled(sampleJob(), UNDER_WAY), NOW + 15 * DAY)),
    NOW + 15 * DAY,
    `The money did not come in time; the job ended at 2026-02-15T10:00:00Z.${TOLD}`,
  ],
  [
    'expired-unannounced',
    'no PSP ever answered',
    reported(expire(sampleJob(SILENT), NOW + DAY)),
    NOW + DAY,
    `The PSP of sandbox never took the order, so nobody could pay; the job ended at 2026-02-01T10:00:00Z. The last was: "No answer in time."${TOLD}`,
  ],
  [
    'expired-unconfirmed',
    'the PSP never told the end',
    reported(expireUnanswered({ ...sampleJob(), lastPulls: 9 }, END + LAST_PULL_PATIENCE)),
    END + LAST_PULL_PATIENCE,
    `The PSP of sandbox did not say for three days after the end how the payment ended; the job ended at 2026-02-03T11:01:00Z. The customer may have paid.${TOLD}`,
  ],
  [
    'report-due',
    'the report is new',
    dispatch(paid(), SOON),
    SOON + 1,
    `${PAID}The report to the shop is due since 2026-01-31T10:00:20Z, and about to be sent.`,
  ],
  [
    'report-lost',
    'the queue lost it',
    dispatch(dispatch(paid(), SOON), SOON + HOUR),
    SOON + HOUR,
    `${PAID}The shop was not told: the report, which the hub sent 2 times, was not tried in time. The queue gets it again at 2026-01-31T11:01:20Z.`,
  ],
  [
    'receiver-answers-error',
    'the receiver is broken',
    tried(paid(), failed('500', 'old'), failed('500', 'out of memory')),
    SOON + 2 * MINUTE,
    `${PAID}The shop was not told: its receiver answered 500, 2 times, last at 2026-01-31T10:01:20Z. Its answer began: "out of memory" The hub tries again at 2026-01-31T10:02:20Z.`,
  ],
  [
    'receiver-answers-error',
    'it redirects',
    tried(paid(), failed('302')),
    SOON,
    `${PAID}The shop was not told: its receiver answered 302, a redirect, which the hub does not follow, once, last at 2026-01-31T10:00:20Z. The hub tries again at 2026-01-31T10:00:25Z.`,
  ],
  [
    'receiver-unreachable',
    'it is gone',
    tried(paid(), failed('no connection')),
    SOON,
    `${PAID}The shop was not told: its receiver could not be reached, once, last at 2026-01-31T10:00:20Z. The hub tries again at 2026-01-31T10:00:25Z.`,
  ],
  [
    'receiver-too-slow',
    'it hangs',
    tried(paid(), failed('no answer in time')),
    SOON,
    `${PAID}The shop was not told: its receiver did not answer in time, once, last at 2026-01-31T10:00:20Z. The hub tries again at 2026-01-31T10:00:25Z.`,
  ],
  [
    'report-not-tried',
    'the hub failed',
    tried(paid(), failed('not tried: fault of the hub')),
    SOON,
    `${PAID}The shop was not told: a fault of the hub kept the report from being sent, once, last at 2026-01-31T10:00:20Z. The hub tries again at 2026-01-31T10:00:25Z.`,
  ],
  [
    'report-given-up',
    'three days are over',
    tried(paid(), ...Array.from({ length: 11 }, () => failed('503'))),
    NOW + 4 * DAY,
    `${PAID}The shop was not told: the report was tried 11 times, and given up at 2026-01-31T10:10:20Z. The last was: 503.`,
  ],
  [
    'report-unwanted',
    'it wants no more',
    tried(paid(), { is: 'stopped', outcome: '410' }),
    SOON,
    `${PAID}The shop was not told: its receiver answered 410 at 2026-01-31T10:00:20Z, which says that it wants no more reports. The hub gave the report up.`,
  ],
  [
    'report-address-refused',
    'the address is none',
    tried(paid(), { is: 'stopped', outcome: 'address refused' }),
    SOON,
    `${PAID}The shop was not told: the hub sends nothing to https://shop.nl/report, which is no public https address, or the hub's own. It gave the report up at 2026-01-31T10:00:20Z.`,
  ],
  [
    'paid-twice',
    'two accounts',
    { ...reported(paid(2500)), otherPayments: [other(1250)] },
    SOON,
    `The customer paid EUR 25.00 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z. The order was paid more than once: besides sandbox, EUR 12.50 at b (tr_9).${TOLD}`,
  ],
  [
    'paid-at-other-account',
    'another account',
    { ...reported(paid()), otherPayments: [other(1250)] },
    SOON,
    `${PAID}Money came at an account that had not answered when the order was announced: EUR 12.50 at b (tr_9).${TOLD}`,
  ],
  [
    'charged-back',
    'the bank took it back',
    { ...reported(paid()), moneyBack: { ...NOTHING_BACK, chargedBack: 1250 } },
    SOON,
    `${PAID}EUR 12.50 was charged back.${TOLD}`,
  ],
  [
    'refund-failed',
    'a refund failed',
    withRefund('failed', 'No balance.'),
    SOON,
    `${PAID}The refund of EUR 5.00 failed: No balance.${TOLD}`,
  ],
  [
    'refund-pending',
    'a refund is on its way',
    withRefund('pending'),
    SOON,
    `${PAID}A refund of EUR 5.00 was asked for at 2026-01-31T10:00:20Z, and the PSP is sending it. The hub asks again at 2026-01-31T10:01:20Z.${TOLD}`,
  ],
  [
    'refund-pending',
    'the PSP has not answered',
    withRefund('asking'),
    SOON,
    `${PAID}A refund of EUR 5.00 was asked for at 2026-01-31T10:00:20Z, and the PSP has not answered.${TOLD}`,
  ],
  ['refunded', 'money went back', withRefund('done'), SOON, `${PAID}EUR 5.00 was given back.${TOLD}`],
  [
    'overpaid',
    'too much came',
    reported(paid(1500)),
    SOON,
    `The customer paid EUR 15.00 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z. The customer paid EUR 2.50 more than was due.${TOLD}`,
  ],
  [
    'paid-in-part',
    'the rest did not come',
    reported(expire(pulled(sampleJob(), seen('PENDING', 500)), END)),
    END,
    `The customer did not pay in time; the job ended at 2026-01-31T11:01:00Z. Only EUR 5.00 of EUR 12.50 was paid.${TOLD}`,
  ],
  [
    'paid-late',
    'money came after the end',
    reported(pulled(expire(sampleJob(), END), seen('SUCCESS', AMOUNT), END + HOUR)),
    END + HOUR,
    `The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T12:01:00Z. The money came after the job had ended.${TOLD}`,
  ],
]

/** What is to be done then. */
const TODO: Readonly<Record<Cause, string>> = {
  'customer-not-back':
    'The customer can pay at payUrl until 2026-01-31T11:01:00Z. If they say that they have, run job pull.',
  'customer-came-back':
    'The customer can pay at payUrl until 2026-01-31T11:01:00Z. If they say that they have, run job pull.',
  'part-is-due':
    'The customer can pay at payUrl until 2026-01-31T11:01:00Z. If they say that they have, run job pull.',
  'money-underway': 'Wait. Nobody is to pay again.',
  'money-reserved': 'Run job pull, which captures it. Where that changes nothing, capture it at the PSP.',
  'psp-silent-at-announcement':
    "Wait, and look at the PSP's status. pos route adds an account that takes over.",
  'psp-refuses-credentials': 'Run psp check sandbox, then psp rekey sandbox.',
  'psp-knows-no-payment': 'See whether sandbox has the credentials of another account: psp check sandbox.',
  'psp-silent-at-pulls':
    "Look at the PSP's status. Run job pull to ask at once. Nobody gives the goods away yet.",
  'psp-end-unknown':
    "Look at the PSP's status. Run job pull to ask at once. Nobody gives the goods away yet.",
  paid: 'There is nothing to do.',
  'psp-refused-order':
    'The shop changes the order, or offers another payment method, and makes a new payment job.',
  'payment-failed': 'To be paid after all, the shop makes a new payment job.',
  'cancelled-by-customer': 'To be paid after all, the shop makes a new payment job.',
  'cancelled-by-shop': 'To be paid after all, the shop makes a new payment job.',
  'cancelled-by-operator': 'To be paid after all, the shop makes a new payment job.',
  expired: 'To be paid after all, the shop makes a new payment job.',
  'expired-unannounced': 'Run psp check sandbox. The shop makes a new payment job.',
  'expired-unconfirmed': 'Look at payment tr_1 at the PSP. job pull asks once more.',
  'report-due': 'Wait some seconds, and look again.',
  'report-lost': "Wait. If it stays, look at the platform's status.",
  'receiver-answers-error':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'receiver-unreachable':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'receiver-too-slow':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'report-not-tried': 'Look at the log events report.not-tried of this job.',
  'report-given-up':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'report-unwanted':
    'The shop must mend the receiver at https://shop.nl/report; then run report resend 7f2c1d1e-0000-4000-8000-000000000001.',
  'report-address-refused':
    'The shop must send another report_url with its orders, and read this job itself.',
  'paid-twice': 'Give one payment back at the PSP of the other account.',
  'paid-at-other-account': 'There is nothing to do. A refund is made at the PSP of that account.',
  'charged-back': 'The shop answers the dispute at the PSP, within its time, or accepts it.',
  'refund-failed':
    'Mend what the PSP says, then run job refund once more, or give the money back at the PSP.',
  'refund-pending': 'Wait. A refund may take days.',
  refunded: 'There is nothing to do.',
  overpaid: 'Give the rest back: job refund with --amount, or at the PSP.',
  'paid-in-part': 'Give it back, or let the shop collect the rest by a new payment job.',
  'paid-late': 'The shop sees that it still delivers, or gives the money back.',
}

describe('why a payment stands as it does', () => {
  it.each(TABLE)('%s: %s', (cause, _, job, now, happened) => {
    const answer = why(job, now)
    expect(answer).toMatchObject({ cause, move: CAUSES[cause] satisfies Move, happened, todo: TODO[cause] })
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
