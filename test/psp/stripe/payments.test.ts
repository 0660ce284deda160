import { describe, expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../../src/contract/money.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import {
  UNITS,
  INTENTS as KNOWN,
  PATIENCE,
  PAYMENT_STATUSES,
  SESSION_STATUSES,
  meaningOf,
} from '../../../src/psp/stripe/tables.ts'
import {
  SECRET_KEY,
  WEBHOOK_SECRET,
  announced,
  atStripe,
  charge,
  intent,
  session,
  stripeError,
} from './samples.ts'
import { type Answers, json, patience, paymentRequest } from '../scripted.ts'

const METHOD = 'allowed_payment_method_types[0]'

const NAME = 'line_items[0][price_data][product_data][name]'

describe('the request that announces a payment', () => {
  it('is one POST of a form with the secret key, the API version, and the job id as idempotency key', async () => {
    const { psp, requests } = atStripe(json(200, session()))
    await psp.announce(paymentRequest, patience)
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: `Bearer ${SECRET_KEY}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': paymentRequest.job,
      'stripe-version': '2026-10-28.endive',
    })
    expect(await announced({})).toEqual({
      mode: 'payment',
      client_reference_id: paymentRequest.job,
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '1250',
      [NAME]: 'A-7',
      'line_items[0][quantity]': '1',
      success_url: paymentRequest.returnUrl,
      cancel_url: paymentRequest.cancelUrl,
      [METHOD]: 'ideal',
      locale: 'nl',
      'metadata[payment_job]': paymentRequest.job,
      'payment_intent_data[description]': 'A-7',
      'payment_intent_data[metadata][payment_job]': paymentRequest.job,
    })
  })

  it.each([
    ['ideal', 'ideal'],
    ['iDEAL', 'ideal'],
    ['CREDITCARD', 'card'],
    ['applepay', 'card'],
    ['GooglePay', 'card'],
    ['directdebit', 'sepa_debit'],
    ['sepa', 'sepa_debit'],
    ['sofort', 'klarna'],
    ['klarna', 'klarna'],
    ['przelewy24', 'p24'],
    ['P24', 'p24'],
    ['mbway', 'mb_way'],
    ['wechatpay', 'wechat_pay'],
  ])('names the payment method %s as %s', async (paymentMethod, method) => {
    expect(await announced({ paymentMethod })).toHaveProperty([METHOD], method)
  })

  it.each(['pin', 'giropay', 'banktransfer', 'giftcard', 'ideal2', 'constructor', '*'])(
    'lets the customer choose for %s, which Checkout does not have',
    async (paymentMethod) => {
      expect(await announced({ paymentMethod })).not.toHaveProperty([METHOD])
    },
  )

  it('says that a customer of WeChat Pay pays from the web, but not for other methods', async () => {
    const client = 'payment_method_options[wechat_pay][client]'
    expect(await announced({ paymentMethod: 'wechatpay' })).toHaveProperty([client], 'web')
    expect(await announced({ paymentMethod: 'alipay' })).not.toHaveProperty([client])
  })

  it('asks for the address to which Afterpay and Clearpay ship, and for none with other methods', async () => {
    const first = 'shipping_address_collection[allowed_countries][0]'
    for (const paymentMethod of ['afterpay', 'clearpay'])
      expect(await announced({ paymentMethod })).toHaveProperty([first], 'AU')
    expect(await announced({ paymentMethod: 'klarna' })).not.toHaveProperty([first])
  })

  it.each([
    ['A-7', 'A-7'],
    ['é & ü = 100%', 'é & ü = 100%'],
    ['é'.repeat(250), 'é'.repeat(250)],
    [`${'é'.repeat(250)}x`, 'é'.repeat(250)],
    ['🧾'.repeat(127), '🧾'.repeat(127)],
  ])('names the product after the order, up to 250 characters', async (description, name) => {
    expect(await announced({ description })).toHaveProperty([NAME], name)
  })
})

describe('credentials', () => {
  const of = (secretKey: unknown, webhookSecret: unknown = WEBHOOK_SECRET) => ({ secretKey, webhookSecret })
  const open = (credentials: unknown) =>
    stripe.open({ fetch: async () => new Response(), mode: 'test', credentials })

  it.each([
    ['sk_test_51H', 'test'],
    ['sk_live_51H', 'live'],
    ['rk_test_51H', 'test'],
    ['rk_live_51H', 'live'],
  ])('with the key %s are for %s mode', (secretKey, mode) => {
    expect(stripe.modeOf?.(of(secretKey))).toBe(mode)
  })

  it.each([WEBHOOK_SECRET, 'whsec_a whsec_b', 'whsec_a,whsec_b', ' whsec_a,\n whsec_b\n'])(
    'may hold the signing secrets %j',
    (webhookSecret) => {
      expect(() => open(of(SECRET_KEY, webhookSecret))).not.toThrow()
    },
  )

  it.each([
    [of('pk_live_51H')],
    [of('test_0123456789')],
    [of(`${SECRET_KEY}\n`)],
    [of('sk_test_')],
    [of(SECRET_KEY, '')],
    [of(SECRET_KEY, ' ')],
    [of(SECRET_KEY, 'we_1Mr5')],
    [of(SECRET_KEY, 'whsec_a we_1Mr5')],
    [{ secretKey: SECRET_KEY }],
    [of(undefined)],
    [{}],
    [null],
  ])('in a form that Stripe does not have (%j) are refused at once', (credentials) => {
    expect(() => open(credentials)).toThrow()
  })
})

describe('a Stripe that repeats an earlier fault', () => {
  const fault = (headers = {}) => json(500, { error: { message: 'oops' } }, headers)
  const repeated = fault({ 'idempotent-replayed': 'true' })
  const keysOf = (requests: readonly Request[]) =>
    requests.map((request) => request.headers.get('idempotency-key'))

  it('is asked under the next key, until it answers', async () => {
    const { psp, requests } = atStripe(repeated, repeated, json(200, session()))
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'announced' })
    expect(keysOf(requests)).toEqual([
      paymentRequest.job,
      `${paymentRequest.job}-2`,
      `${paymentRequest.job}-3`,
    ])
  })

  it('is left alone after a new fault', async () => {
    const { psp, requests } = atStripe(repeated, fault())
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'unavailable' })
    expect(keysOf(requests)).toEqual([paymentRequest.job, `${paymentRequest.job}-2`])
  })

  it('is not asked again after the deadline', async () => {
    const { psp, requests } = atStripe(repeated)
    await psp.announce(paymentRequest, AbortSignal.abort())
    expect(requests).toHaveLength(1)
  })

  it('is not asked for ever', async () => {
    const { psp, requests } = atStripe(repeated)
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'unavailable' })
    expect(requests).toHaveLength(4)
  })
})

const ID = 'cs_test_a1YS1URlnyQCN5fUUduO'

const EXPIRES_AT = Date.UTC(2026, 10, 21, 10, 15)

function seen(...answers: Answers) {
  return atStripe(...answers).psp.ask(ID, 'EUR')
}

describe('a payment that Stripe holds', () => {
  it('is paid in part if Stripe took less', async () => {
    const less = session({ status: 'complete', payment_status: 'paid', amount_total: 1000 })
    expect(await seen(json(200, less))).toMatchObject({ status: 'SUCCESS', paid: 1000 })
  })

  it('counts in the currency of the order if the customer paid in another one', async () => {
    const presentment_details = { presentment_amount: 1380, presentment_currency: 'usd' }
    const adapted = session({ status: 'complete', payment_status: 'paid', presentment_details })
    expect(await seen(json(200, adapted))).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })
})

describe('stopping a payment', () => {
  const stopped = async (...answers: Answers) => {
    const { psp, requests } = atStripe(...answers)
    const answer = await psp.stop(ID, 'EUR')
    return { answer, asked: requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`) }
  }
  const EXPIRE = `POST /v1/checkout/sessions/${ID}/expire`
  const GET = `GET /v1/checkout/sessions/${ID}`
  const notOpen = stripeError(400, 'Only Checkout Sessions with a status in ["open"] can be expired.')

  it('ends its session, and counts as a cancellation', async () => {
    const { answer, asked } = await stopped(json(200, session({ status: 'expired', url: null })))
    expect(answer).toEqual({
      is: 'observed',
      status: 'CANCELLED',
      closed: true,
      paid: 0,
      expiresAt: EXPIRES_AT,
    })
    expect(asked).toEqual([EXPIRE])
  })

  it.each([
    ['complete', 'paid', 'SUCCESS', 1250],
    ['complete', 'unpaid', 'PENDING', 0],
    ['expired', 'unpaid', 'EXPIRED', 0],
  ])('shows the payment if its session is %s and %s already', async (status, payment_status, here, paid) => {
    const { answer, asked } = await stopped(notOpen, json(200, session({ status, payment_status })))
    expect(answer).toMatchObject({ is: 'observed', status: here, paid })
    expect(asked).toEqual([EXPIRE, GET])
  })

  it.each([
    [404, { is: 'unknown' }],
    [401, { is: 'unavailable', message: 'Stripe answered 401 without the payment.', accountRefused: true }],
    [503, { is: 'unavailable', message: 'The payment service provider answered 503.' }],
  ])('says nothing if Stripe answers %d', async (status, is) => {
    const { answer, asked } = await stopped(stripeError(status, 'No'))
    expect(answer).toEqual(is)
    expect(asked).toEqual([EXPIRE])
  })
})

