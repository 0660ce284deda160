import { afterEach, describe, expect, it, vi } from 'vitest'
import { ADAPTERS } from '../../src/psp/adapters.ts'
import { withDeadline } from '../../src/platform/deadline.ts'
import { CREDENTIALS, LINK, adyenError, atAdyen, link } from './adyen/at-adyen.ts'
import { withOwnTimers } from '../support/own-timers.ts'
import { expectEightSeconds } from './eight-seconds.ts'
import { API_KEY as MOLLIE_KEY, atMollie, mollieError, payment } from './mollie/at-mollie.ts'
import {
  API_KEY,
  PAGE,
  atMultiSafepay,
  created as createdOrder,
  failure,
  shown,
} from './multisafepay/at-multisafepay.ts'
import type { RefusalReason } from '../../src/psp/answer.ts'
import {
  UNANSWERED,
  patience,
  type Answer,
  type Answers,
  type Scripted,
  bodyOf,
  closedConnection,
  hang,
  html,
  json,
  paymentRequest,
  stall,
} from './scripted.ts'
import { SECRET_KEY, atStripe, session, stripeError } from './stripe/at-stripe.ts'

/**
 * The answers of each PSP. `busy`: its answer, if it has one, that it is already processing the same
 * announcement.
 */
type Case = {
  at: (...answers: Answers) => Scripted
  reference: string
  created: Answer
  checkoutUrl: string
  /** When a payment announced now expires; null if the PSP does not say. */
  expiresAt: number | null
  /** How the requests to announce, to ask and to check begin, and what they say about the account. */
  asks: [announce: string, ask: string, check: string]
  account: Record<string, string>
  working: Answer
  /** Answers that the payment is unknown. */
  unknown: Answer[]
  /** The requests before a request for a refund, and the answer that the refund was accepted. */
  beforeRefund: Answer[]
  refund: Answer
  /** Answers to the announcement with a payment of another amount or in another currency. */
  others: readonly [Answers, Answers]
  /** How the PSP refuses a key, and how it refuses an order, by reason. */
  keys: Answers
  refusals: Record<RefusalReason, Answer>
  /** The payment, paid, with these members instead of its own. */
  paid: (changes: object) => Answer
  /** Members that decide nothing about a paid payment, in undocumented forms. */
  cosmetic: readonly object[]
  busy: Record<string, Answer>
}

const END = Date.UTC(2026, 10, 21, 10, 15)
const IN_PROGRESS = 'request already processed or in progress'

/** Ends of a payment that do not follow RFC 3339, or are not times. */
const ENDS = ['2026-11-21T10:15Z', '2026-11-21T10:14:60Z', '2026-11-21t10:15:00z', 'tomorrow', '', 7, {}]

