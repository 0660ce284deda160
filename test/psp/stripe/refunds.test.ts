import { describe, expect, it } from 'vitest'
import { type REFUND_STATUSES, TAKES_MONEY } from '../../../src/psp/stripe/tables.ts'
import { type Answer, type Answers, UNANSWERED, bodyOf, json, paymentRequest } from '../scripted.ts'
import { atStripe, charge, intent, session, stripeError } from './at-stripe.ts'

const REFERENCE = 'cs_test_a1YS1URlnyQCN5fUUduO'

const PAYMENT = { job: paymentRequest.job, reference: REFERENCE, payment: null }

const WANTED = { id: 'b1e5', amount: 500, currency: 'EUR', description: 'Refund of order A-7', round: 1 }

const PAID = json(200, session({ status: 'complete', payment_status: 'paid', payment_intent: 'pi_3Mtw' }))

function refund(changes: object = {}) {
  return {
    id: 're_1',
    object: 'refund',
    amount: 500,
    status: 'pending',
    metadata: { refund: WANTED.id, payment_job: PAYMENT.job },
    ...changes,
  }
}

function list(data: unknown[], has_more = false): Answer {
  return json(200, { object: 'list', data, has_more })
}

function ask(...answers: Answers) {
  return atStripe(...answers).psp.refund.instruct(PAYMENT, WANTED)
}

