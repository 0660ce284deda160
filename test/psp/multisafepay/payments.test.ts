import { describe, expect, it } from 'vitest'
import { METHODS } from '../../../src/psp/multisafepay/tables.ts'
import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import type { Connection } from '../../../src/psp/port.ts'
import type { Mode } from '../../../src/contract/values.ts'
import {
  API_KEY,
  CREATE,
  GET,
  PAGE,
  PATCH,
  announced,
  atMultiSafepay,
  created,
  failure,
  shown,
} from './samples.ts'
import { type Answers, json, patience, paymentRequest } from '../scripted.ts'
import { DAY } from '../../../src/contract/timestamp.ts'

describe('the request that announces a payment', () => {
  it('is one POST of JSON with the API key, and the job id as order id', async () => {
    const { psp, requests } = atMultiSafepay(created())
    await psp.announce(paymentRequest, patience)
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      api_key: API_KEY,
      accept: 'application/json',
      'content-type': 'application/json',
    })
    expect(await requests[0]?.json()).toEqual({
      type: 'redirect',
      order_id: paymentRequest.job,
      gateway: 'IDEAL',
      currency: 'EUR',
      amount: 1250,
      description: 'A-7',
      payment_options: {
        notification_url: paymentRequest.notificationUrl,
        notification_method: 'POST',
        redirect_url: paymentRequest.returnUrl,
        cancel_url: paymentRequest.cancelUrl,
      },
      customer: { locale: 'nl_NL', country: 'NL', ip_address: '203.0.113.7' },
      seconds_active: 86_400,
      var1: paymentRequest.fingerprint,
    })
  })

  it.each<[Mode, Partial<Connection<unknown>>, string]>([
    ['live', {}, 'https://api.multisafepay.com/v1/json/orders'],
    ['test', {}, 'https://testapi.multisafepay.com/v1/json/orders'],
    ['live', { endpoint: 'http://localhost:8787/msp' }, 'http://localhost:8787/msp/orders'],
  ])('goes, in %s mode and with %j, to %s', async (mode, changes, url) => {
    const asked: string[] = []
    const fetch = (request: Request) => {
      asked.push(request.url)
      return created()(request)
    }
    const psp = multisafepay.open({ mode, credentials: { apiKey: API_KEY }, fetch, ...changes })
    expect(await psp.announce(paymentRequest, patience)).toEqual({
      is: 'announced',
      reference: paymentRequest.job,
      checkoutUrl: PAGE,
      way: 'page',
      expiresAt: null,
    })
    expect(asked).toEqual([url])
  })

  it.each([
    ['ideal', 'IDEAL'],
    ['iDEAL', 'IDEAL'],
    ['bancontact', 'MISTERCASH'],
    ['CreditCard', 'CREDITCARD'],
    ['paypal', 'PAYPAL'],
    ['sepa', 'DIRDEB'],
    ['directdebit', 'DIRDEB'],
    ['visa', 'CREDITCARD'],
    ['wechatpay', 'WECHAT'],
    ...METHODS,
  ])('names the payment method %s as %s', async (paymentMethod, gateway) => {
    expect(await announced({ paymentMethod })).toHaveProperty('gateway', gateway)
  })

  it.each([
    ['de-AT', 'AT'],
    ['de', 'DE'],
    ['nl_BE', 'BE'],
    ['cs', 'CZ'],
    ['zh-419', undefined],
    ['', undefined],
    ['not a language', undefined],
    ['und-NL', 'NL'],
  ])('has the country of the language %j: %s', async (language, country) => {
    const { customer } = await announced({ language })
    expect((customer as { country?: string }).country).toBe(country)
  })

  /**
   * MultiSafepay needs more for the first two than an order has, and it lacks the next. "A shopping_cart
   * object is required for all BNPL orders": https://docs.multisafepay.com/docs/klarna
   */
  it.each([
    ...['banktransfer', 'alipayplus'],
    ...['pin', 'ideal2', 'blik', 'giftcard', 'constructor', '*', '', 'sofort', 'giropay'],
    ...['klarna', 'riverty', 'afterpay', 'in3', 'billink'],
  ])('lets the customer choose for %j, which the hub cannot ask MultiSafepay for', async (paymentMethod) => {
    expect(await announced({ paymentMethod })).not.toHaveProperty('gateway')
  })

  const urlOf = (host: string, job = `/${paymentRequest.job}`) =>
    `https://${host}/notifications/${'a'.repeat(40)}${job}`
  const sentTo = async (host: string) =>
    (await announced({ notificationUrl: urlOf(host) }))['payment_options'] as Record<string, unknown>

  it("has the payment's address for notifications if that has at most 150 characters", async () => {
    const host = 'h'.repeat(50)
    expect(urlOf(host)).toHaveLength(150)
    expect(await sentTo(host)).toHaveProperty('notification_url', urlOf(host))
  })

  it.each([51, 87])("has the account's shorter address if the host has %d characters", async (length) => {
    const host = 'h'.repeat(length)
    expect(await sentTo(host)).toHaveProperty('notification_url', urlOf(host, ''))
    expect(urlOf(host, '').length).toBeLessThanOrEqual(150)
  })

  it('is not made if even that is too long for MultiSafepay', async () => {
    const { psp, requests } = atMultiSafepay(created())
    const notificationUrl = urlOf('h'.repeat(88))
    expect(await psp.announce({ ...paymentRequest, notificationUrl }, patience)).toMatchObject({
      is: 'refused',
      message:
        'MultiSafepay takes addresses for notifications of at most 150 characters, but this one has 151. Use a shorter host name for the hub, or a shorter id for the account.',
    })
    expect(requests).toEqual([])
  })

  it.each([
    ['A-7', 'A-7'],
    ['é'.repeat(200), 'é'.repeat(200)],
    [`${'é'.repeat(200)}x`, 'é'.repeat(200)],
    ['🧾'.repeat(201), '🧾'.repeat(200)],
  ])(
    'cuts a description at 200 characters, without cutting a character in two',
    async (description, sent) => {
      expect(await announced({ description })).toHaveProperty('description', sent)
    },
  )
})

