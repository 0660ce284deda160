import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/domain/job.ts'
import { NOTHING_BACK } from '../../src/domain/money-back.ts'
import { cancelUnannounced } from '../../src/domain/pull.ts'
import { dispatch, resend } from '../../src/domain/reporting.ts'
import { LAST_PULL_PATIENCE } from '../../src/domain/schedule.ts'
import { DAY, HOUR, MINUTE } from '../../src/domain/timestamp.ts'
import { expire, expireUnanswered } from '../../src/domain/transition.ts'
import type { Cause } from '../../src/domain/why/causes.ts'
import { why } from '../../src/domain/why/why.ts'
import { NOW, REFUSED, SILENT, UNDER_WAY, jobIn, sampleJob, seen } from '../support/sample-job.ts'
import {
  END,
  SOON,
  failed,
  notAnswered,
  other,
  paid,
  pulled,
  reported,
  tried,
  withRefund,
} from './why-jobs.ts'

const TOLD = ' The shop was told at 2026-01-31T10:00:20Z: its receiver answered 200.'
const UNTOLD =
  'The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z. The shop was not told: '

type Row = readonly [what: string, job: Job, now: number, cause: Cause, happened: string]

const told = (rows: readonly Row[]): void => {
  it.each(rows)('%s', (_, job, now, cause, happened) => {
    expect(why(job, now)).toMatchObject({ cause, happened })
  })
}

const inTrouble = (account: string, is: 'silent' | 'slow' = 'silent') => ({
  account,
  why: is,
  since: NOW - 5 * MINUTE,
})
const WAITS = sampleJob(SILENT)
const LAST_WORDS = ' The last was: "No answer in time."'
const AGAIN = ' The hub tries again at 2026-01-31T10:00:10Z, and when the customer opens payUrl.'
const NOBODY = 'The PSP of sandbox has not answered, so nobody can pay yet;'

describe('a payment that is not announced yet', () => {
  const due = { is: 'due' as const, tries: 2, at: NOW + 10_000 }
  told([
    [
      'names the others that were tried',
      { ...WAITS, passedOver: ['b', 'c'] },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} tried once.${LAST_WORDS} So it was with b, c.${AGAIN}`,
    ],
    [
      'is not said to have been tried at an account that was passed over',
      { ...WAITS, asked: { skipped: [inTrouble('b'), inTrouble('sandbox')] } },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} not tried yet, for it had not answered others.${LAST_WORDS}${AGAIN}`,
    ],
    [
      'was tried, where another account was passed over',
      { ...WAITS, asked: { skipped: [inTrouble('b')] } },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} tried once.${LAST_WORDS}${AGAIN}`,
    ],
    [
      'was tried, where none was passed over',
      { ...WAITS, asked: { milliseconds: 3 } },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} tried once.${LAST_WORDS}${AGAIN}`,
    ],
    [
      'was tried by now at an account that was passed over at first',
      { ...WAITS, announcement: due, asked: { skipped: [inTrouble('sandbox')] } },
      SOON,
      'psp-silent-at-announcement',
      `${NOBODY} tried 2 times.${LAST_WORDS}${AGAIN}`,
    ],
  ])
})

describe('a payment whose end the PSP has not told', () => {
  const open = pulled(sampleJob(), seen('PENDING'))
  it('is open for half a minute after its last pull is due, and then has an unknown end', () => {
    const causeAt = (lastPulls: number, now: number) => why({ ...open, lastPulls }, now).cause
    expect(causeAt(2, END + MINUTE / 2 - 1)).toBe('customer-not-back')
    expect(causeAt(2, END + MINUTE / 2)).toBe('psp-end-unknown')
    expect(causeAt(0, END + HOUR)).toBe('customer-not-back')
  })

  const silent = 'The PSP of sandbox did not answer when the hub asked how the payment stands: '
  told([
    [
      'says how often the PSP did not answer, and since when',
      notAnswered(notAnswered(sampleJob()), NOW + 3 * MINUTE),
      NOW + 4 * MINUTE,
      'psp-silent-at-pulls',
      `${silent}2 times since 2026-01-31T10:01:00Z, last at 2026-01-31T10:03:00Z.${LAST_WORDS} The hub asks again at 2026-01-31T10:01:00Z.`,
    ],
  ])
})

