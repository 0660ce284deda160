import { describe, expect, it } from 'vitest'
import { DISPUTE_STATUSES, type REFUND_STATUSES } from '../../../src/psp/stripe/tables.ts'
import { type Answer, type Answers, UNANSWERED, bodyOf, json, paymentRequest } from '../scripted.ts'
import { atStripe, charge, intent, session, stripeError } from './samples.ts'

const REFERENCE = 'cs_test_a1YS1URlnyQCN5fUUduO'

const PAYMENT = { job: paymentRequest.job, reference: REFERENCE, payment: null }

const WANTED = { id: 'b1e5', amount: 500, currency: 'EUR', description: 'Refund of order A-7', round: 1 }

const PAID = json(200, session({ status: 'complete', payment_status: 'paid', payment_intent: 'pi_3Mtw' }))

function refund(changes: object = {}) {
  return {
    id: 're_1',
    object: 'refund',
    amount: 500,
    currency: 'eur',
    status: 'pending',
    metadata: { refund: WANTED.id, payment_job: PAYMENT.job },
    ...changes,
  }
}

function ask(...answers: Answers) {
  return atStripe(...answers).psp.refund(PAYMENT, WANTED)
}

const MEANS: Record<keyof typeof REFUND_STATUSES, string> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
}

describe('a refund', () => {
  it('is one POST with the id of the refund as idempotency key, and in the metadata with that of the job', async () => {
    const { psp, requests, asked } = atStripe(PAID, json(200, refund()))
    expect(await psp.refund(PAYMENT, WANTED)).toEqual({
      is: 'taken',
      reference: 're_1',
      state: 'pending',
    })
    expect(asked()).toEqual([`GET /v1/checkout/sessions/${REFERENCE}`, 'POST /v1/refunds'])
    const [, post] = requests
    expect(post?.headers.get('idempotency-key')).toBe(WANTED.id)
    expect(Object.fromEntries(new URLSearchParams(post && (await bodyOf(post))))).toEqual({
      payment_intent: 'pi_3Mtw',
      amount: '500',
      'metadata[refund]': WANTED.id,
      'metadata[payment_job]': PAYMENT.job,
    })
  })

  it('is counted as Stripe counts the currency, and refused if that is impossible', async () => {
    const { psp, requests } = atStripe(PAID, json(200, refund()))
    await psp.refund(PAYMENT, { ...WANTED, currency: 'ISK', amount: 5 })
    expect(requests[1] && (await bodyOf(requests[1]))).toContain('amount=500&')
    const fine = atStripe(PAID)
    expect(await fine.psp.refund(PAYMENT, { ...WANTED, currency: 'KWD', amount: 1234 })).toEqual({
      is: 'refused',
      message: 'Stripe cannot refund that much KWD.',
    })
    expect(fine.requests).toEqual([])
  })

  it.each(Object.keys(MEANS) as (keyof typeof MEANS)[])('that is %s at once', async (status) => {
    const state = MEANS[status]
    const answer = await ask(PAID, json(200, refund({ status, failure_reason: 'declined' })))
    expect(answer).toEqual(
      state === 'failed'
        ? { is: 'failed', message: `Stripe says that the refund is ${status} (declined).` }
        : { is: 'taken', reference: 're_1', state },
    )
  })

  it('with an unknown status reports the word, and counts neither as accepted nor as failed', async () => {
    const message = 'Stripe says that the refund is "odd", which the hub does not know.'
    expect(await ask(PAID, json(200, refund({ status: 'odd' })))).toEqual({ is: 'unavailable', message })
  })

  it('without a status was accepted', async () => {
    expect(await ask(PAID, json(200, refund({ status: null })))).toMatchObject({ state: 'pending' })
  })

  it.each<[string, Answer]>([
    ['a repeated 500', json(500, {}, { 'idempotent-replayed': 'true' })],
    ['a limit', stripeError(400, 'Too many', { code: 'rate_limit' })],
    ['a key that came before with another body', stripeError(400, 'Used', { type: 'idempotency_error' })],
  ])('is neither accepted nor refused by %s', async (_, answer) => {
    const { psp, requests } = atStripe(PAID, answer)
    expect(await psp.refund(PAYMENT, WANTED)).toMatchObject(UNANSWERED)
    // Under another key it could be made twice.
    expect(requests).toHaveLength(2)
  })

  it('of a payment that never began is refused; of one that Stripe does not show it is in doubt', async () => {
    expect(await ask(json(200, session()))).toMatchObject({ is: 'refused' })
    expect(await ask(stripeError(404, 'No such session'))).toEqual({
      is: 'unavailable',
      message: 'Stripe answered 404 without the payment.',
    })
    expect(await ask(json(503, {}))).toMatchObject(UNANSWERED)
  })
})

