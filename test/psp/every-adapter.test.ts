import { afterEach, describe, expect, it, vi } from 'vitest'
import { ADAPTERS } from '../../src/psp/adapters.ts'
import { withDeadline } from '../../src/platform/deadline.ts'
import { withOwnTimers } from '../support/time/own-timers.ts'
import { expectEightSeconds } from './eight-seconds.ts'
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
import { SAMPLES } from './samples.ts'

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
  expect(Object.keys(SAMPLES).toSorted()).toEqual(Object.keys(ADAPTERS).toSorted())
})

it.each(Object.entries(SAMPLES))('has samples of each kind from %s', (_psp, samples) => {
  const { unknown, keys, cosmetic, refused, nonsense, unpayable, unbelievable } = samples
  const [values, examples] = [samples.amounts.values, samples.notifications.examples]
  const kinds = { unknown, keys, cosmetic, refused, nonsense, unpayable, unbelievable, values, examples }
  const missing = Object.keys(kinds).filter((kind) => kinds[kind as keyof typeof kinds].length === 0)
  expect(missing, `they lack ${missing.join(', ')}`).toEqual([])
})

const { job } = paymentRequest
const REFUND = { id: 'b1e5', amount: 500, currency: 'EUR', description: 'Refund of order A-7', round: 1 }

describe.each(Object.entries(SAMPLES))('the adapter of %s', (_, psp) => {
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
              .map(async (request) => [request.headers.get(psp.keyHeader ?? ''), await bodyOf(request)]),
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
