import { describe, expect, it } from 'vitest'
import { mayBePaid, moneyBackOf, paidAt, titleOf } from '../../src/checkout/standing.ts'
import type { Job } from '../../src/job/rules/job.ts'
import { NOTHING_BACK, type MoneyBack } from '../../src/job/rules/money-back.ts'
import type { Refund } from '../../src/job/rules/refund.ts'
import { recordPull } from '../../src/job/rules/transition.ts'
import { AMOUNT, NOW, SILENT, UNDER_WAY, jobIn, sampleJob, seen } from '../support/sample-job.ts'

const underWay = recordPull(sampleJob(), 'Return', UNDER_WAY, NOW + 1000)
const partPaid = recordPull(sampleJob(), 'Statuspull', seen('EXPIRED', 400), NOW + 1000)

function refundOf(amount: number, state: Refund['state']): Refund {
  return {
    id: `re-${amount}`,
    fingerprint: 'f',
    call: 'c',
    amount,
    description: '',
    at: NOW,
    state,
    reference: null,
    error: null,
    checks: 0,
    checkAt: null,
  }
}

function withBack(back: Partial<MoneyBack>): Job {
  return {
    ...jobIn('SUCCESS'),
    moneyBack: { ...NOTHING_BACK, ...back },
  }
}

describe('what a page tells of a job', () => {
  it.each<[string, Job, number, string]>([
    ['that can be paid', sampleJob(), NOW, 'OPEN'],
    ['that its PSP does not know yet', sampleJob(SILENT), NOW, 'OPEN'],
    ['whose time to pay is over', sampleJob(), sampleJob().expiresAt, 'EXPIRED'],
    ['whose money is on its way, also after that time', underWay, underWay.expiresAt, 'PENDING'],
    ['that is paid', jobIn('SUCCESS'), NOW, 'SUCCESS'],
    ['that is paid, by an amount that is not known', { ...jobIn('SUCCESS'), paid: 0 }, NOW, 'SUCCESS'],
    ['that failed', jobIn('FAILURE'), NOW, 'FAILURE'],
    ['that was cancelled', jobIn('CANCELLED'), NOW, 'CANCELLED'],
    ['that has expired', jobIn('EXPIRED'), NOW, 'EXPIRED'],
    ['that ended with a part of the money', partPaid, NOW, 'PART'],
    ['of which a part went back', withBack({ refunded: AMOUNT - 1 }), NOW, 'SUCCESS'],
    ['of which all went back', withBack({ refunded: AMOUNT }), NOW, 'RETURNED'],
    [
      'of which all is on its way back, and in the total of the PSP',
      withBack({ refunded: AMOUNT, refunds: [refundOf(AMOUNT, 'pending')] }),
      NOW,
      'SUCCESS',
    ],
    [
      'of which all was refunded or charged back',
      withBack({ refunded: 50, chargedBack: AMOUNT - 50 }),
      NOW,
      'RETURNED',
    ],
  ])('%s', (_, job, now, title) => {
    expect(titleOf(job, now)).toBe(title)
  })
})

it.each<[string, Job, boolean]>([
  ['open', sampleJob(), true],
  ['under way', underWay, false],
  ['paid', jobIn('SUCCESS'), false],
  ['cancelled', jobIn('CANCELLED'), false],
])('a job that is %s may be paid: %#', (_, job, may) => {
  expect(mayBePaid(job, NOW + 2000)).toBe(may)
})

it('the time of the payment is that of the first money', () => {
  expect(paidAt(jobIn('SUCCESS'))).toBe(NOW + 1000)
  expect(paidAt(partPaid)).toBe(NOW + 1000)
  expect(paidAt(jobIn('FAILURE'))).toBeNull()
})

describe('what went back', () => {
  const steps: MoneyBack['steps'] = [
    { at: (NOW + 2000) * 1000, action: 'Refund', refunded: 200, chargedBack: 0 },
    { at: (NOW + 3000) * 1000, action: 'Chargeback', refunded: 200, chargedBack: 100 },
    { at: (NOW + 4000) * 1000, action: 'Refund', refunded: 500, chargedBack: 100 },
  ]

  it('is nothing for most jobs', () => {
    expect(moneyBackOf(jobIn('SUCCESS'))).toEqual([])
    expect(moneyBackOf(withBack({ refunds: [refundOf(300, 'failed')] }))).toEqual([])
  })

  it('has the time at which it last changed', () => {
    expect(moneyBackOf(withBack({ refunded: 500, elsewhere: 500, chargedBack: 100, steps }))).toEqual([
      { label: 'refunded', amount: 500, at: NOW + 4000 },
      { label: 'chargedBack', amount: 100, at: NOW + 3000 },
    ])
  })

  it('has the time of what is done, and none of what is on its way', () => {
    const refunds = [refundOf(200, 'done'), refundOf(300, 'pending')]
    expect(moneyBackOf(withBack({ refunded: 500, refunds, steps }))).toEqual([
      { label: 'refunded', amount: 200, at: NOW + 2000 },
      { label: 'refunding', amount: 300, at: null },
    ])
  })

  it.each<[string, Partial<MoneyBack>, [string, number][]]>([
    ['that was asked for is on its way', { refunds: [refundOf(300, 'asking')] }, [['refunding', 300]]],
    [
      'that the PSP has in its total is on its way until it is done',
      { refunded: 300, refunds: [refundOf(300, 'pending')] },
      [['refunding', 300]],
    ],
    [
      'that is done, and in the total, is not on its way besides',
      { refunded: 300, refunds: [refundOf(300, 'done')] },
      [['refunded', 300]],
    ],
    [
      'of which one is done and one on its way, both in the total',
      { refunded: 500, refunds: [refundOf(200, 'done'), refundOf(300, 'pending')] },
      [
        ['refunded', 200],
        ['refunding', 300],
      ],
    ],
    [
      'of which one is done and one on its way, which is not in the total',
      { refunded: 200, refunds: [refundOf(200, 'done'), refundOf(300, 'asking')] },
      [
        ['refunded', 200],
        ['refunding', 300],
      ],
    ],
    [
      'of which one was made elsewhere and one is on its way, both in the total',
      { refunded: 700, elsewhere: 400, refunds: [refundOf(300, 'pending')] },
      [
        ['refunded', 400],
        ['refunding', 300],
      ],
    ],
    [
      'that is done at the PSP, whose total does not have it yet',
      { refunds: [refundOf(300, 'done')] },
      [['refunding', 300]],
    ],
    [
      'of which the PSP has a part in its total',
      { refunded: 500, elsewhere: 500, refunds: [refundOf(300, 'pending')] },
      [
        ['refunded', 500],
        ['refunding', 300],
      ],
    ],
    [
      'of which one failed',
      { refunded: 300, refunds: [refundOf(300, 'done'), refundOf(200, 'failed')] },
      [['refunded', 300]],
    ],
  ])('%s', (_, back, told) => {
    expect(moneyBackOf(withBack(back)).map(({ label, amount }) => [label, amount])).toEqual(told)
  })
})