describe('credentials', () => {
  const open = (credentials: unknown) =>
    multisafepay.open({ fetch: async () => new Response(), mode: 'test', credentials })

  it.each([
    [{ apiKey: '' }],
    [{ apiKey: 'four' }],
    [{ apiKey: 'a key of words' }],
    [{ apiKey: 5 }],
    [{}],
    [null],
  ])('without an API key (%j) are refused at once', (credentials) => {
    expect(() => open(credentials)).toThrow()
  })

  it('are accepted in any form, without the space around them, as MultiSafepay does', async () => {
    const { requests, psp } = atMultiSafepay(created())
    await psp.announce(paymentRequest, patience)
    expect(() => open({ apiKey: 'c2e8507e3bb11df070f6c45d36ea2a366eaecea2' })).not.toThrow()
    expect(multisafepay).not.toHaveProperty('modeOf')
    expect(requests[0]?.headers.get('api_key')).toBe(API_KEY)
  })
})

/**
 * MultiSafepay has no idempotency keys. An order id that is in use is error 1006, "Invalid
 * order ID".
 */
const taken = failure(400, 1006, 'Invalid transaction ID')

async function announce(...answers: Answers) {
  const { psp, asked } = atMultiSafepay(...answers)
  return { answer: await psp.announce(paymentRequest, patience), asked: asked() }
}

