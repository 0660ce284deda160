import { afterEach, describe, expect, it, vi } from 'vitest'
import { REFUND_STATUSES } from '../../../src/psp/multisafepay/tables.ts'
import { GET, atMultiSafepay, failure, shown } from './at-multisafepay.ts'
import { type Answers, UNANSWERED, json, paymentRequest } from '../scripted.ts'

const { job } = paymentRequest

const PAYMENT = { job, reference: job, payment: null }

const REFUND = {
  id: '5a1f0c66-3f0e-4f3a-8a53-9d7a1c2b3e4f',
  amount: 500,
  currency: 'EUR',
  description: 'Refund of order A-7',
  round: 1,
}

afterEach(() => {
  vi.useRealTimers()
})

/** https://github.com/MultiSafepay/docs, openapi/components/examples/responses/refundOrder.json */
const TAKEN = { success: true, data: { order_id: 'case-20220404-06-0001', transaction_id: 6_303_074 } }

async function refund(...answers: Answers) {
  const { psp, asked, requests } = atMultiSafepay(...answers)
  return { answer: await psp.refund.instruct(PAYMENT, REFUND), asked: asked(), requests }
}

describe('a refund', () => {
  it('is one POST with its id as the id of the refund order', async () => {
    const { answer, asked, requests } = await refund(shown(), json(200, TAKEN))
    expect(answer).toEqual({ is: 'taken', reference: '6303074', state: 'pending' })
    expect(asked).toEqual([GET, `POST /v1/json/orders/${job}/refunds`])
    expect(await requests[1]?.json()).toEqual({
      currency: 'EUR',
      amount: 500,
      description: 'Refund of order A-7',
      refund_order_id: REFUND.id,
    })
  })

  it.each([
    [{ refund_id: 3_326_969, transaction_id: 123 }, '3326969'],
    [{ refund_id: '3326969' }, '3326969'],
    [{}, null],
  ])('answered with %j is accepted as %j', async (data, reference) => {
    const { answer } = await refund(json(200, { success: true, data }))
    expect(answer).toEqual({ is: 'taken', reference, state: 'pending' })
  })

  /** "BNPL refunds": https://docs.multisafepay.com/docs/refunds, RefundBNPL.yaml of its document. */
  it.each(['KLARNA', 'AFTERPAY', 'BILLINK', 'IN3', 'ZINIA', 'BNPL_MF', 'SANTANDER'])(
    'of an order that is paid later by %s is refused in advance, because MultiSafepay wants the cart',
    async (type) => {
      const { answer, asked } = await refund(shown({ payment_details: { type } }))
      expect(answer).toMatchObject({ is: 'refused', message: expect.stringContaining('dashboard') as string })
      expect(asked).toEqual([GET])
    },
  )

  it('waits if MultiSafepay does not show the order now', async () => {
    const { answer, asked } = await refund(json(503, {}))
    expect(answer).toMatchObject({ is: 'unavailable' })
    expect(asked).toEqual([GET])
  })

  it('of nothing is never requested, because MultiSafepay would refund everything', async () => {
    const { psp, requests } = atMultiSafepay(json(200, TAKEN))
    expect(await psp.refund.instruct(PAYMENT, { ...REFUND, amount: 0 })).toMatchObject({ is: 'refused' })
    expect(requests).toEqual([])
  })
})

