import { describe, expect, it } from 'vitest'
import { mollie } from '../../../src/psp/mollie/adapter.ts'
import { API_KEY, announced, atMollie, mollieError, payment } from './samples.ts'
import { type Answers, json, patience, paymentRequest } from '../scripted.ts'
import { PATIENCE, type STATUSES } from '../../../src/psp/mollie/tables.ts'

/**
 * The enum of `method` in https://docs.mollie.com/reference/create-payment, without methods that the hub
 * does not name.
 */
const CREATE_METHODS = new Set(
  (
    'applepay bancomatpay bancontact banktransfer belfius bizum blik creditcard eps giftcard ' +
    'ideal kbc mbway mobilepay multibanco mybank paybybank paypal paysafecard przelewy24 satispay swish trustly ' +
    'twint vipps'
  ).split(' '),
)

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe('the request that announces a payment', () => {
  it.each(['0190b1f4-7d5e-8c1a-9b53-0a3f1c2d4e5f', '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f'])(
    'has an idempotency key in the form that Mollie documents, even for the derived id %s',
    async (job) => {
      const { psp, requests } = atMollie(json(201, payment()))
      await psp.announce({ ...paymentRequest, job }, patience)
      expect(requests[0]?.headers.get('idempotency-key')).toMatch(UUID_V4)
    },
  )

  it('is one POST of JSON with the API key, and the job id as idempotency key', async () => {
    const { psp, requests } = atMollie(json(201, payment()))
    await psp.announce(paymentRequest, patience)
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: `Bearer ${API_KEY}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': paymentRequest.job,
    })
    expect(await requests[0]?.json()).toEqual({
      amount: { currency: 'EUR', value: '12.50' },
      description: 'A-7',
      redirectUrl: paymentRequest.returnUrl,
      cancelUrl: paymentRequest.returnUrl,
      webhookUrl: paymentRequest.notificationUrl,
      method: 'ideal',
      locale: 'nl_NL',
      metadata: { paymentJob: paymentRequest.job },
    })
  })

  it('goes to another endpoint if the connection names one', async () => {
    const asked: string[] = []
    const psp = mollie.open({
      mode: 'test',
      endpoint: 'http://localhost:8787/mollie/v2',
      credentials: { apiKey: API_KEY },
      fetch: async (request) => {
        asked.push(request.url)
        return Response.json(payment(), { status: 201 })
      },
    })
    await psp.announce(paymentRequest, patience)
    expect(asked).toEqual(['http://localhost:8787/mollie/v2/payments'])
  })

  it.each([
    ['ideal', 'ideal'],
    ['iDEAL', 'ideal'],
    ['CREDITCARD', 'creditcard'],
    ['banktransfer', 'banktransfer'],
    ['googlepay', 'creditcard'],
  ])('names the payment method %s as %s', async (paymentMethod, method) => {
    expect(await announced({ paymentMethod })).toHaveProperty('method', method)
  })

  it('never asks Mollie for a method that its create call lacks', () => {
    expect(
      [...new Set(mollie.methods.values())].filter((method) => !CREATE_METHODS.has(String(method))),
    ).toEqual([])
  })

  it.each(['directdebit', 'bacs', 'pin', 'visa', 'ideal2', 'constructor', '*'])(
    'leaves out the payment method %s, which Mollie does not have',
    async (paymentMethod) => {
      expect(await announced({ paymentMethod })).not.toHaveProperty('method')
    },
  )

  it.each([
    ['A-7', 'A-7'],
    ['é'.repeat(255), 'é'.repeat(255)],
    [`${'é'.repeat(255)}x`, 'é'.repeat(255)],
  ])('cuts a description at 255 characters', async (description, sent) => {
    expect(await announced({ description })).toHaveProperty('description', sent)
  })
})

describe('credentials', () => {
  it.each([
    [{ apiKey: 'sk_live_0123456789' }],
    [{ apiKey: 'live_short' }],
    [{ apiKey: `${API_KEY}\n` }],
    [{}],
    [null],
  ])('without a Mollie API key (%j) are refused at once', (credentials) => {
    expect(() => mollie.open({ fetch: async () => new Response(), mode: 'test', credentials })).toThrow()
  })
})

function seenAs(...answers: Answers) {
  return atMollie(...answers).psp.ask('tr_7UhSN1zuXS', 'EUR')
}

describe('a payment that Mollie holds', () => {
  /** https://docs.mollie.com/docs/place-a-hold-for-a-payment: what is not captured is released. */
  it.each([
    ['12.50', 1250],
    ['7.25', 725],
    ['0.00', 0],
  ])('of which %s was captured counts for that, although Mollie calls it paid', async (value, paid) => {
    const held = payment({ status: 'paid', amountCaptured: { currency: 'EUR', value } })
    expect(await seenAs(json(200, held))).toMatchObject({ status: 'SUCCESS', paid })
  })

  it.each([
    { currency: 'USD', value: '12.50' },
    { currency: 'EUR', value: '12,50' },
    { currency: 'EUR' },
    '12.50',
  ])('is not believed to be paid if %j of it was captured', async (amountCaptured) => {
    const held = payment({ status: 'paid', amountCaptured })
    expect(await seenAs(json(200, held))).toMatchObject({ is: 'unavailable' })
  })

  it('is open, whatever it shows about captures', async () => {
    expect(await seenAs(json(200, payment({ amountCaptured: '12.50' })))).toMatchObject({ status: 'PENDING' })
  })
})

describe('stopping a payment', () => {
  const stopped = async (...answers: Answers) => {
    const { psp, requests } = atMollie(...answers)
    const answer = await psp.stop('tr_7UhSN1zuXS', 'EUR')
    return { answer, asked: requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`) }
  }
  const DELETE = 'DELETE /v2/payments/tr_7UhSN1zuXS'
  const GET = 'GET /v2/payments/tr_7UhSN1zuXS'

  it('cancels it', async () => {
    const { answer, asked } = await stopped(json(200, payment({ status: 'canceled' })))
    expect(answer).toMatchObject({ is: 'observed', status: 'CANCELLED', paid: 0 })
    expect(asked).toEqual([DELETE])
  })

  it('finds it paid if Mollie no longer cancels it', async () => {
    const { answer, asked } = await stopped(
      mollieError(422, 'Unprocessable Entity', 'The payment cannot be canceled'),
      json(200, payment({ status: 'paid' })),
    )
    expect(answer).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
    expect(asked).toEqual([DELETE, GET])
  })
})

