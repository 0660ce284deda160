import { describe, expect, it } from 'vitest'
import type { REFUND_STATUSES } from '../../../src/psp/mollie/tables.ts'
import type { Observed } from '../../../src/psp/answer.ts'
import { type Answers, json, paymentRequest } from '../scripted.ts'
import { atMollie, payment } from './samples.ts'

const PAYMENT = { job: paymentRequest.job, reference: 'tr_7UhSN1zuXS', payment: null }
const WANTED = { id: 'b1e5', amount: 500, currency: 'EUR', description: 'Refund of order A-7', round: 1 }
const PATH = '/v2/payments/tr_7UhSN1zuXS/refunds'

/** https://docs.mollie.com/reference/get-refund */
function refund(changes: object = {}) {
  return {
    resource: 'refund',
    id: 're_4qqhO89gsT',
    mode: 'live',
    amount: { currency: 'EUR', value: '5.00' },
    status: 'pending',
    description: WANTED.description,
    metadata: { refund: WANTED.id },
    paymentId: PAYMENT.reference,
    _links: {},
    ...changes,
  }
}

function ask(...answers: Answers) {
  return atMollie(...answers).psp.refund(PAYMENT, WANTED)
}

/** What the hub sees of a payment of 12.50 that lists these refunds and has these other members. */
async function seen(refunds: unknown, changes: object = {}) {
  const body = payment({ status: 'paid', _embedded: { refunds, chargebacks: [] }, ...changes })
  const { status, paid, refunded, transfers } = (await atMollie(json(200, body)).psp.ask(
    PAYMENT.reference,
    'EUR',
  )) as Observed
  expect([status, paid]).toEqual(['SUCCESS', 1250])
  return { refunded, list: transfers?.refund }
}

const MEANS: Record<keyof typeof REFUND_STATUSES, string> = {
  queued: 'pending',
  pending: 'pending',
  processing: 'pending',
  refunded: 'done',
  failed: 'failed',
  canceled: 'failed',
}

describe('a refund', () => {
  it('is one POST with the id of the refund as idempotency key, and in the metadata', async () => {
    const { psp, requests, asked } = atMollie(json(201, refund()))
    expect(await psp.refund(PAYMENT, WANTED)).toEqual({
      is: 'taken',
      reference: 're_4qqhO89gsT',
      state: 'pending',
    })
    expect(asked()).toEqual([`POST ${PATH}`])
    expect(requests[0]?.headers.get('idempotency-key')).toBe(WANTED.id)
    expect(await requests[0]?.json()).toEqual({
      amount: { currency: 'EUR', value: '5.00' },
      description: WANTED.description,
      metadata: { refund: WANTED.id },
    })
  })

  it.each([
    ['JPY', 500, '500'],
    ['ISK', 5, '5'],
    ['KWD', 1234, '1.234'],
  ])('has the decimals of %s', async (currency, amount, value) => {
    const { psp, requests } = atMollie(json(201, refund()))
    await psp.refund(PAYMENT, { ...WANTED, currency, amount })
    expect(await requests[0]?.json()).toHaveProperty('amount', { currency, value })
  })

  it.each(Object.keys(MEANS) as (keyof typeof MEANS)[])('that is %s', async (status) => {
    const means =
      MEANS[status] === 'failed'
        ? { is: 'failed', message: `Mollie says that the refund is ${status}.` }
        : { is: 'taken', reference: 're_4qqhO89gsT', state: MEANS[status] }
    expect(await ask(json(201, refund({ status })))).toEqual(means)
    const why = MEANS[status] === 'failed' ? { why: `Mollie says that the refund is ${status}.` } : {}
    const listed = { id: 're_4qqhO89gsT', own: WANTED.id, amount: 500, state: MEANS[status], ...why }
    expect(await seen([refund({ status })])).toMatchObject({ list: [listed] })
  })

  it('with an unknown status reports the word, and counts neither as accepted nor as failed', async () => {
    const odd = refund({ status: 'odd' })
    expect(await ask(json(201, odd))).toEqual({
      is: 'unavailable',
      message: 'Mollie says that the refund is "odd", which the hub does not know.',
    })
    expect((await seen([odd])).list).toMatchObject([{ state: 'pending' }])
  })
})

describe('the refunds of a payment', () => {
  const amountRefunded = { currency: 'EUR', value: '5.00' }

  it('are embedded in the payment, and asked for by no other request', async () => {
    const { psp, requests } = atMollie(json(200, payment({ status: 'paid' })))
    await psp.ask(PAYMENT.reference, 'EUR')
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET https://api.mollie.com/v2/payments/tr_7UhSN1zuXS?embed=captures,refunds,chargebacks',
    ])
  })

  it.each([null, 'a text', ['refund'], { refund: 7 }, undefined])(
    'of others have no id of the hub: %j',
    async (metadata) => {
      const [listed] = (await seen([refund({ metadata })])).list ?? []
      expect(listed).toEqual({ id: 're_4qqhO89gsT', amount: 500, state: 'pending' })
    },
  )

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['of another form', {}],
    ['with an item that cannot be read', [refund(), null]],
    ['with an item without an id', [refund({ id: 7 })]],
    ['in another currency', [refund({ amount: { currency: 'USD', value: '5.00' } })]],
    ['with an odd amount', [refund({ amount: { currency: 'EUR', value: '5,00' } })]],
  ])('come as a total if the list is %s', async (_, refunds) => {
    expect(await seen(refunds, { amountRefunded })).toEqual({ refunded: 500, list: undefined })
  })
})

describe('a chargeback', () => {
  const chargeback = { id: 'chb_n9z0tp', amount: { currency: 'EUR', value: '7.50' } }
  const amountChargedBack = chargeback.amount

  it.each<[string, unknown, object]>([
    ['is done', [chargeback], { transfers: { dispute: [{ id: 'chb_n9z0tp', amount: 750, state: 'done' }] } }],
    [
      'that was reversed is returned, whatever the total counts',
      [{ ...chargeback, reversedAt: '2024-03-21T09:13:37+00:00' }],
      { transfers: { dispute: [{ id: 'chb_n9z0tp', amount: 750, state: 'returned' }] } },
    ],
    ['that cannot be read is in the total', [chargeback, 7], { chargedBack: 750 }],
  ])('%s', async (_, chargebacks, shown) => {
    const body = payment({ status: 'paid', amountChargedBack, _embedded: { refunds: [], chargebacks } })
    const answer = await atMollie(json(200, body)).psp.ask(PAYMENT.reference, 'EUR')
    const { transfers, chargedBack } = answer as Observed
    const expected = { chargedBack: 750, transfers: { refund: [] }, ...shown }
    expect({ transfers, chargedBack }).toMatchObject(expected)
  })
})
