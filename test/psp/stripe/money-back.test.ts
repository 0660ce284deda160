import { describe, expect, it } from 'vitest'
import { DisputeStatus } from '../../../src/psp/stripe/tables.ts'
import { type Answer, json } from '../scripted.ts'
import { atStripe, charge, intent, session, stripeError } from './at-stripe.ts'

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

async function ask(...answers: [Answer, ...Answer[]]) {
  const { psp, requests } = atStripe(...answers)
  const answer = await psp.ask(ID, 'EUR')
  return { answer, asked: requests.map(({ url }) => url.replace('https://api.stripe.com/v1', '')) }
}
const SESSION = `/checkout/sessions/${ID}?expand[]=payment_intent.latest_charge`
const DISPUTES = '/disputes?payment_intent=pi_3Mtw&limit=100'

describe('what went back of a payment', () => {
  it('is nothing, and known by one request', async () => {
    const { answer, asked } = await ask(paidWith({}))
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250, refunded: 0, chargedBack: 0 })
    expect(asked).toEqual([SESSION])
  })

  it.each([
    [500, 500],
    [1250, 1250],
  ])('is what its charge says was refunded: %d', async (amount_refunded, refunded) => {
    const { answer } = await ask(paidWith({ amount_refunded }))
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
  ])('is not told by what cannot be read, %j, and the payment stays paid', async (changes) => {
    const { answer } = await ask(paidWith(changes))
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('refunded')
  })

  it.each([null, 'ch_1', {}, { id: 'pi_1', status: 'succeeded', latest_charge: 7 }])(
    'is not told by a payment intent of %j',
    async (payment_intent) => {
      const paid = session({ status: 'complete', payment_status: 'paid', payment_intent })
      const { answer } = await ask(json(200, paid))
      expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
      expect(answer).not.toHaveProperty('chargedBack')
    },
  )

  it('is asked for without the charge where the key may not read charges', async () => {
    const forbidden = stripeError(403, 'The provided key does not have the required permissions')
    const { answer, asked } = await ask(
      forbidden,
      json(200, session({ status: 'complete', payment_status: 'paid', payment_intent: intent('succeeded') })),
    )
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(answer).not.toHaveProperty('refunded')
    expect(asked).toEqual([SESSION, `/checkout/sessions/${ID}?expand[]=payment_intent`])
  })
})

it.each([400, 401, 404, 429, 500])('a payment is asked for once where Stripe answers %d', async (status) => {
  const { asked } = await ask(stripeError(status, 'No'), paidWith({}))
  expect(asked).toEqual([SESSION])
})

describe('a disputed payment', () => {
  const DISPUTED = paidWith({ disputed: true })
  const TAKEN = new Set(
    'needs_response under_review appeal_needs_response appeal_under_review lost'.split(' '),
  )

  it.each(DisputeStatus.options)('whose dispute is %s', async (status) => {
    const { answer, asked } = await ask(DISPUTED, disputes(dispute({ status })))
    const chargedBack = TAKEN.has(status) ? 1250 : 0
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250, refunded: 0, chargedBack })
    expect(asked).toEqual([SESSION, DISPUTES])
  })

  it('keeps its money until the funds are withdrawn', async () => {
    const { answer } = await ask(DISPUTED, disputes(dispute({ balance_transactions: [] })))
    expect(answer).toMatchObject({ chargedBack: 0 })
  })

  it('loses what all its disputes took', async () => {
    const { answer } = await ask(
      DISPUTED,
      disputes(dispute({ amount: 300 }), dispute({ amount: 200 }), dispute({ status: 'won' })),
    )
    expect(answer).toMatchObject({ chargedBack: 500 })
  })

  it.each<[string, Answer]>([
    ['a dispute in a status that is not known', disputes(dispute({ status: 'odd' }))],
    ['a dispute in another currency', disputes(dispute(), dispute({ currency: 'usd' }))],
    ['a page of many', json(200, { object: 'list', data: [dispute()], has_more: true })],
    ['a key that may not read disputes', stripeError(403, 'No permission')],
    ['nonsense', json(200, { hello: 'world' })],
  ])('is paid all the same before %s', async (_, answer) => {
    const seen = (await ask(DISPUTED, answer)).answer
    expect(seen).toMatchObject({ status: 'SUCCESS', paid: 1250, refunded: 0 })
    expect(seen).not.toHaveProperty('chargedBack')
  })

  it('is asked for again while Stripe does not answer: its notification would be lost', async () => {
    expect((await ask(DISPUTED, json(503, {}))).answer).toMatchObject({ is: 'unavailable' })
  })
})