describe('a notification', () => {
  const read = (body: string, job: string | null = paymentRequest.job) =>
    atMollie(json(500, {})).psp.readNotification({ job, headers: new Headers(), body, at: Date.now() })

  it('is about the payment in its form and the job in its address', async () => {
    expect(await read('id=tr_7UhSN1zuXS')).toEqual({
      is: 'about',
      payments: [{ job: paymentRequest.job, reference: 'tr_7UhSN1zuXS', claimedStatus: null }],
      unsigned: true,
    })
  })

  it.each(['', 'id=', 'testByMollie=1', '{"id":"tr_7UhSN1zuXS"}'])(
    'is about nothing if its body is %j',
    async (body) => {
      expect(await read(body)).toEqual({ is: 'about', payments: [], unsigned: true })
    },
  )

  it('is about nothing if its address names no job', async () => {
    expect(await read('id=tr_7UhSN1zuXS', null)).toEqual({ is: 'about', payments: [], unsigned: true })
  })
})

const ID = 'tr_7UhSN1zuXS'

const DAY = 86_400_000

const SEEN = { is: 'observed', expiresAt: Date.UTC(2026, 10, 21, 10, 15) }

function askedOf(changes: object) {
  return atMollie(json(200, payment(changes))).psp.ask(ID, 'EUR')
}

function underway(days: number) {
  return {
    status: 'PENDING',
    paid: 0,
    stage: { is: 'underway', patience: days * DAY },
  }
}

/** Each word of Mollie and its meaning here. */
const MEANS: Record<keyof typeof STATUSES, object> = {
  open: { status: 'PENDING', paid: 0, stage: { is: 'open' } },
  pending: underway(PATIENCE.otherwise),
  authorized: {
    status: 'PENDING',
    paid: 0,
    stage: { is: 'authorized', patience: 28 * DAY },
    authorized: 1250,
    released: 0,
  },
  paid: { status: 'SUCCESS', paid: 1250, refunded: 0, chargedBack: 0 },
  canceled: { status: 'CANCELLED', paid: 0, closed: true },
  expired: { status: 'EXPIRED', paid: 0, closed: true },
  failed: { status: 'FAILURE', paid: 0, closed: true },
}

describe('a payment at Mollie', () => {
  it.each(Object.keys(MEANS) as (keyof typeof MEANS)[])('that is %s', async (status) => {
    expect(await askedOf({ status })).toEqual({ ...SEEN, ...MEANS[status] })
  })

  it.each([
    ['banktransfer', 30],
    ['directdebit', 21],
    ['bacs', 21],
    ['multibanco', 7],
    ['something_new', PATIENCE.otherwise],
    [null, PATIENCE.otherwise],
    [7, PATIENCE.otherwise],
  ])('by %s is awaited for %d days', async (method, days) => {
    expect(await askedOf({ status: 'pending', method })).toEqual({ ...SEEN, ...underway(days) })
  })

  it.each(['canceled', 'expired', 'failed'] as const)(
    'by bank transfer that is %s may still get money',
    async (status) => {
      const { closed: _, ...ended } = MEANS[status] as { closed: true }
      expect(await askedOf({ status, method: 'banktransfer' })).toEqual({ ...SEEN, ...ended, closed: false })
    },
  )

  it('with an unknown status reports the word, and nothing else', async () => {
    expect(await askedOf({ status: 'odd' })).toEqual({
      is: 'unavailable',
      message: 'Mollie says that the payment is "odd", which the hub does not know.',
    })
  })
})

describe('the money that went back', () => {
  const eur = (value: string) => ({ currency: 'EUR', value })

  it('comes in totals', async () => {
    const back = { status: 'paid', amountRefunded: eur('5.00'), amountChargedBack: eur('7.50') }
    expect(await askedOf(back)).toMatchObject({
      status: 'SUCCESS',
      paid: 1250,
      refunded: 500,
      chargedBack: 750,
    })
  })

  it('may be nothing again', async () => {
    const back = { status: 'paid', amountRefunded: eur('0.00'), amountChargedBack: eur('0.00') }
    expect(await askedOf(back)).toMatchObject({ refunded: 0, chargedBack: 0 })
  })

  it.each([undefined, null])('is nothing if Mollie leaves it out: %j', async (amount) => {
    const seen = await askedOf({ status: 'paid', amountRefunded: amount, amountChargedBack: amount })
    expect(seen).toMatchObject({ paid: 1250, refunded: 0, chargedBack: 0 })
  })

  it.each(['5.00', { currency: 'USD', value: '5.00' }, eur('5,00'), eur('-5.00'), eur('5.005')])(
    'is unknown from %j, and the payment stays paid',
    async (amount) => {
      const seen = await askedOf({ status: 'paid', amountRefunded: amount, amountChargedBack: amount })
      expect(seen).toEqual({ ...SEEN, status: 'SUCCESS', paid: 1250 })
    },
  )
})