const CASES: Record<string, Case> = {
  adyen: {
    at: atAdyen,
    reference: LINK,
    created: json(201, link()),
    checkoutUrl: `https://test.adyen.link/${LINK}`,
    expiresAt: END,
    asks: [
      'POST https://checkout-test.adyen.com/v71/paymentLinks',
      `GET https://checkout-test.adyen.com/v71/paymentLinks/${LINK}`,
      'POST https://checkout-test.adyen.com/v71/paymentMethods',
    ],
    account: { 'x-api-key': CREDENTIALS.apiKey },
    working: json(200, { paymentMethods: [] }),
    unknown: [404, 410].map((status) => adyenError(status, '000', 'Not found')),
    beforeRefund: [],
    refund: json(201, { pspReference: '993617894906488A', status: 'received' }),
    others: [
      [json(201, link({ amount: { currency: 'EUR', value: 5000 } }))],
      [json(201, link({ amount: { currency: 'USD', value: 1250 } }))],
    ],
    keys: [
      adyenError(401, '000', 'HTTP Status Response - Unauthorized'),
      adyenError(403, '901', 'Invalid Merchant Account'),
    ],
    refusals: {
      refused_amount: adyenError(422, '137', 'Invalid amount specified'),
      refused_method: adyenError(
        422,
        '905_1',
        'Could not find an acquirer account for the provided txvariant',
      ),
      refused_account: adyenError(422, '901', 'Invalid Merchant Account'),
      refused_other: adyenError(422, '14_030', 'Return URL is missing.'),
    },
    paid: (changes) => json(200, link({ status: 'completed', ...changes })),
    cosmetic: [
      ...ENDS.map((expiresAt) => ({ expiresAt })),
      { url: null },
      { url: undefined },
      { url: '/pay' },
    ],
    busy: { 409: adyenError(409, '704', IN_PROGRESS), 422: adyenError(422, '704', IN_PROGRESS) },
  },
  mollie: {
    at: atMollie,
    reference: 'tr_7UhSN1zuXS',
    created: json(201, payment()),
    checkoutUrl: 'https://www.mollie.com/checkout/7UhSN1zuXS',
    expiresAt: END,
    asks: [
      'POST https://api.mollie.com/v2/payments',
      'GET https://api.mollie.com/v2/payments/tr_7UhSN1zuXS?embed=captures,refunds,chargebacks',
      'GET https://api.mollie.com/v2/methods',
    ],
    account: { authorization: `Bearer ${MOLLIE_KEY}` },
    working: json(200, {}),
    unknown: [404, 410].map((status) => mollieError(status, 'Not Found', 'No payment exists')),
    beforeRefund: [],
    refund: json(201, { id: 're_4qqhO89gsT', status: 'pending' }),
    others: [
      [json(201, payment({ amount: { currency: 'EUR', value: '50.00' } }))],
      [json(201, payment({ amount: { currency: 'USD', value: '12.50' } }))],
    ],
    keys: [
      mollieError(401, 'Unauthorized Request', 'Missing authentication, or failed to authenticate'),
      mollieError(403, 'Forbidden', 'The profile is not allowed to do this'),
    ],
    refusals: {
      refused_amount: mollieError(422, 'Unprocessable Entity', 'The amount is too high', 'amount.value'),
      refused_method: mollieError(422, 'Unprocessable Entity', 'The method is not activated', 'method'),
      refused_account: mollieError(422, 'Unprocessable Entity', 'The profile is invalid', 'profileId'),
      refused_other: mollieError(422, 'Unprocessable Entity', 'The webhook URL is invalid', 'webhookUrl'),
    },
    paid: (changes) => json(200, payment({ status: 'paid', ...changes })),
    cosmetic: [
      ...ENDS.map((expiresAt) => ({ expiresAt })),
      { _links: null },
      { _links: undefined },
      { _links: { checkout: 'gone' } },
      { _links: { checkout: { href: '/checkout' } } },
    ],
    busy: { 409: mollieError(409, 'Conflict', 'A request with this idempotency key is in progress') },
  },
  multisafepay: {
    at: atMultiSafepay,
    reference: paymentRequest.job,
    created: createdOrder(),
    checkoutUrl: PAGE,
    expiresAt: null,
    asks: [
      'POST https://api.multisafepay.com/v1/json/orders',
      `GET https://api.multisafepay.com/v1/json/orders/${paymentRequest.job}`,
      'GET https://api.multisafepay.com/v1/json/gateways',
    ],
    account: { api_key: API_KEY },
    working: json(200, { success: true, data: [] }),
    unknown: [
      ...[404, 200].map((status) => failure(status, 1006, 'Invalid transaction ID')),
      failure(404, 1000, 'Not found'),
    ],
    beforeRefund: [],
    refund: json(200, { success: true, data: { transaction_id: 6_303_074 } }),
    others: [
      [failure(400, 1006, 'Invalid transaction ID'), shown({ payment_url: PAGE, amount: 5000 })],
      [failure(400, 1006, 'Invalid transaction ID'), shown({ payment_url: PAGE, currency: 'USD' })],
    ],
    keys: [
      failure(401, 1032, 'Invalid API key'),
      failure(200, 1032, 'Invalid API key'),
      json(403, { message: 'Forbidden' }),
    ],
    refusals: {
      refused_amount: failure(400, 1001, 'Invalid amount'),
      refused_method: failure(409, 1023, 'No gateway (payment method) available'),
      refused_account: failure(410, 1019, 'The site is blocked in your account.'),
      refused_other: failure(400, 1008, 'Invalid description'),
    },
    paid: (changes) => shown({ status: 'completed', financial_status: 'completed', ...changes }),
    cosmetic: [
      { payment_url: '/connect' },
      { payment_url: 7 },
      { payment_methods: {} },
      { payment_methods: 'IDEAL' },
      { var1: 7 },
      { status: 'refunded', financial_status: 'half_refunded' },
    ],
    busy: {},
  },
  stripe: {
    at: atStripe,
    reference: 'cs_test_a1YS1URlnyQCN5fUUduO',
    created: json(200, session()),
    checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_test_a1YS1URlnyQCN5fUUduO#fid',
    expiresAt: END,
    asks: [
      'POST https://api.stripe.com/v1/checkout/sessions',
      'GET https://api.stripe.com/v1/checkout/sessions/cs_test_a1YS1URlnyQCN5fUUduO?expand[]=payment_intent.latest_charge.refunds',
      'GET https://api.stripe.com/v1/checkout/sessions?limit=1',
    ],
    account: { authorization: `Bearer ${SECRET_KEY}`, 'stripe-version': '2026-10-28.endive' },
    working: json(200, { object: 'list', data: [], has_more: false }),
    unknown: [stripeError(404, 'No such checkout.session')],
    beforeRefund: [
      json(200, session({ status: 'complete', payment_status: 'paid', payment_intent: 'pi_3Mtw' })),
    ],
    refund: json(200, { id: 're_1', status: 'pending' }),
    others: [[json(200, session({ amount_total: 5000 }))], [json(200, session({ currency: 'usd' }))]],
    keys: [
      stripeError(401, 'Invalid API Key provided'),
      stripeError(403, 'The provided key does not have the required permissions'),
    ],
    refusals: {
      refused_amount: stripeError(400, 'Too small', { param: 'line_items[0][price_data][unit_amount]' }),
      refused_method: stripeError(400, 'Not activated', { param: 'allowed_payment_method_types[0]' }),
      refused_account: stripeError(400, 'Cannot currently make live charges', {
        code: 'testmode_charges_only',
      }),
      refused_other: stripeError(400, 'Not a valid URL', { code: 'url_invalid', param: 'success_url' }),
    },
    paid: (changes) => json(200, session({ status: 'complete', payment_status: 'paid', ...changes })),
    cosmetic: [
      ...['2026-11-21T10:15Z', 1.5, null, undefined].map((expires_at) => ({ expires_at })),
      { url: '/c/pay' },
      { url: 7 },
      { payment_intent: { status: 'weird' } },
      { payment_intent: {} },
      { payment_intent: 7 },
    ],
    busy: {
      409: stripeError(409, 'There is currently another in-progress request using this Idempotent Key', {
        code: 'idempotency_key_in_use',
      }),
    },
  },
}