const ID = 'cs_test_a1YS1URlnyQCN5fUUduO'

function paidWith(changes: object, currency = 'eur', amount_total = 1250): Answer {
  return json(
    200,
    session({
      status: 'complete',
      payment_status: 'paid',
      currency,
      amount_total,
      payment_intent: intent('succeeded', charge({ currency, ...changes })),
    }),
  )
}

function dispute(changes: object = {}) {
  return {
    id: 'du_1',
    object: 'dispute',
    amount: 1250,
    currency: 'eur',
    status: 'needs_response',
    balance_transactions: [{ type: 'adjustment' }],
    ...changes,
  }
}

function disputes(...data: object[]): Answer {
  return json(200, { object: 'list', data, has_more: false })
}

async function askMoneyBack(...answers: [Answer, ...Answer[]]) {
  const { psp, requests } = atStripe(...answers)
  const answer = await psp.ask(ID, 'EUR')
  return { answer, asked: requests.map(({ url }) => url.replace('https://api.stripe.com/v1', '')) }
}

const SESSION = `/checkout/sessions/${ID}?expand[]=payment_intent.latest_charge.refunds`

const DISPUTES = '/disputes?payment_intent=pi_3Mtw&limit=100'

function list(data: unknown[], has_more = false) {
  return { object: 'list', data, has_more }
}

/** A refund of the hub in a list, and a dispute. */
const OURS = { id: 're_1', own: WANTED.id, amount: 500 }
const DISPUTE = { id: 'du_1', amount: 1250 }

describe('the refunds of a payment', () => {
  it.each<[string, object, object[]]>([
    ['none', { refunds: list([]) }, []],
    ...Object.entries(MEANS).map(([status, state]): [string, object, object[]] => [
      `one that is ${status}`,
      { amount_refunded: state === 'failed' ? 0 : 500, refunds: list([refund({ status })]) },
      [{ ...OURS, state }],
    ]),
    [
      'one with an unknown status',
      { refunds: list([refund({ status: 'odd' })]) },
      [{ ...OURS, state: 'pending' }],
    ],
    [
      'one by somebody else',
      { refunds: list([refund({ metadata: {}, status: 'succeeded' })]) },
      [{ id: 're_1', amount: 500, state: 'done' }],
    ],
  ])('are %s', async (_, changes, refunds) => {
    const { answer, asked } = await askMoneyBack(paidWith(changes))
    expect(answer).toMatchObject({
      status: 'SUCCESS',
      paid: 1250,
      transfers: { refund: refunds, dispute: [] },
    })
    expect(asked).toEqual([SESSION])
  })

  it('are counted as Stripe counts the currency', async () => {
    const made = refund({ currency: 'isk', status: 'succeeded' })
    const { psp } = atStripe(paidWith({ amount_refunded: 500, refunds: list([made]) }, 'isk', 1200))
    expect(await psp.ask(ID, 'ISK')).toMatchObject({ paid: 12, transfers: { refund: [{ amount: 5 }] } })
  })

  it('are asked for if the charge has only the newest, page by page', async () => {
    const other = refund({ id: 're_0', metadata: {} })
    const { answer, asked } = await askMoneyBack(
      paidWith({ amount_refunded: 1000, refunds: list([other], true) }),
      json(200, list([other], true)),
      json(200, list([refund()])),
    )
    expect(answer).toMatchObject({ transfers: { refund: [{ id: 're_0' }, OURS] } })
    const path = '/refunds?payment_intent=pi_3Mtw&limit=100'
    expect(asked).toEqual([SESSION, path, `${path}&starting_after=re_0`])
  })

  it.each<[string, object, ...Answer[]]>([
    ['no list', { refunds: undefined }],
    ['an unreadable list', { refunds: list([null]) }],
    ['a refund in another currency', { refunds: list([refund({ currency: 'usd' })]) }],
    ['a list that Stripe does not go on with', { refunds: list([refund()], true) }, json(503, {})],
    ['a page with an unreadable end', { refunds: list([refund()], true) }, json(200, list([null], true))],
  ])('are only a total by %s', async (_, changes, ...more) => {
    const { answer } = await askMoneyBack(paidWith({ amount_refunded: 500, ...changes }), ...more)
    expect(answer).toMatchObject({ status: 'SUCCESS', refunded: 500, transfers: { dispute: [] } })
    expect(answer).not.toHaveProperty('transfers.refund')
  })

  it.each([
    { amount_refunded: '500' },
    { amount_refunded: -5 },
    { amount_refunded: 2 ** 53 },
    { amount_refunded: null },
    { amount_refunded: undefined },
    { amount_refunded: 500, currency: 'usd' },
    { amount_refunded: 500, currency: 7 },
  ])('are unknown from the unreadable %j, and the payment stays paid', async (changes) => {
    const { answer } = await askMoneyBack(paidWith(changes))
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('refunded')
    expect(answer).not.toHaveProperty('transfers.refund')
  })

  it.each([null, 'ch_1', {}, { id: 'pi_1', status: 'succeeded', latest_charge: 7 }])(
    'are unknown from a payment intent of %j',
    async (payment_intent) => {
      const paid = session({ status: 'complete', payment_status: 'paid', payment_intent })
      const { answer } = await askMoneyBack(json(200, paid))
      expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
      expect(answer).not.toHaveProperty('transfers')
    },
  )

  it('need no charge if the key may not read charges', async () => {
    const forbidden = stripeError(403, 'The provided key does not have the required permissions')
    const { answer, asked } = await askMoneyBack(
      forbidden,
      json(200, session({ status: 'complete', payment_status: 'paid', payment_intent: intent('succeeded') })),
    )
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('transfers')
    expect(asked).toEqual([SESSION, `/checkout/sessions/${ID}?expand[]=payment_intent`])
  })
})