describe('a payment that has ended', () => {
  const late = END + LAST_PULL_PATIENCE
  const unconfirmed = reported(expireUnanswered({ ...sampleJob(), lastPulls: 9 }, late))
  const unpaid = `The customer did not pay in time; the job ended at 2026-02-03T11:01:00Z.${TOLD}`
  told([
    [
      'ended when its status last changed, and not when more money came',
      reported(pulled(paid(), seen('SUCCESS', 1500), END)),
      END,
      'overpaid',
      `The customer paid EUR 15.00 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z. The customer paid EUR 2.50 more than was due.${TOLD}`,
    ],
    [
      'was cancelled by the shop or an operator, where that is not known',
      reported(cancelUnannounced(WAITS, NOW + 9)),
      SOON,
      'cancelled-by-shop',
      `The shop, or an operator, cancelled the payment at 2026-01-31T10:00:00Z.${TOLD}`,
    ],
    [
      'ended in time where the PSP said so, however late',
      { ...unconfirmed, closed: true },
      late,
      'expired',
      unpaid,
    ],
    [
      'ended in time where a pull said so, however late',
      {
        ...unconfirmed,
        steps: unconfirmed.steps.map((step) => ({ ...step, action: 'Statuspull' as const })),
      },
      late,
      'expired',
      unpaid,
    ],
    [
      'ended in time where it ended before the patience of the hub did',
      { ...unconfirmed, steps: unconfirmed.steps.map((step) => ({ ...step, at: step.at - 1000 })) },
      late,
      'expired',
      `The customer did not pay in time; the job ended at 2026-02-03T11:00:59Z.${TOLD}`,
    ],
  ])

  const traceless = (job: Job): Job => ({ ...reported(job), steps: [] })
  told([
    [
      'ended when it was last changed, where it has no trace: paid',
      traceless(paid()),
      SOON,
      'paid',
      `The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z.${TOLD}`,
    ],
    [
      'ended when it was last changed, where it has no trace: cancelled',
      traceless(jobIn('CANCELLED')),
      SOON,
      'cancelled-by-customer',
      `The customer cancelled the payment at sandbox; the hub learnt it at 2026-01-31T10:00:01Z.${TOLD}`,
    ],
    [
      'ended when it was last changed, where it has no trace: expired',
      traceless(expire(sampleJob(), END)),
      END,
      'expired',
      `The customer did not pay in time; the job ended at 2026-01-31T11:01:00Z.${TOLD}`,
    ],
    [
      'did not wait for money where its trace begins with the end',
      {
        ...reported(expire(pulled(sampleJob(), UNDER_WAY), NOW + 15 * DAY)),
        steps: expire(sampleJob(), END).steps.slice(-1),
      },
      END,
      'expired',
      `The customer did not pay in time; the job ended at 2026-01-31T11:01:00Z.${TOLD}`,
    ],
  ])

  it('is not for the shop to mend where the PSP refused the account', () => {
    const refused = (error: string | null) => why({ ...reported(sampleJob(REFUSED)), error }, SOON)
    const atAccount =
      'Set the account up for this at the PSP, or route the payment method to another one than sandbox.'
    const atOrder =
      'The shop changes the order, or offers another payment method, and makes a new payment job.'
    expect(refused('refused_account: Not activated.').todo).toBe(atAccount)
    expect(refused('refused_method: not refused_account').todo).toBe(atOrder)
    expect(refused(null)).toMatchObject({
      happened: `The PSP of sandbox refused the order at 2026-01-31T10:00:00Z.${TOLD}`,
      todo: atOrder,
    })
  })
})

