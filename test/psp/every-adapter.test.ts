import { afterEach, describe, expect, it, vi } from 'vitest'
import { ADAPTERS } from '../../src/psp/adapters.ts'
import { withDeadline } from '../../src/platform/deadline.ts'
import { LINK, adyenError, atAdyen, link } from './adyen/at-adyen.ts'
import { withOwnTimers } from '../support/own-timers.ts'
import { expectEightSeconds } from './eight-seconds.ts'
import { atMollie, mollieError, payment } from './mollie/at-mollie.ts'
import {
  PAGE,
  atMultiSafepay,
  created as createdOrder,
  failure,
  shown,
} from './multisafepay/at-multisafepay.ts'
import type { RefusalReason } from '../../src/psp/answer.ts'
import {
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
import { atStripe, session, stripeError } from './stripe/at-stripe.ts'

/**
 * What holds at every PSP. `busy` is how a PSP says that it has the same announcement under way,
 * where it does.
 */
type Case = {
  at: (...answers: Answers) => Scripted
  reference: string
  created: Answer
  /** Answers to the announcement with a payment of another amount, or in another currency. */
  others: readonly [Answers, Answers]
  /** How the PSP refuses a key, and how it refuses an order, by the reason. */
  keys: Answers
  refusals: Record<RefusalReason, Answer>
  /** The payment, paid, with these members instead of its own. */
  paid: (changes: object) => Answer
  /** Members that decide nothing about a paid payment, in forms that nobody has documented. */
  cosmetic: readonly object[]
  busy: Record<string, Answer>
}

const IN_PROGRESS = 'request already processed or in progress'

/** Ends of a payment that are written otherwise than RFC 3339 has it, or are none. */
const ENDS = ['2026-11-21T10:15Z', '2026-11-21T10:14:60Z', '2026-11-21t10:15:00z', 'tomorrow', '', 7, {}]

const CASES: Record<string, Case> = {
  adyen: {
    at: atAdyen,
    reference: LINK,
    created: json(201, link()),
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

/** None of these says that the payment failed, or that it is there. */
const NO_ANSWERS: [string, Answer][] = [
  ['408', json(408, {})],
  ['429', json(429, { error: 'Slow down' })],
  ['500', json(500, { error: 'Please try again' })],
  ['503 with a page', html(503)],
  ['200 with a page', html(200)],
  ['403 with a page of something before the PSP', html(403)],
  ['a redirect', html(302, { location: 'https://elsewhere.test/' })],
  ['a connection that is closed', closedConnection],
  ['JSON that is no payment', json(200, { hello: 'world' })],
  ['null', json(200, null)],
]

afterEach(() => vi.useRealTimers())

it('has every adapter before it', () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(ADAPTERS))
})

describe.each(Object.entries(CASES))(
  'the adapter of %s',
  (_, { at, reference, created, others, keys, refusals, paid, cosmetic, busy }) => {
    const announce = ({ psp }: Scripted) => psp.announce(paymentRequest, patience)
    const ask = ({ psp }: Scripted) => psp.ask(reference, 'EUR')
    const stop = ({ psp }: Scripted) => psp.stop(reference, 'EUR')
    const check = ({ psp }: Scripted) => psp.check()

    it('takes a refused key as no answer to an order: another account may take it', async () => {
      for (const answer of keys) {
        expect(await announce(at(answer))).toMatchObject({ is: 'unavailable', accountRefused: true })
        expect(await check(at(answer))).toMatchObject({ is: 'refused', message: expect.stringMatching(/\w/) })
      }
    })

    it.each(Object.entries(refusals))('knows %s', async (reason, answer) => {
      expect(await announce(at(answer))).toMatchObject({ is: 'refused', reason })
    })

    it.each(cosmetic)('sees that a payment is paid, whatever it makes of %j', async (changes) => {
      expect(await ask(at(paid(changes)))).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
    })

    it.each([
      ['of another amount', others[0]],
      ['in another currency', others[1]],
    ])('does not take a payment %s for the one that it announced', async (_what, answers) => {
      const answer = await announce(at(...answers))
      expect(answer.is).not.toBe('announced')
      expect(answer).toMatchObject({ message: expect.stringMatching(/amount|currency|another order/) })
    })

    describe.each([
      ['announcing', announce],
      ['asking', ask],
    ])('when %s', (_doing, call) => {
      it.each(NO_ANSWERS)('takes %s as no answer', async (_name, answer) => {
        expect(await call(at(answer))).toMatchObject({
          is: 'unavailable',
          message: expect.stringMatching(/\w/),
        })
      })

      it('tells how long the PSP wants to be left alone', async () => {
        const answer = json(429, {}, { 'retry-after': '7' })
        expect(await call(at(answer))).toMatchObject({ is: 'unavailable', retryAfter: 7 })
      })

      it('does not let the PSP send it elsewhere', async () => {
        const scripted = at(html(307, { location: 'https://elsewhere.test/' }))
        await call(scripted)
        expect(scripted.requests.map(({ redirect }) => redirect)).toEqual(['manual'])
      })
    })

    describe.each([
      ['does not answer', hang],
      ['stops in the middle of its answer', stall],
    ])('before a PSP that %s', (_name, silence) => {
      it.each<[string, () => Promise<unknown>]>([
        [
          'announcing',
          () => withDeadline(8000, (deadline) => at(silence).psp.announce(paymentRequest, deadline)),
        ],
        ['asking', () => ask(at(silence))],
        ['stopping', () => stop(at(silence))],
        ['checking', () => check(at(silence))],
      ])('waits eight seconds when %s', async (_doing, call) => {
        await expectEightSeconds(call)
      })
    })

    describe.each(Object.entries(busy))(
      'before a PSP that is busy with the same announcement (%s)',
      (_status, answer) => {
        it('asks again until the payment is there, with the same key and body', async () => {
          const scripted = at(answer, answer, created)
          const announced = await withOwnTimers(async () => {
            const announcing = announce(scripted)
            await vi.advanceTimersByTimeAsync(1000)
            return announcing
          })
          expect(announced).toMatchObject({ is: 'announced', reference })
          const [first, second, third] = await Promise.all(
            scripted.requests.map(async (request) => [
              request.headers.get('idempotency-key'),
              await bodyOf(request),
            ]),
          )
          expect(first?.[0]).toBe(paymentRequest.job)
          expect([second, third]).toEqual([first, first])
        })

        it('does not ask again after the one deadline of all these requests, and has been refused nothing', async () => {
          const deadline = new AbortController()
          const { psp, requests } = at(answer, (request) => {
            deadline.abort()
            return answer(request)
          })
          const announced = await withOwnTimers(async () => {
            const announcing = psp.announce(paymentRequest, deadline.signal)
            await vi.advanceTimersByTimeAsync(1000)
            return announcing
          })
          expect(announced).toMatchObject({ is: 'unavailable' })
          expect(requests).toHaveLength(2)
        })
      },
    )
  },
)