/** None of these says that the payment failed or that it exists. */
const NO_ANSWERS: [string, Answer][] = [
  ['408', json(408, {})],
  ['429', json(429, { error: 'Slow down' })],
  ['500', json(500, { error: 'Please try again' })],
  ['503 with a page', html(503)],
  ['200 with a page', html(200)],
  ['403 with a page of something in front of the PSP', html(403)],
  ['a redirect', html(302, { location: 'https://elsewhere.test/' })],
  ['a connection that is closed', closedConnection],
  ['JSON without a payment', json(200, { hello: 'world' })],
  ['null', json(200, null)],
]

afterEach(() => vi.useRealTimers())

it('covers every adapter', () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(ADAPTERS))
})

const { job } = paymentRequest
const REFUND = { id: 'b1e5', amount: 500, currency: 'EUR', description: 'Refund of order A-7', round: 1 }

describe.each(Object.entries(CASES))('the adapter of %s', (_, psp) => {
  const { at, reference, created, paid } = psp
  const announce = ({ psp: opened }: Scripted) => opened.announce(paymentRequest, patience)
  const ask = ({ psp: opened }: Scripted) => opened.ask(reference, 'EUR')
  const stop = ({ psp: opened }: Scripted) => opened.stop(reference, 'EUR')
  const check = ({ psp: opened }: Scripted) => opened.check()
  const refund = ({ psp: opened }: Scripted) =>
    opened.refund({ job, reference, payment: '993617894903480A' }, REFUND)
  const atRefund = (answer: Answer, ...others: Answer[]) => {
    const [first = answer, ...more] = [...psp.beforeRefund, answer, ...others]
    return at(first, ...more)
  }

  it('announces a payment by one request, which is always the same to the byte', async () => {
    const scripted = at(created)
    expect(await announce(scripted)).toEqual({
      is: 'announced',
      way: 'page',
      reference,
      checkoutUrl: psp.checkoutUrl,
      expiresAt: psp.expiresAt,
    })
    await announce(scripted)
    expect(scripted.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([psp.asks[0], psp.asks[0]])
    const [first, second] = await Promise.all(scripted.requests.map(bodyOf))
    expect(second).toBe(first)
  })

  it('asks about a payment, and checks its key, by one request each in the name of the account', async () => {
    const asked = at(created)
    await ask(asked)
    const checked = at(psp.working)
    expect(await check(checked)).toEqual({ is: 'working' })
    const requests = [...asked.requests, ...checked.requests]
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(psp.asks.slice(1))
    for (const { headers } of requests) expect(Object.fromEntries(headers)).toMatchObject(psp.account)
    expect(await check(at(json(503, {})))).toMatchObject({ is: 'unavailable' })
  })

  it('asks at no other address, whatever a reference is', async () => {
    const scripted = at(created)
    await scripted.psp.ask('../refunds?x=1#', 'EUR')
    expect(scripted.requests[0]?.url).toContain('/..%2Frefunds%3Fx%3D1%23')
  })

  it.each(psp.unknown)('knows no payment that the PSP does not have, case %#', async (answer) => {
    expect(await ask(at(answer))).toEqual({ is: 'unknown' })
    expect(await stop(at(answer))).toEqual({ is: 'unknown' })
  })

  it('says nothing about a payment after a question that the PSP refuses', async () => {
    const seen = await ask(at(psp.refusals.refused_other))
    expect(seen).toMatchObject({ is: 'unavailable' })
    expect(seen).not.toHaveProperty('accountRefused')
  })

  it('takes a refused key as no answer to an order, a question or a refund: the account is refused', async () => {
    for (const answer of psp.keys) {
      const refused = { is: 'unavailable', accountRefused: true }
      expect(await announce(at(answer))).toMatchObject(refused)
      expect(await ask(at(answer))).toMatchObject(refused)
      expect(await refund(atRefund(answer))).toMatchObject(refused)
      expect(await check(at(answer))).toMatchObject({
        is: 'refused',
        message: expect.stringContaining('refused the account'),
      })
    }
  })

  it.each(Object.entries(psp.refusals))('knows %s', async (reason, answer) => {
    expect(await announce(at(answer))).toMatchObject({ is: 'refused', reason })
  })

  it('says in the words of the PSP why it refuses a refund', async () => {
    expect(await refund(atRefund(psp.refusals.refused_other))).toMatchObject({
      is: 'refused',
      message: expect.stringMatching(/refused the refund: \w/),
    })
  })

  it.each(psp.cosmetic)('sees that a payment is paid, whatever it makes of %j', async (changes) => {
    expect(await ask(at(paid(changes)))).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
  })

  it.each([
    ['of another amount', psp.others[0]],
    ['in another currency', psp.others[1]],
  ])('does not take a payment %s for the one that it announced', async (_what, answers) => {
    const answer = await announce(at(...answers))
    expect(answer.is).not.toBe('announced')
    expect(answer).toMatchObject({ message: expect.stringMatching(/amount|currency|another order/) })
  })

  describe.each<[string, (answer: Answer) => Scripted, (scripted: Scripted) => Promise<object>]>([
    ['announcing', at, announce],
    ['asking', at, ask],
    ['stopping', at, stop],
    ['refunding', atRefund, refund],
  ])('when %s', (_doing, before, call) => {
    it.each(NO_ANSWERS)('takes %s as no answer', async (_name, answer) => {
      expect(await call(before(answer))).toMatchObject(UNANSWERED)
    })

    it('reports how long the PSP wants no request', async () => {
      const answer = json(429, {}, { 'retry-after': '7' })
      expect(await call(before(answer))).toMatchObject({ is: 'unavailable', retryAfter: 7 })
    })

    it('does not follow a redirect of the PSP', async () => {
      const scripted = before(html(307, { location: 'https://elsewhere.test/' }))
      await call(scripted)
      expect(new Set(scripted.requests.map(({ redirect }) => redirect))).toEqual(new Set(['manual']))
    })
  })

  describe.each([
    ['does not answer', hang],
    ['stops in the middle of its answer', stall],
  ])('with a PSP that %s', (_name, silence) => {
    it.each<[string, () => Promise<unknown>]>([
      [
        'announcing',
        () => withDeadline(8000, (deadline) => at(silence).psp.announce(paymentRequest, deadline)),
      ],
      ['asking', () => ask(at(silence))],
      ['stopping', () => stop(at(silence))],
      ['checking', () => check(at(silence))],
      ['refunding', () => refund(atRefund(silence))],
    ])('waits eight seconds when %s', async (_doing, call) => {
      await expectEightSeconds(call)
    })
  })

  describe.each(Object.entries(psp.busy))(
    'with a PSP that is busy with the same request (%s)',
    (_status, answer) => {
      it.each([
        ['payment', (...answers: Answers) => at(...answers), announce, job, created],
        ['refund', (...answers: Answers) => atRefund(...answers), refund, REFUND.id, psp.refund],
      ] as const)(
        'asks again until the %s is there, with the same key and body',
        async (_what, before, call, key, done) => {
          const scripted = before(answer, answer, done)
          const answered = await withOwnTimers(async () => {
            const calling = call(scripted)
            await vi.advanceTimersByTimeAsync(1000)
            return calling
          })
          expect(answered).toMatchObject({ is: expect.stringMatching(/announced|taken/) })
          const [first, second, third] = await Promise.all(
            scripted.requests
              .slice(-3)
              .map(async (request) => [request.headers.get('idempotency-key'), await bodyOf(request)]),
          )
          expect(first?.[0]).toMatch(new RegExp(`^${key}`))
          expect([second, third]).toEqual([first, first])
        },
      )

      it('does not ask again after the one deadline of all these requests, which counts as no refusal', async () => {
        const deadline = new AbortController()
        const { psp: opened, requests } = at(answer, (request) => {
          deadline.abort()
          return answer(request)
        })
        const announced = await withOwnTimers(async () => {
          const announcing = opened.announce(paymentRequest, deadline.signal)
          await vi.advanceTimersByTimeAsync(1000)
          return announcing
        })
        expect(announced).toMatchObject({ is: 'unavailable' })
        expect(requests).toHaveLength(2)
      })
    },
  )
})