describe('announcing a payment that MultiSafepay already holds', () => {
  it('returns its page again if MultiSafepay does', async () => {
    const { answer, asked } = await announce(created({ payment_url: `${PAGE}&again` }))
    expect(answer).toMatchObject({ is: 'announced', checkoutUrl: `${PAGE}&again` })
    expect(asked).toEqual([CREATE])
  })

  it.each([
    ['400', taken],
    ['200', failure(200, 1006, 'Invalid transaction ID')],
    ['404', failure(404, 1006, 'Invalid transaction ID')],
  ])('finds its page in the order if MultiSafepay refuses the id with %s', async (_, refusal) => {
    const { answer, asked } = await announce(refusal, shown({ payment_url: PAGE }))
    expect(answer).toEqual({
      is: 'announced',
      reference: paymentRequest.job,
      checkoutUrl: PAGE,
      way: 'page',
      expiresAt: null,
    })
    expect(asked).toEqual([CREATE, GET])
  })

  it.each(['completed', 'uncleared', 'declined', 'cancelled', 'void', 'expired', 'refunded'])(
    'sends the customer of an order that is %s back to the shop',
    async (status) => {
      const { answer } = await announce(taken, shown({ status, financial_status: status }))
      expect(answer).toEqual({
        is: 'announced',
        reference: paymentRequest.job,
        checkoutUrl: paymentRequest.returnUrl,
        way: 'page',
        expiresAt: null,
      })
    },
  )

  it.each([
    ['is open, and its page is unknown', shown()],
    ['is open, and its page is not an address', shown({ payment_url: '/connect' })],
    ['is another one', shown({ order_id: 'A-7', status: 'completed' })],
    ['cannot be read', json(200, { success: true, data: [] })],
    ['is not shown for now', json(503, {})],
  ])('does not believe that it failed if the order %s', async (_, held) => {
    expect((await announce(taken, held)).answer).toMatchObject({ is: 'unavailable' })
  })

  it.each([
    ['amount', { amount: 5000 }],
    ['currency', { currency: 'USD' }],
    ['fingerprint', { var1: 'another order' }],
    ['fingerprint, which it does not have', { var1: null }],
  ])('is refused if the held order has another %s, paid or not', async (_, changes) => {
    const OPEN = { payment_url: PAGE }
    for (const state of [OPEN, { status: 'completed', financial_status: 'completed' }]) {
      const { answer } = await announce(taken, shown({ ...state, ...changes }))
      expect(answer).toMatchObject({
        is: 'refused',
        message: 'MultiSafepay holds another order under this id.',
      })
    }
  })

  it('is refused if there is no such order after all, because the id itself is wrong', async () => {
    const { answer } = await announce(taken, failure(404, 1006, 'Invalid transaction ID'))
    expect(answer).toMatchObject({
      is: 'refused',
      message: 'MultiSafepay refused the payment: Invalid transaction ID (1006)',
    })
  })

  it('asks for the order within the deadline of the announcement', async () => {
    const controller = new AbortController()
    const { psp, asked } = atMultiSafepay(
      async (request) => {
        controller.abort()
        return taken(request)
      },
      async (request) => {
        request.signal.throwIfAborted()
        return shown({ status: 'completed' })(request)
      },
    )
    expect(await psp.announce(paymentRequest, controller.signal)).toMatchObject({ is: 'unavailable' })
    expect(asked().length).toBeLessThanOrEqual(2)
  })
})

function askedOf(...answers: Answers) {
  return atMultiSafepay(...answers).psp.ask(paymentRequest.job, 'EUR')
}

