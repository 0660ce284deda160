import { describe, expect, it } from 'vitest'
import { atMultiSafepay, shown } from './at-multisafepay.ts'
import { paymentRequest } from '../scripted.ts'

async function seen(changes: object) {
  const paid = { status: 'completed', financial_status: 'completed' }
  return atMultiSafepay(shown({ ...paid, ...changes })).psp.ask(paymentRequest.job, 'EUR')
}

/**
 * A related transaction, as getReceiptRefund.json of https://github.com/MultiSafepay/docs has one.
 */
function related(type: string, amount: unknown, status = 'completed', changes: object = {}) {
  return {
    amount,
    created: '2023-02-23T15:34:25',
    currency: 'EUR',
    description: 'Refund order 94543565 for 4terminals',
    items: null,
    modified: '2023-02-23T15:34:25',
    order_id: '94543565',
    reference_transaction_id: 7_656_837,
    status,
    transaction_id: 7_686_125,
    type,
    ...changes,
  }
}

describe('what was refunded of an order', () => {
  it.each([
    ['nothing', {}, { refunded: 0, chargedBack: 0 }],
    ['the amount that is told', { amount_refunded: 200 }, { refunded: 200 }],
    [
      'what is listed as completed',
      { related_transactions: [related('refund', 200), related('refund', 300)] },
      { refunded: 500 },
    ],
    [
      'the larger of the two',
      { amount_refunded: 700, related_transactions: [related('refund', 200)] },
      { refunded: 700 },
    ],
    [
      'nothing yet, where a refund is reserved, declined or in another currency',
      {
        related_transactions: [
          related('refund', 200, 'reserved'),
          related('refund', 200, 'declined'),
          related('refund', 200, 'void'),
          related('refund', 200, 'completed', { currency: 'USD' }),
        ],
      },
      { refunded: 0 },
    ],
    ['the whole, where the status says so', { status: 'refunded', amount_refunded: 0 }, { refunded: 1250 }],
    [
      'the whole of the documented example',
      { status: 'refunded', amount: 200, amount_refunded: 200, related_transactions: null },
      { refunded: 200 },
    ],
    [
      'a part',
      { status: 'partial_refunded', financial_status: 'partial_refunded', amount_refunded: 500 },
      { refunded: 500 },
    ],
    [
      'the one that is listed not as a list',
      { amount_refunded: undefined, related_transactions: related('refund', 200) },
      { refunded: 200 },
    ],
  ])('is %s', async (_, changes, totals) => {
    expect(await seen(changes)).toMatchObject({ status: 'SUCCESS', ...totals })
  })

  it.each([
    { status: 'partial_refunded' },
    { amount_refunded: undefined },
    { amount_refunded: '200' },
    { amount_refunded: -200, related_transactions: [related('refund', '200'), null, 'x'] },
  ])('is not told where it cannot be read: %j', async (changes) => {
    const answer = await seen(changes)
    expect(answer).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('refunded')
  })
})

describe('what was charged back of an order', () => {
  it.each([
    ['what is listed', { related_transactions: [related('chargeback', 1250)] }, 1250],
    [
      'nothing after it was won',
      { related_transactions: [related('chargeback', 1250), related('reverse-chargeback', 1250)] },
      0,
    ],
    [
      'what was lost in the end',
      {
        related_transactions: [
          related('chargeback', 1250),
          related('reverse-chargeback', 1250),
          related('chargeback', 1250),
        ],
      },
      1250,
    ],
    ['nothing yet', { related_transactions: [related('chargeback', 1250, 'initialized')] }, 0],
    ['the whole where the status says so', { status: 'chargeback', financial_status: 'void' }, 1250],
    ['the whole by the other word', { status: 'chargedback' }, 1250],
    ['what had not been refunded', { status: 'chargeback', amount_refunded: 250 }, 1000],
    [
      'the whole of an order that was completed and is void now',
      { status: 'void', financial_status: 'void', completed: '2025-05-14T08:50:32' },
      1250,
    ],
    [
      'what is listed of an order that is void now',
      { status: 'void', financial_status: 'void', related_transactions: [related('chargeback', 700)] },
      700,
    ],
  ])('is %s', async (_, changes, chargedBack) => {
    expect(await seen(changes)).toMatchObject({ status: 'SUCCESS', paid: 1250, chargedBack })
  })

  it('is nothing where the order was cancelled before it was paid', async () => {
    const cancelled = await seen({ status: 'void', financial_status: 'void' })
    expect(cancelled).toMatchObject({ status: 'CANCELLED', paid: 0 })
    expect(cancelled).not.toHaveProperty('chargedBack')
  })

  it('is not told where MultiSafepay shows no list', async () => {
    expect(await seen({ related_transactions: undefined })).not.toHaveProperty('chargedBack')
    expect(await seen({ related_transactions: 'none' })).not.toHaveProperty('chargedBack')
  })
})