describe('asking about a refund', () => {
  const ours = (changes: object = {}) => ({
    amount: 500,
    currency: 'EUR',
    order_id: REFUND.id,
    refund_order_id: REFUND.id,
    status: 'reserved',
    transaction_id: 6_303_074,
    type: 'refund',
    ...changes,
  })
  const found = async (changes: object, reference: string | null = null) => {
    const { psp, asked } = atMultiSafepay(shown({ status: 'completed', ...changes }))
    const answer = await psp.refund.check(PAYMENT, { ...REFUND, reference })
    expect(asked()).toEqual([GET])
    return answer
  }

  it.each([
    ['initialized', 'pending'],
    ['uncleared', 'pending'],
    ['reserved', 'pending'],
    ['completed', 'done'],
    ['shipped', 'done'],
    ['refunded', 'done'],
    ['partial_refunded', 'done'],
    ['chargeback', 'pending'],
    ['chargedback', 'pending'],
    ['declined', 'failed'],
    ['cancelled', 'failed'],
    ['void', 'failed'],
    ['expired', 'failed'],
  ])('finds one that is %s %s', async (status, state) => {
    expect(Object.keys(REFUND_STATUSES)).toContain(status)
    const answer = await found({ related_transactions: [ours({ status })] })
    expect(answer).toEqual(
      state === 'failed'
        ? { is: 'failed', message: `MultiSafepay says that the refund is ${status}.` }
        : { is: 'taken', reference: '6303074', state },
    )
  })

  it.each([
    ['the id of its order', ours({ refund_order_id: null }), null],
    ['the id of the refund order', ours({ order_id: job }), null],
    ["MultiSafepay's id", ours({ order_id: job, refund_order_id: null }), '6303074'],
  ])('finds it by %s', async (_, one, reference) => {
    const others = [ours({ order_id: job, refund_order_id: 'R-9', transaction_id: 1 }), null, 'x']
    const answer = await found({ related_transactions: [...others, one] }, reference)
    expect(answer).toMatchObject({ is: 'taken', reference: '6303074', state: 'pending' })
  })

  it('does not mistake a chargeback or another refund for it', async () => {
    const chargeback = ours({ type: 'chargeback' })
    const other = ours({ order_id: job, refund_order_id: 'R-9' })
    expect(await found({ related_transactions: [chargeback, other] })).toEqual({ is: 'unknown' })
  })

  it('knows that MultiSafepay has none if the order shows none', async () => {
    expect(await found({ related_transactions: null })).toEqual({ is: 'unknown' })
    expect(await found({ related_transactions: [] })).toEqual({ is: 'unknown' })
  })

  /**
   * https://github.com/MultiSafepay/docs, openapi/components/examples/responses: getOrder3DS.json
   * and getOrder.json
   */
  const COST = {
    amount: 0,
    description: 'Refund order 1158044712 for Site MSP',
    status: 'completed',
    type: 'withdraw',
  }
  it.each([
    ['its total', { amount_refunded: 500 }],
    ['its status', { status: 'refunded' }],
    ['its costs', { costs: [{ amount: 0.01, description: 'For iDEAL Transactions' }, COST] }],
  ])('does not say so if the order shows by %s a refund that it does not list', async (_, changes) => {
    expect(await found({ related_transactions: null, ...changes })).toMatchObject(UNANSWERED)
  })

  const OTHERS = [ours({ order_id: job, refund_order_id: 'R-9', transaction_id: 1 })]
  it.each([
    ['its total', { amount_refunded: 500 }],
    ['its status', { status: 'partial_refunded' }],
    ['its costs', { costs: [{ amount: 0.01, description: 'For iDEAL Transactions' }, COST] }],
  ])('says so if the other refunds in the list are all that the order shows by %s', async (_, changes) => {
    expect(await found({ related_transactions: OTHERS, ...changes })).toEqual({ is: 'unknown' })
  })

  it.each([
    ['its total', { amount_refunded: 501 }],
    ['its costs', { costs: [COST, COST] }],
  ])('does not say so if the order shows more than the list by %s', async (_, changes) => {
    expect(await found({ related_transactions: OTHERS, ...changes })).toMatchObject(UNANSWERED)
  })

  it('does not say so for one that MultiSafepay has given an id', async () => {
    expect(await found({ related_transactions: [] }, '6303074')).toMatchObject(UNANSWERED)
  })

  it.each([
    ['with an unknown status', shown({ related_transactions: [ours({ status: 'half' })] })],
    ['in an order without a list', shown({ related_transactions: undefined })],
    ['in an order that MultiSafepay does not know', failure(404, 1006, 'Invalid transaction ID')],
    ['in another order', shown({ order_id: 'A-7', related_transactions: [ours()] })],
    ['while MultiSafepay is down', json(503, {})],
    ['with a refused key', failure(401, 1032, 'Invalid API key')],
  ])('says nothing about a refund %s', async (_, answer) => {
    const { psp } = atMultiSafepay(answer)
    expect(await psp.refund.check(PAYMENT, { ...REFUND, reference: null })).toMatchObject(UNANSWERED)
  })
})

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