describe('a payment that MultiSafepay holds', () => {
  const OPEN = { status: 'PENDING', stage: { is: 'open' } }
  const UNDERWAY = { status: 'PENDING', stage: { is: 'underway', patience: 14 * DAY } }
  const AUTHORIZED = { status: 'PENDING', stage: { is: 'authorized', patience: 30 * DAY } }
  const PAID = { status: 'SUCCESS' }
  const ended = (status: string) => ({ status, closed: false })

  /**
   * https://docs.multisafepay.com/docs/payment-statuses and the pages of the payment methods: every
   * word of an order.
   */
  it.each([
    ['initialized', 'initialized', OPEN],
    ['initialized', 'completed', OPEN],
    ['uncleared', 'initialized', UNDERWAY],
    ['uncleared', 'uncleared', UNDERWAY],
    ['reserved', 'initialized', AUTHORIZED],
    ['reserved', 'reserved', AUTHORIZED],
    ['declined', 'declined', ended('FAILURE')],
    ['declined', 'completed', ended('FAILURE')],
    ['cancelled', 'cancelled', ended('CANCELLED')],
    ['void', 'cancelled', ended('CANCELLED')],
    ['void', 'void', ended('CANCELLED')],
    ['expired', 'expired', ended('EXPIRED')],
    ['completed', undefined, PAID],
    ['shipped', undefined, PAID],
    ['refunded', 'completed', PAID],
    ['partial_refunded', 'completed', PAID],
    ['chargeback', 'void', PAID],
    ['chargedback', 'void', PAID],
  ])('whose order is %s and transaction %s there is %j here', async (status, financial_status, standing) => {
    expect(await askedOf(shown({ status, financial_status }))).toMatchObject({
      is: 'observed',
      ...standing,
      paid: standing.status === 'SUCCESS' ? 1250 : 0,
      expiresAt: null,
    })
  })

  /** Every word of a transaction whose order is completed or shipped. */
  it.each([
    ['initialized', AUTHORIZED],
    ['reserved', AUTHORIZED],
    ['uncleared', UNDERWAY],
    ['completed', PAID],
    ['shipped', PAID],
    ['declined', ended('FAILURE')],
    ['cancelled', ended('CANCELLED')],
    ['void', ended('CANCELLED')],
    ['expired', ended('EXPIRED')],
    ['refunded', PAID],
    ['partial_refunded', PAID],
    ['chargeback', PAID],
    ['chargedback', PAID],
  ])('whose transaction is %s once its order is completed or shipped is %j', async (word, standing) => {
    for (const status of ['completed', 'shipped']) {
      const { closed, ...seen } = { closed: undefined, ...standing }
      expect(await askedOf(shown({ status, financial_status: word }))).toMatchObject({
        ...seen,
        ...(closed === undefined ? {} : { closed }),
        paid: standing.status === 'SUCCESS' ? 1250 : 0,
      })
    }
  })

  it.each([
    ['BANKTRANS', 'initialized', 60],
    ['MULTIBANCO', 'initialized', 7],
    ['MULTIBANCO', 'uncleared', 7],
    ['DIRDEB', 'uncleared', 22],
    ['CREDITCARD', 'uncleared', 14],
  ])('by %s that is %s is under way for at most %d days', async (type, status, days) => {
    const held = shown({ status, financial_status: status, payment_details: { type } })
    expect(await askedOf(held)).toMatchObject({ stage: { is: 'underway', patience: days * DAY } })
  })

  it.each([
    ['KLARNA', 28],
    ['AFTERPAY', 90],
    ['BILLINK', 30],
    ['BNPL_MF', 30],
  ])('by %s that the shop has not shipped is reserved for at most %d days', async (type, days) => {
    const held = { status: 'completed', financial_status: 'uncleared', payment_details: { type } }
    expect(await askedOf(shown(held))).toMatchObject({
      status: 'PENDING',
      stage: { is: 'authorized', patience: days * DAY },
    })
    expect(await askedOf(shown({ ...held, status: 'shipped' }))).toMatchObject({ stage: { is: 'underway' } })
  })

  it.each([null, 7, 'IDEAL', { type: 7 }, { type: 'IDEAL' }, {}])(
    'is open while payment_details are %j: the customer has not chosen to transfer money',
    async (payment_details) => {
      expect(await askedOf(shown({ payment_details }))).toMatchObject({ stage: { is: 'open' } })
    },
  )

  it.each([{ status: 'half_completed' }, { status: 'completed', financial_status: 'half_completed' }])(
    'with an unknown status is no answer, and the operator sees the word: %j',
    async (changes) => {
      expect(await askedOf(shown(changes))).toEqual({
        is: 'unavailable',
        message: 'MultiSafepay says that the order is "half_completed", which the hub does not know.',
      })
    },
  )
})

/** https://docs.multisafepay.com/docs/card-payments: an Amex merchant account number of the shop. */
it.each([
  ['AMEX', { status: 'SUCCESS', paid: 1250 }],
  ['VISA', { status: 'PENDING', stage: { is: 'authorized', patience: 30 * DAY } }],
])('an order that is completed, and initialized by %s, is %j', async (type, standing) => {
  const held = { status: 'completed', financial_status: 'initialized', payment_details: { type } }
  expect(await askedOf(shown(held))).toMatchObject(standing)
})

describe('an order that is paid in part', () => {
  const part = (amount: unknown, status = 'completed', currency = 'EUR') => ({
    type: 'COUPON',
    amount,
    status,
    currency,
  })

  it.each([
    ['a gift card', [part(500), part(750, 'initialized')], 500],
    ['two gift cards', [part(500), part(250), part(500, 'uncleared')], 750],
    ['nothing yet', [part(1250, 'initialized')], 0],
    ['a gift card of another currency', [part(500, 'completed', 'USD')], 0],
    ['unreadable amounts', [part('500'), part(-5), part(1.5), null, 'x'], 0],
    ['all its parts, before the order says so', [part(500), part(750)], 0],
    ['no methods', null, 0],
  ])('with %s is PENDING', async (_, payment_methods, paid) => {
    expect(await askedOf(shown({ payment_methods }))).toMatchObject({ status: 'PENDING', paid })
  })

  it('has nothing paid once it has failed', async () => {
    const failed = { status: 'expired', financial_status: 'expired' }
    expect(await askedOf(shown({ ...failed, payment_methods: [part(500)] }))).toMatchObject({
      status: 'EXPIRED',
      paid: 0,
    })
  })
})

