import { describe, expect, it } from 'vitest'
import { NOTHING_BACK } from '../../../../src/job/rules/money-back.ts'
import { HOUR } from '../../../../src/contract/timestamp.ts'
import { why } from '../../../../src/job/rules/why/why.ts'
import { NOW } from '../../../support/sample-job.ts'
import { END, SOON, other, paid, reported, withRefund } from '../why-jobs.ts'
import { LEARNT, TOLD, told } from './sentences.ts'

describe('the money of a payment', () => {
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
      `${LEARNT} Money came at an account that had not answered when the order was announced: EUR 5.00 at b (tr_9) and EUR 7.50 at c (unknown).${TOLD}`,
    ],
    [
      'did not come at another account that may hold a payment',
      { ...reported(paid()), otherPayments: [other(0)] },
      SOON,
      'paid',
      LEARNT + TOLD,
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
      `${LEARNT} EUR 12.50 was charged back. The hub learnt it at 2026-01-31T12:00:00Z.${TOLD}`,
    ],
    [
      'was not given back, and the PSP did not say why',
      withRefund('failed'),
      SOON,
      'refund-failed',
      `${LEARNT} The refund of EUR 5.00 failed: the PSP did not say why${TOLD}`,
    ],
  ])

  it('that was paid twice is not said to be too much as well', () => {
    expect(why({ ...reported(paid(2500)), otherPayments: [other(1250)] }, SOON)).toMatchObject({
      cause: 'paid-twice',
      also: [],
    })
  })
})