const DAY = 86_400_000

const INTENTS = [...Object.keys(KNOWN), 'unknown']

const CLOSED_FAILURE = 'FAILURE for good'

const CLOSED_EXPIRED = 'EXPIRED for good'

/** The meaning of an unpaid session. Each word is written out here again. */
const UNPAID: Record<string, Record<string, string>> = {
  open: Object.fromEntries(INTENTS.map((word) => [word, 'open'])),
  complete: {
    none: 'underway',
    processing: 'underway',
    requires_action: 'underway',
    requires_confirmation: 'underway',
    succeeded: 'underway',
    requires_capture: 'authorized',
    requires_payment_method: CLOSED_FAILURE,
    canceled: CLOSED_FAILURE,
    unknown: 'unavailable',
  },
  expired: {
    none: CLOSED_EXPIRED,
    canceled: CLOSED_EXPIRED,
    requires_payment_method: CLOSED_EXPIRED,
    requires_confirmation: CLOSED_EXPIRED,
    requires_action: CLOSED_EXPIRED,
    processing: 'underway',
    succeeded: 'underway',
    requires_capture: 'authorized',
    unknown: 'EXPIRED',
  },
}

function wordsOf(meaning: ReturnType<typeof meaningOf>): string {
  return meaning.is === 'ended' ? `${meaning.status}${meaning.closed ? ' for good' : ''}` : meaning.is
}