describe('the refunded amount of an order', () => {
  it.each([
    ['nothing', {}, { refunded: 0, chargedBack: 0 }],
    ['the total', { amount_refunded: 200 }, { refunded: 200 }],
    [
      'the sum of completed entries',
      { related_transactions: [related('refund', 200), related('refund', 300)] },
      { refunded: 500 },
    ],
    [
      'the larger of the two',
      { amount_refunded: 700, related_transactions: [related('refund', 200)] },
      { refunded: 700 },
    ],
    [
      'nothing yet, if a refund is reserved, declined or in another currency',
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
    ['everything, if the status says so', { status: 'refunded', amount_refunded: 0 }, { refunded: 1250 }],
    [
      'everything in the documented example',
      { status: 'refunded', amount: 200, amount_refunded: 200, related_transactions: null },
      { refunded: 200 },
    ],
    [
      'a part',
      { status: 'partial_refunded', financial_status: 'partial_refunded', amount_refunded: 500 },
      { refunded: 500 },
    ],
    [
      'a single entry that is not in a list',
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
  ])('is unknown if it cannot be read: %j', async (changes) => {
    const answer = await seen(changes)
    expect(answer).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('refunded')
  })
})

describe('an order of which the shop captured a part by hand', () => {
  const captured = (amount: number, status = 'completed') => related('capture', amount, status)

  it.each([
    ['while the rest is reserved', { status: 'completed', financial_status: 'initialized' }, 'PENDING'],
    ['once the rest has expired', { status: 'void', financial_status: 'void' }, 'SUCCESS'],
  ])('is paid up to what was captured %s', async (_, statuses, status) => {
    const parts = [captured(300), captured(200), captured(400, 'declined'), related('refund', 100)]
    const answer = await seen({ ...statuses, related_transactions: parts })
    expect(answer).toMatchObject({ status, paid: 500, refunded: 100, chargedBack: 0 })
  })

  it('is paid once all is captured', async () => {
    const held = { status: 'completed', financial_status: 'initialized' }
    const answer = await seen({ ...held, related_transactions: [captured(750), captured(500)] })
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('has lost what was charged back, and no more', async () => {
    const parts = [captured(500), related('chargeback', 500)]
    const answer = await seen({ status: 'void', financial_status: 'void', related_transactions: parts })
    expect(answer).toMatchObject({ chargedBack: 500 })
  })
})

describe('the charged back amount of an order', () => {
  it.each([
    ['the sum of the list', { related_transactions: [related('chargeback', 1250)] }, 1250],
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
    ['everything, if the status says so', { status: 'chargeback', financial_status: 'void' }, 1250],
    ['everything, by the other word', { status: 'chargedback' }, 1250],
    ['what had not been refunded', { status: 'chargeback', amount_refunded: 250 }, 1000],
    [
      'the sum of the list, of an order that is void now',
      { status: 'void', financial_status: 'void', related_transactions: [related('chargeback', 700)] },
      700,
    ],
  ])('is %s', async (_, changes, chargedBack) => {
    expect(await seen(changes)).toMatchObject({ status: 'SUCCESS', paid: 1250, chargedBack })
  })

  it.each([
    {},
    { completed: '2025-05-14T08:50:32' },
    { related_transactions: [related('auth-cancellation', 1250)] },
  ])('is everything for a void order that was paid, which alone does not prove it: %j', async (changes) => {
    expect(await seen({ status: 'void', financial_status: 'void', ...changes })).toMatchObject({
      status: 'CANCELLED',
      paid: 0,
      chargedBack: 1250,
    })
  })

  it('is unknown if MultiSafepay shows no list', async () => {
    expect(await seen({ related_transactions: undefined })).not.toHaveProperty('chargedBack')
    expect(await seen({ related_transactions: 'none' })).not.toHaveProperty('chargedBack')
  })
})