it.each([400, 401, 404, 429, 500])('a payment is requested once if Stripe answers %d', async (status) => {
  const { asked } = await askMoneyBack(stripeError(status, 'No'), paidWith({}))
  expect(asked).toEqual([SESSION])
})

describe('a disputed payment', () => {
  const DISPUTED = paidWith({ disputed: true })
  const MEANING: Record<keyof typeof DISPUTE_STATUSES, string> = {
    warning_needs_response: 'pending',
    warning_under_review: 'pending',
    warning_closed: 'failed',
    needs_response: 'done',
    under_review: 'done',
    appeal_needs_response: 'done',
    appeal_under_review: 'done',
    won: 'returned',
    lost: 'done',
    prevented: 'failed',
  }

  it.each(Object.keys(DISPUTE_STATUSES))('whose dispute is %s', async (status) => {
    const { answer, asked } = await askMoneyBack(DISPUTED, disputes(dispute({ status })))
    const transfers = { refund: [], dispute: [{ ...DISPUTE, state: MEANING[status] }] }
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250, transfers })
    expect(asked).toEqual([SESSION, DISPUTES])
  })

  it('keeps its money until the funds are withdrawn', async () => {
    const { answer } = await askMoneyBack(DISPUTED, disputes(dispute({ balance_transactions: [] })))
    expect(answer).toMatchObject({ transfers: { dispute: [{ state: 'pending' }] } })
  })

  it.each<[string, Answer]>([
    ['with an unknown status', disputes(dispute({ amount: 500 }), dispute({ status: 'odd' }))],
    ['in another currency', disputes(dispute({ amount: 500 }), dispute({ currency: 'usd' }))],
    ['that is unreadable', disputes(dispute({ amount: 500 }), dispute({ amount: 'all' }))],
    ['on another page', json(200, { object: 'list', data: [dispute({ amount: 500 })], has_more: true })],
  ])('lists its disputes, except for one %s, which is logged', async (_, answer) => {
    const seen = (await askMoneyBack(DISPUTED, answer)).answer
    expect(seen).toMatchObject({
      transfers: { dispute: [{ id: 'du_1', amount: 500, state: 'done' }] },
      unread: expect.stringContaining('1 or more') as string,
    })
  })

  it.each<[string, Answer]>([
    ['a dispute with an unknown status', disputes(dispute({ status: 'odd' }))],
    ['a dispute in another currency', disputes(dispute({ currency: 'usd' }))],
    ['a key that may not read disputes', stripeError(403, 'No permission')],
    ['nonsense', json(200, { hello: 'world' })],
  ])('is paid all the same with %s', async (_, answer) => {
    const seen = (await askMoneyBack(DISPUTED, answer)).answer
    expect(seen).toMatchObject({ status: 'SUCCESS', paid: 1250, transfers: { refund: [] } })
    expect(seen).toHaveProperty('unread')
    expect(seen).not.toHaveProperty('transfers.dispute')
  })

  it('is asked about again while Stripe does not answer, because its notification would be lost', async () => {
    expect((await askMoneyBack(DISPUTED, json(503, {}))).answer).toMatchObject({ is: 'unavailable' })
  })
})
