import { describe, expect, it } from 'vitest'
import type { REFUND_STATUSES } from '../../../src/psp/mollie/tables.ts'
import { UNANSWERED, type Answer, type Answers, json, paymentRequest } from '../scripted.ts'
import { atMollie, mollieError } from './at-mollie.ts'

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

function list(refunds: unknown[], next: string | null = null): Answer {
  return json(200, {
    count: refunds.length,
    _embedded: { refunds },
    _links: { previous: null, next: next === null ? null : { href: next, type: 'application/hal+json' } },
  })
}

function ask(...answers: Answers) {
  return atMollie(...answers).psp.refund.instruct(PAYMENT, WANTED)
}
function check(reference: string | null, ...answers: Answers) {
  return atMollie(...answers).psp.refund.check(PAYMENT, { ...WANTED, reference })
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
    expect(await psp.refund.instruct(PAYMENT, WANTED)).toEqual({
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
    await psp.refund.instruct(PAYMENT, { ...WANTED, currency, amount })
    expect(await requests[0]?.json()).toHaveProperty('amount', { currency, value })
  })

  it.each(Object.keys(MEANS) as (keyof typeof MEANS)[])('that is %s', async (status) => {
    const means =
      MEANS[status] === 'failed'
        ? { is: 'failed', message: `Mollie says that the refund is ${status}.` }
        : { is: 'taken', reference: 're_4qqhO89gsT', state: MEANS[status] }
    expect(await ask(json(201, refund({ status })))).toEqual(means)
    expect(await check('re_4qqhO89gsT', json(200, refund({ status })))).toEqual(means)
    expect(await check(null, list([refund({ status })]))).toEqual(means)
  })

  it('with an unknown status reports the word, and counts neither as accepted nor as failed', async () => {
    const odd = refund({ status: 'odd' })
    const unknown = {
      is: 'unavailable',
      message: 'Mollie says that the refund is "odd", which the hub does not know.',
    }
    expect(await ask(json(201, odd))).toEqual(unknown)
    expect(await check('re_4qqhO89gsT', json(200, odd))).toEqual(unknown)
    expect(await check(null, list([odd]))).toEqual(unknown)
  })
})

describe('a refund whose answer was lost', () => {
  const other = refund({ id: 're_0', metadata: { refund: 'other' } })

  it('is found among others by its id in the metadata', async () => {
    const { psp, requests } = atMollie(list([null, 7, { id: 're_9' }, other, refund({ status: 'refunded' })]))
    expect(await psp.refund.check(PAYMENT, { ...WANTED, reference: null })).toEqual({
      is: 'taken',
      reference: 're_4qqhO89gsT',
      state: 'done',
    })
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET https://api.mollie.com${PATH}?limit=250`,
    ])
  })

  it('is looked for on every page, and only at Mollie', async () => {
    const next = 'https://elsewhere.test/v2/payments/x/refunds?from=re_1%26&limit=250'
    const { psp, requests } = atMollie(list([other], next), list([refund()]))
    expect(await psp.refund.check(PAYMENT, { ...WANTED, reference: null })).toMatchObject({ is: 'taken' })
    expect(requests[1]?.url).toBe(`https://api.mollie.com${PATH}?limit=250&from=re_1%26`)
  })

  it('was never accepted if Mollie has none', async () => {
    expect(await check(null, list([other]))).toEqual({ is: 'unknown' })
    expect(await check(null, json(200, { _embedded: { refunds: [] } }))).toEqual({ is: 'unknown' })
  })

  it.each<[string, Answer]>([
    ['a payment that Mollie does not show', mollieError(404, 'Not Found', 'No payment exists')],
    ['a refused key', mollieError(401, 'Unauthorized Request', 'Missing authentication')],
    ['a fault', json(500, {})],
    ['an unreadable list', json(200, { _embedded: {} })],
    ['more pages than it looks through', list([other], 'https://api.mollie.com/v2/?from=re_0')],
    ['a next page that cannot be read', list([other], 'odd')],
  ])('is not given up because of %s', async (_, answer) => {
    expect(await check(null, answer)).toMatchObject(UNANSWERED)
  })
})

describe('a refund that Mollie accepted', () => {
  it('is requested by its id', async () => {
    const { psp, asked } = atMollie(json(200, refund()))
    await psp.refund.check(PAYMENT, { ...WANTED, reference: 're_4qqhO89gsT' })
    expect(asked()).toEqual([`GET ${PATH}/re_4qqhO89gsT`])
  })

  it.each([400, 401, 403, 422])('has not failed because of a %d', async (status) => {
    expect(await check('re_1', mollieError(status, 'No', 'No'))).toMatchObject(UNANSWERED)
  })

  it.each([404, 410])('is unknown after a %d', async (status) => {
    expect(await check('re_1', mollieError(status, 'No', 'No'))).toEqual({ is: 'unknown' })
  })
})