function check(reference: string | null, ...answers: Answers) {
  return atStripe(...answers).psp.refund.check(PAYMENT, { ...WANTED, reference })
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
    expect(await psp.refund.instruct(PAYMENT, WANTED)).toEqual({
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
    await psp.refund.instruct(PAYMENT, { ...WANTED, currency: 'ISK', amount: 5 })
    expect(requests[1] && (await bodyOf(requests[1]))).toContain('amount=500&')
    const fine = atStripe(PAID)
    expect(await fine.psp.refund.instruct(PAYMENT, { ...WANTED, currency: 'KWD', amount: 1234 })).toEqual({
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
    expect(await check('re_1', json(200, refund({ status })))).toMatchObject(
      state === 'failed'
        ? { is: 'failed', message: `Stripe says that the refund is ${status}.` }
        : { is: 'taken', state },
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
    expect(await psp.refund.instruct(PAYMENT, WANTED)).toMatchObject(UNANSWERED)
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

describe('a refund whose answer was lost', () => {
  const other = refund({ id: 're_0', metadata: { refund: 'other' } })

  it('is found among others by its id in the metadata', async () => {
    const { psp, requests } = atStripe(PAID, list([null, other, refund({ status: 'succeeded' })]))
    expect(await psp.refund.check(PAYMENT, { ...WANTED, reference: null })).toEqual({
      is: 'taken',
      reference: 're_1',
      state: 'done',
    })
    expect(requests[1]?.url).toBe('https://api.stripe.com/v1/refunds?payment_intent=pi_3Mtw&limit=100')
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('is looked for on every page', async () => {
    const { psp, requests } = atStripe(PAID, list([other], true), list([refund()]))
    expect(await psp.refund.check(PAYMENT, { ...WANTED, reference: null })).toMatchObject({ is: 'taken' })
    expect(requests[2]?.url).toMatch(/&limit=100&starting_after=re_0$/)
  })

  it('was never accepted if Stripe has none', async () => {
    expect(await check(null, PAID, list([other]))).toEqual({ is: 'unknown' })
    expect(await check(null, json(200, session()))).toEqual({ is: 'unknown' })
  })

  it.each<[string, Answers]>([
    ['a session that Stripe does not show', [stripeError(404, 'No such session')]],
    ['a list that Stripe does not show', [PAID, stripeError(403, 'No permission')]],
    ['a fault', [PAID, json(500, {})]],
    ['an unreadable list', [PAID, json(200, { data: 'none' })]],
    ['more pages than it looks through', [PAID, list([other], true)]],
    ['a page with an unreadable end', [PAID, list([other, null], true)]],
  ])('is not given up because of %s', async (_, answers) => {
    expect(await check(null, ...answers)).toMatchObject(UNANSWERED)
  })
})

describe('a refund that Stripe accepted', () => {
  it('is requested by its id', async () => {
    const { psp, asked } = atStripe(json(200, refund({ status: 'succeeded' })))
    await psp.refund.check(PAYMENT, { ...WANTED, reference: 're_1' })
    expect(asked()).toEqual(['GET /v1/refunds/re_1'])
  })

  it.each([400, 401, 403])('has not failed because of a %d', async (status) => {
    expect(await check('re_1', stripeError(status, 'No'))).toMatchObject(UNANSWERED)
  })

  it('is unknown after a 404', async () => {
    expect(await check('re_1', stripeError(404, 'No such refund'))).toEqual({ is: 'unknown' })
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

const SESSION = `/checkout/sessions/${ID}?expand[]=payment_intent.latest_charge`

const DISPUTES = '/disputes?payment_intent=pi_3Mtw&limit=100'

describe('the money that went back of a payment', () => {
  it('is nothing, as one request shows', async () => {
    const { answer, asked } = await askMoneyBack(paidWith({}))
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250, refunded: 0, chargedBack: 0 })
    expect(asked).toEqual([SESSION])
  })

  it.each([
    [500, 500],
    [1250, 1250],
  ])('is the refunded amount of its charge: %d', async (amount_refunded, refunded) => {
    const { answer } = await askMoneyBack(paidWith({ amount_refunded }))
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250, refunded })
  })

  it('is counted as Stripe counts the currency', async () => {
    const { psp } = atStripe(paidWith({ amount_refunded: 500 }, 'isk', 1200))
    expect(await psp.ask(ID, 'ISK')).toMatchObject({ paid: 12, refunded: 5 })
  })

  it.each([
    { amount_refunded: '500' },
    { amount_refunded: -5 },
    { amount_refunded: 2 ** 53 },
    { amount_refunded: null },
    { amount_refunded: undefined },
    { amount_refunded: 500, currency: 'usd' },
    { amount_refunded: 500, currency: 7 },
  ])('is unknown from the unreadable %j, and the payment stays paid', async (changes) => {
    const { answer } = await askMoneyBack(paidWith(changes))
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('refunded')
  })

  it.each([null, 'ch_1', {}, { id: 'pi_1', status: 'succeeded', latest_charge: 7 }])(
    'is unknown from a payment intent of %j',
    async (payment_intent) => {
      const paid = session({ status: 'complete', payment_status: 'paid', payment_intent })
      const { answer } = await askMoneyBack(json(200, paid))
      expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
      expect(answer).not.toHaveProperty('chargedBack')
    },
  )

  it('needs no charge if the key may not read charges', async () => {
    const forbidden = stripeError(403, 'The provided key does not have the required permissions')
    const { answer, asked } = await askMoneyBack(
      forbidden,
      json(200, session({ status: 'complete', payment_status: 'paid', payment_intent: intent('succeeded') })),
    )
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('refunded')
    expect(asked).toEqual([SESSION, `/checkout/sessions/${ID}?expand[]=payment_intent`])
  })
})

it.each([400, 401, 404, 429, 500])('a payment is requested once if Stripe answers %d', async (status) => {
  const { asked } = await askMoneyBack(stripeError(status, 'No'), paidWith({}))
  expect(asked).toEqual([SESSION])
})

describe('a disputed payment', () => {
  const DISPUTED = paidWith({ disputed: true })
  const TAKEN = new Set(
    'needs_response under_review appeal_needs_response appeal_under_review lost'.split(' '),
  )

  it.each(Object.keys(TAKES_MONEY))('whose dispute is %s', async (status) => {
    const { answer, asked } = await askMoneyBack(DISPUTED, disputes(dispute({ status })))
    const chargedBack = TAKEN.has(status) ? 1250 : 0
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250, refunded: 0, chargedBack })
    expect(asked).toEqual([SESSION, DISPUTES])
  })

  it('keeps its money until the funds are withdrawn', async () => {
    const { answer } = await askMoneyBack(DISPUTED, disputes(dispute({ balance_transactions: [] })))
    expect(answer).toMatchObject({ chargedBack: 0 })
  })

  it('loses what all its disputes took', async () => {
    const { answer } = await askMoneyBack(
      DISPUTED,
      disputes(dispute({ amount: 300 }), dispute({ amount: 200 }), dispute({ status: 'won' })),
    )
    expect(answer).toMatchObject({ chargedBack: 500 })
  })

  it.each<[string, Answer]>([
    ['with an unknown status', disputes(dispute({ amount: 500 }), dispute({ status: 'odd' }))],
    ['in another currency', disputes(dispute({ amount: 500 }), dispute({ currency: 'usd' }))],
    ['that is unreadable', disputes(dispute({ amount: 500 }), dispute({ amount: 'all' }))],
    ['on another page', json(200, { object: 'list', data: [dispute({ amount: 500 })], has_more: true })],
  ])('loses what its disputes took, except for one %s, which is logged', async (_, answer) => {
    const seen = (await askMoneyBack(DISPUTED, answer)).answer
    expect(seen).toMatchObject({ chargedBack: 500, unread: expect.stringContaining('1 or more') as string })
  })

  it.each<[string, Answer]>([
    ['a dispute with an unknown status', disputes(dispute({ status: 'odd' }))],
    ['a dispute in another currency', disputes(dispute({ currency: 'usd' }))],
    ['a key that may not read disputes', stripeError(403, 'No permission')],
    ['nonsense', json(200, { hello: 'world' })],
  ])('is paid all the same with %s', async (_, answer) => {
    const seen = (await askMoneyBack(DISPUTED, answer)).answer
    expect(seen).toMatchObject({ status: 'SUCCESS', paid: 1250, refunded: 0 })
    expect(seen).toHaveProperty('unread')
    expect(seen).not.toHaveProperty('chargedBack')
  })

  it('is asked about again while Stripe does not answer, because its notification would be lost', async () => {
    expect((await askMoneyBack(DISPUTED, json(503, {}))).answer).toMatchObject({ is: 'unavailable' })
  })
})