describe('the money of a payment', () => {
  const learnt = 'The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z.'
  const step = { refunded: 0, chargedBack: 1250 }
  told([
    [
      'may have come in parts at accounts of which one names no payment',
      {
        ...reported(paid()),
        otherPayments: [other(500), other(0), { ...other(750), account: 'c', reference: null }],
      },
      SOON,
      'paid-at-other-account',
      `${learnt} Money came at an account that had not answered when the order was announced: EUR 5.00 at b (tr_9) and EUR 7.50 at c (unknown).${TOLD}`,
    ],
    [
      'did not come at another account that may hold a payment',
      { ...reported(paid()), otherPayments: [other(0)] },
      SOON,
      'paid',
      learnt + TOLD,
    ],
    [
      'was charged back when the last chargeback came',
      {
        ...reported(paid()),
        moneyBack: {
          ...NOTHING_BACK,
          chargedBack: 1250,
          steps: [
            { at: (NOW + HOUR) * 1000, action: 'Chargeback', ...step },
            { at: (NOW + 2 * HOUR) * 1000, action: 'Chargeback', ...step },
            { at: (NOW + 3 * HOUR) * 1000, action: 'Refund', ...step },
          ],
        },
      },
      END,
      'charged-back',
      `${learnt} EUR 12.50 was charged back. The hub learnt it at 2026-01-31T12:00:00Z.${TOLD}`,
    ],
    [
      'was not given back, and the PSP did not say why',
      withRefund('failed'),
      SOON,
      'refund-failed',
      `${learnt} The refund of EUR 5.00 failed: the PSP did not say why${TOLD}`,
    ],
  ])

  it('that was paid twice is not said to be too much as well', () => {
    expect(why({ ...reported(paid(2500)), otherPayments: [other(1250)] }, SOON)).toMatchObject({
      cause: 'paid-twice',
      also: [],
    })
  })
})

describe('a report', () => {
  const sent = dispatch(paid(), SOON)
  const until = sent.flight?.until ?? 0
  const [dead] = paid().reports.map((report) => ({ ...report, state: 'dead' as const }))
  told([
    ['is under way until its time is over', sent, until - 1, 'report-due', why(sent, SOON).happened],
    [
      'is lost when its time is over',
      sent,
      until,
      'report-lost',
      `${UNTOLD}the report, which the hub sent once, was not tried in time. The queue gets it again at ${new Date(until).toISOString().slice(0, 19)}Z.`,
    ],
    [
      'that is sent again was told before, and that is no longer said',
      resend(reported(paid()), SOON + HOUR),
      SOON + HOUR,
      'report-due',
      'The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z. The report to the shop is due since 2026-01-31T11:00:20Z, and about to be sent.',
    ],
    [
      'is not spoken of where there is none',
      { ...paid(), reports: [] },
      SOON,
      'paid',
      'The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z.',
    ],
    [
      'that is given up has the last answer of the receiver',
      tried(paid(), ...Array.from({ length: 11 }, () => failed('503', 'closed'))),
      END,
      'report-given-up',
      `${UNTOLD}the report was tried 11 times, and given up at 2026-01-31T10:10:20Z. The last was: 503. Its answer began: "closed"`,
    ],
    [
      'may have been given up without a try',
      { ...paid(), reports: dead ? [dead] : [] },
      SOON,
      'report-given-up',
      `${UNTOLD}the report was tried 0 times, and given up. The last was: no try.`,
    ],
  ])
})

describe('accounts that did not take the order', () => {
  const took =
    'The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z. The report to the shop is due since 2026-01-31T10:00:20Z, and about to be sent.'
  told([
    [
      'are named once each, with what was wrong with them',
      {
        ...paid(),
        passedOver: ['b', 'c'],
        otherPayments: [
          { ...other(0), account: 'c' },
          { ...other(0), account: 'x' },
        ],
        asked: {
          skipped: [inTrouble('sandbox'), inTrouble('b'), inTrouble('d'), inTrouble('e', 'slow')],
        },
      },
      SOON,
      'report-due',
      `${took} The order went to sandbox after b, which refused its credentials, and c, which did not answer. d was passed over because it had not answered since 2026-01-31T09:55:00Z. e was passed over because it had been slow since 2026-01-31T09:55:00Z.`,
    ],
  ])
})
