import { afterEach, describe, expect, it, vi } from 'vitest'
import { REFUND_STATUSES } from '../../../src/psp/multisafepay/tables.ts'
import { GET, UNKNOWN, atMultiSafepay, shown } from './samples.ts'
import { type Answers, json, paymentRequest } from '../scripted.ts'

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
  return { answer: await psp.refund(PAYMENT, REFUND), asked: asked(), requests }
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
    expect(await psp.refund(PAYMENT, { ...REFUND, amount: 0 })).toMatchObject({ is: 'refused' })
    expect(requests).toEqual([])
  })
})

describe('the list of refunds', () => {
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
  const other = (changes: object) => ours({ transaction_id: 6_303_075, refund_order_id: null, ...changes })
  const FAILED = ours({ status: 'declined' })
  const LISTED = { id: '6303074', own: REFUND.id, amount: 500, state: 'pending' }
  const listed = async (changes: object) => {
    const answer = await seen(changes)
    expect(answer).toMatchObject({ is: 'observed', status: 'SUCCESS' })
    return answer.is === 'observed' ? answer.transfers?.refund : undefined
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
    ['half', 'pending'],
  ])('has one that is %s as %s', async (status, state) => {
    expect(status === 'half' || status in REFUND_STATUSES).toBe(true)
    const why = state === 'failed' ? { why: `MultiSafepay says that the refund is ${status}.` } : {}
    const changes = { related_transactions: [ours({ status })] }
    expect(await listed(changes)).toEqual([{ ...LISTED, state, ...why }])
  })

  it('has none if the order shows none, and no chargebacks', async () => {
    expect(await listed({ related_transactions: null })).toEqual([])
    expect(await listed({ related_transactions: [] })).toEqual([])
    expect(await listed({ related_transactions: [ours({ type: 'chargeback' })] })).toEqual([])
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
  const EACH_COST = { amount: 0.01, description: 'For iDEAL Transactions' }
  it.each<[string, object]>([
    ['a total without a list', { related_transactions: null, amount_refunded: 500 }],
    ['a status without a list', { related_transactions: null, status: 'refunded' }],
    ['costs without a list', { related_transactions: null, costs: [EACH_COST, COST] }],
    ['a higher total', { related_transactions: [ours()], amount_refunded: 501 }],
    ['more costs', { related_transactions: [ours()], costs: [COST, COST] }],
    ['no list', { related_transactions: undefined }],
    ['a refund that cannot be counted', { related_transactions: [ours({ currency: 'USD' })] }],
    ['an amount that is a text', { related_transactions: [ours(), other({ amount: '500' })] }],
    ['a refund without a status', { related_transactions: [ours(), other({ status: null })] }],
    ['a transaction without a type', { related_transactions: [ours(), other({ type: 7 })] }],
    ['a total of which all refunds failed', { related_transactions: [FAILED], amount_refunded: 500 }],
    ['a status of which all refunds failed', { related_transactions: [FAILED], status: 'refunded' }],
  ])('is left out by %s, so that no refund counts as lost', async (_, changes) => {
    expect(await listed(changes)).toBeUndefined()
  })

  it('has all refunds, whatever cannot be read of other transactions', async () => {
    const others = [{ type: 'chargeback', amount: '500' }, { type: 'surcharge' }]
    expect(await listed({ related_transactions: [ours(), ...others] })).toEqual([LISTED])
  })

  it('has each refund once, and one without an id too', async () => {
    const bare = { transaction_id: null, refund_order_id: null, order_id: paymentRequest.job }
    const made = [ours({ status: 'uncleared' }), ours({ status: 'completed' }), ours(bare), ours(bare)]
    const list = await listed({ related_transactions: made })
    expect(list).toMatchObject([{ id: '6303074', state: 'done' }, { amount: 500 }, { amount: 500 }])
  })

  it.each<[string, object]>([
    ['its total', { amount_refunded: 500 }],
    ['its status', { status: 'partial_refunded', amount_refunded: 500 }],
    ['its costs', { costs: [EACH_COST, COST] }],
  ])('is whole if it has all that the order shows by %s', async (_, changes) => {
    const made = ours({ status: 'completed' })
    expect(await listed({ related_transactions: [made], ...changes })).toEqual([{ ...LISTED, state: 'done' }])
  })

  it('is whole if a refund that failed has left its costs', async () => {
    expect(await listed({ related_transactions: [FAILED], costs: [COST] })).toMatchObject([
      { state: 'failed' },
    ])
  })
})

async function seen(changes: object) {
  const paid = { status: 'completed', financial_status: 'completed' }
  return atMultiSafepay(shown({ ...paid, ...changes }), UNKNOWN).psp.ask(paymentRequest.job, 'EUR')
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
      'the total without a list',
      { amount_refunded: 200, related_transactions: undefined },
      { refunded: 200 },
    ],
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
    { amount_refunded: undefined, related_transactions: [related('refund', 200), related('refund', '300')] },
  ])('is unknown if it cannot be read: %#', async (changes) => {
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

  it.each<[string, unknown]>([
    ['no list', undefined],
    ['a word', 'none'],
    ['an unreadable chargeback', [related('chargeback', 500), related('chargeback', '750')]],
    ['an unreadable reverse', [related('chargeback', 500), related('reverse-chargeback', null)]],
  ])('is unknown if MultiSafepay shows %s, and so is the list', async (_, related_transactions) => {
    const answer = await seen({ related_transactions })
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('chargedBack')
    expect(answer).not.toHaveProperty('transfers.dispute')
  })
})

describe('the list of chargebacks', () => {
  const listed = (...list: object[]) => seen({ related_transactions: list })

  it.each([
    ['initialized', 'pending'],
    ['completed', 'done'],
    ['declined', 'failed'],
    ['half', 'pending'],
  ])('has one that is %s as %s', async (status, state) => {
    expect(await listed(related('chargeback', 500, status))).toMatchObject({
      chargedBack: state === 'done' ? 500 : 0,
      transfers: { dispute: [{ id: '7686125', amount: 500, state }] },
    })
  })

  it('has one that was won as returned, and what was lost of one that was won in part', async () => {
    const [first, second] = [{ transaction_id: 1 }, { transaction_id: 2 }].map((id) =>
      related('chargeback', 500, 'completed', id),
    )
    const won = related('reverse-chargeback', 700, 'completed', { transaction_id: 3 })
    const back = related('reverse-chargeback', 300, 'initialized', { transaction_id: 4 })
    expect(await listed(first ?? {}, second ?? {}, won, back)).toMatchObject({
      chargedBack: 300,
      transfers: {
        dispute: [
          { id: '1', amount: 500, state: 'returned' },
          { id: '2', amount: 300, state: 'done' },
        ],
      },
    })
  })

  it('is left out if one is in another currency', async () => {
    const answer = await listed(related('chargeback', 500, 'completed', { currency: 'USD' }))
    expect(answer).toMatchObject({ status: 'SUCCESS' })
    expect(answer).not.toHaveProperty('transfers.dispute')
  })
})