describe('stopping a payment', () => {
  const stopped = async (...answers: Answers) => {
    const { psp, asked, requests } = atMultiSafepay(...answers)
    return { answer: await psp.stop(paymentRequest.job, 'EUR'), asked: asked(), requests }
  }
  const done = json(200, { success: true, data: {} })
  /** The order's session has ended with it, so it can no longer be paid. */
  const CLOSED = { is: 'observed', status: 'CANCELLED', closed: true, paid: 0, expiresAt: null }
  const unknown = failure(404, 1006, 'Invalid transaction ID')

  it('cancels the order and its page', async () => {
    const { answer, asked, requests } = await stopped(shown(), done, shown({ status: 'cancelled' }))
    expect(answer).toMatchObject(CLOSED)
    expect(asked).toEqual([GET, PATCH, GET])
    expect(await requests[1]?.json()).toEqual({ status: 'cancelled', exclude_order: true })
  })

  it('cancels a page whose order has no transaction yet', async () => {
    const { answer, asked } = await stopped(unknown, done, unknown)
    expect(answer).toEqual(CLOSED)
    expect(asked).toEqual([GET, PATCH, GET])
  })

  it('does not rule out money if the customer had just been told where to send it', async () => {
    const transfer = { status: 'cancelled', payment_details: { type: 'BANKTRANS' } }
    expect((await stopped(shown(), done, shown(transfer))).answer).toMatchObject({
      status: 'CANCELLED',
      closed: false,
    })
  })

  it('does not rule out money if MultiSafepay did not cancel it', async () => {
    const refused = failure(410, 1000, 'Not possible')
    expect((await stopped(shown(), refused, shown({ status: 'cancelled' }))).answer).toMatchObject({
      status: 'CANCELLED',
      closed: false,
    })
  })

  it('finds it paid if that happened meanwhile', async () => {
    const { answer } = await stopped(
      shown(),
      failure(410, 1000, 'Not possible'),
      shown({ status: 'completed', financial_status: 'completed' }),
    )
    expect(answer).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
  })

  it.each([
    [{ status: 'completed', financial_status: 'completed' }, 'SUCCESS', 1250],
    [{ status: 'completed', financial_status: 'uncleared' }, 'PENDING', 0],
    [{ status: 'uncleared', financial_status: 'uncleared' }, 'PENDING', 0],
    [{ payment_methods: [{ status: 'completed', amount: 500, currency: 'EUR' }] }, 'PENDING', 500],
    [{ status: 'expired', financial_status: 'expired' }, 'EXPIRED', 0],
    [{ payment_details: { type: 'BANKTRANS' } }, 'PENDING', 0],
    [{ payment_details: { type: 'MULTIBANCO' } }, 'PENDING', 0],
    [{ status: 'reserved', financial_status: 'reserved' }, 'PENDING', 0],
  ])('leaves an order alone that is no longer untouched: %j', async (changes, status, paid) => {
    const { answer, asked } = await stopped(shown(changes), done)
    expect(answer).toMatchObject({ is: 'observed', status, paid })
    expect(asked).toEqual([GET])
  })

  it.each([
    ['before', [json(503, {})]],
    ['at', [shown(), json(503, {})]],
    ['after', [shown(), done, json(503, {})]],
  ] as [string, Answers][])('says nothing if MultiSafepay fails %s the cancellation', async (_, answers) => {
    const { answer, asked } = await stopped(...answers)
    expect(answer).toMatchObject({ is: 'unavailable' })
    expect(asked).toHaveLength(answers.length)
  })
})

/** The locale is "Required for: Bancontact": https://docs.multisafepay.com/reference/createorder */
it('shows Bancontact in English to a customer whose language MultiSafepay does not have', async () => {
  expect(await announced({ language: 'tr', paymentMethod: 'bancontact' })).toMatchObject({
    gateway: 'MISTERCASH',
    customer: { locale: 'en_US', ip_address: '203.0.113.7' },
  })
})