const ALL = SESSION_STATUSES.flatMap((status) =>
  PAYMENT_STATUSES.flatMap((payment) => INTENTS.map((word) => [status, payment, word] as const)),
)

describe('three words of Stripe', () => {
  it.each(ALL)('%s, %s and %s', (status, payment, word) => {
    const meaning = wordsOf(meaningOf(status, payment, word))
    if (payment === 'paid') expect(meaning).toBe('paid')
    else if (payment === 'no_payment_required' && status === 'complete') expect(meaning).toBe(CLOSED_FAILURE)
    else expect(meaning).toBe(UNPAID[status]?.[word])
  })
})

function seenStatuses(changes: object) {
  return atStripe(json(200, session(changes))).psp.ask(ID, 'EUR')
}

function unpaid(payment_intent: unknown) {
  return { status: 'complete', payment_status: 'unpaid', payment_intent }
}

describe('a session', () => {
  it.each([
    ['sepa_debit', 21],
    ['bacs_debit', 11],
    ['multibanco', 14],
    ['something_new', PATIENCE.otherwise],
  ])('by %s is awaited for %d days', async (type, days) => {
    const slow = intent('processing', charge({ payment_method_details: { type } }))
    expect(await seenStatuses(unpaid(slow))).toEqual({
      is: 'observed',
      status: 'PENDING',
      stage: { is: 'underway', patience: days * DAY },
      paid: 0,
      expiresAt: Date.UTC(2026, 10, 21, 10, 15),
    })
  })

  it.each([null, undefined, 'pi_3Mtw'])(
    'that is complete, and whose intent is %j, is under way',
    async (held) => {
      expect(await seenStatuses(unpaid(held))).toMatchObject({
        stage: { is: 'underway', patience: PATIENCE.otherwise * DAY },
      })
    },
  )

  it.each([
    [{ status: 'weird' }, 'session is "weird"'],
    [{ status: 'complete', payment_status: 'half' }, 'payment is "half"'],
    [unpaid({ id: 'pi_1', status: 'odd' }), 'payment intent is "odd"'],
    [unpaid({}), 'payment intent is "not to be read"'],
  ])('with an unknown word, %j, reports the word and nothing else', async (changes, words) => {
    expect(await seenStatuses(changes)).toEqual({
      is: 'unavailable',
      message: `Stripe says that the ${words}, which the hub does not know.`,
    })
  })

  it('that is paid stays so, whatever its payment intent says', async () => {
    const paid = { status: 'complete', payment_status: 'paid', payment_intent: { status: 'odd' } }
    expect(await seenStatuses(paid)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })
})

it('Stripe is not believed an amount of ISK that is not a whole one', async () => {
  const held = session({ status: 'complete', payment_status: 'paid', currency: 'isk', amount_total: 550 })
  expect(await atStripe(json(200, held)).psp.ask('cs_test_1', 'ISK')).toMatchObject({ is: 'unavailable' })
})

it('Stripe has a unit for each currency that ISO 4217 counts without two decimals', () => {
  expect(CURRENCIES.filter((currency) => decimalsOf(currency) !== 2 && !UNITS[currency])).toEqual([])
})
