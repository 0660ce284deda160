import { describe, expect, it } from 'vitest'
import { type MoneyBack, NOTHING_BACK } from '../../../src/job/rules/money-back.ts'
import type { Refund } from '../../../src/job/rules/refund.ts'
import { representRefund } from '../../../src/job/rules/refund-representation.ts'
import {
  beginRefund,
  describeRefund,
  nextRefundCheck,
  recordRefund,
} from '../../../src/job/rules/refund-request.ts'
import { arrivedRefunds, refundsOnTheirWay } from '../../../src/job/rules/refunds-on-their-way.ts'
import { HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { MIDDLE, NOW, jobIn, sampleJob } from '../../support/sample-job.ts'

function refund(amount: number, state: Refund['state'], changes: Partial<Refund> = {}): Refund {
  return {
    id: 'r1',
    fingerprint: 'f',
    call: 'c',
    amount,
    description: 'Broken',
    at: NOW,
    state,
    reference: null,
    error: null,
    checks: 0,
    checkAt: null,
    ...changes,
  }
}
function back(changes: Partial<MoneyBack>): MoneyBack {
  return { ...NOTHING_BACK, ...changes }
}

describe('of the money that goes back', () => {
  it.each<[string, Partial<MoneyBack>, arrived: number, onItsWay: number]>([
    ['nothing has gone', {}, 0, 0],
    ['what the hub asked for is on its way', { refunds: [refund(300, 'pending')] }, 0, 300],
    [
      'what a PSP counts at once is on its way all the same',
      { refunded: 300, refunds: [refund(300, 'pending')] },
      0,
      300,
    ],
    ['what is done has arrived', { refunded: 300, refunds: [refund(300, 'done')] }, 300, 0],
    ['what is done and not yet counted is on its way', { refunds: [refund(300, 'done')] }, 0, 300],
    ['what failed is not there', { refunds: [refund(300, 'failed')] }, 0, 0],
    ['what others refunded has arrived', { refunded: 200, elsewhere: 200 }, 200, 0],
    [
      'others and the hub are counted together',
      { refunded: 500, elsewhere: 200, refunds: [refund(300, 'asking')] },
      200,
      300,
    ],
    [
      'one has arrived, another not',
      { refunded: 100, refunds: [refund(100, 'done'), refund(50, 'asking')] },
      100,
      50,
    ],
  ])('%s', (_, changes, arrived, onItsWay) => {
    expect([arrivedRefunds(back(changes)), refundsOnTheirWay(back(changes))]).toEqual([arrived, onItsWay])
  })
})

it.each([
  ['asking', 'PENDING'],
  ['pending', 'PENDING'],
  ['done', 'SUCCESS'],
  ['failed', 'FAILURE'],
] as const)('a refund that is %s is shown as %s', (state, status) => {
  const job = sampleJob()
  expect(representRefund(job, refund(1050, state, { error: 'no' }))).toEqual({
    refund: 'r1',
    paymentJob: job.id,
    created: '2026-01-31T10:00:00.000000Z',
    currency: 'EUR',
    amount: '10.50',
    description: 'Broken',
    status,
    error: 'no',
  })
})

it('a refund that nobody has described names the order', () => {
  expect(describeRefund(sampleJob())).toBe('Refund of order A-7')
})

describe('of several refunds', () => {
  const wanted = (id: string) => ({ id, fingerprint: id, call: id, amount: 100, description: 'd' })
  const begun = ['r1', 'r2'].reduce((job, id, at) => {
    const next = beginRefund(job, wanted(id), NOW + HOUR - at * MINUTE, MIDDLE)
    if (!next.ok) throw new Error(next.error.is)
    return next.value
  }, jobIn('SUCCESS'))

  it('the one that is due first is checked first', () => {
    expect(begun.moneyBack?.refunds.map(({ id }) => id)).toEqual(['r1', 'r2'])
    expect(nextRefundCheck(begun)?.id).toBe('r2')
  })

  it('one that the PSP takes again under another reference has that one from then on', () => {
    const taken = (reference: string) => ({ is: 'taken', reference, state: 'pending' }) as const
    const once = recordRefund(begun, 'r1', taken('re_1'), NOW + HOUR)
    expect(recordRefund(once, 'r1', taken('re_1'), NOW + HOUR)).toBe(once)
    expect(recordRefund(once, 'r1', taken('re_2'), NOW + HOUR).moneyBack?.refunds[0]?.reference).toBe('re_2')
  })
})
