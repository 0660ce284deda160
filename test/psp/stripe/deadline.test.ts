import { afterEach, describe, expect, it, vi } from 'vitest'
import { within } from '../../../src/psp/deadline.ts'
import { atStripe, session, stripeError } from './at-stripe.ts'
import { bodyOf, hang, json, paymentRequest, stall } from '../scripted.ts'
import { expectEightSeconds } from '../eight-seconds.ts'
import { patience } from '../patience.ts'

const busy = stripeError(409, 'There is currently another in-progress request using this Idempotent Key', {
  code: 'idempotency_key_in_use',
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe.each([
  ['does not answer', hang],
  ['stops in the middle of its answer', stall],
])('a Stripe that %s', (_, silence) => {
  it.each([
    [
      'announcing',
      () => within(8000, (deadline) => atStripe(silence).psp.announce(paymentRequest, deadline)),
    ],
    ['pulling', () => atStripe(silence).psp.pull('cs_test_1', 'EUR')],
    ['stopping', async () => atStripe(silence).psp.stop('cs_test_1', 'EUR')],
  ])('is waited for eight seconds when %s', async (_name, ask) => {
    await expectEightSeconds(ask)
  })
})

describe('a Stripe that has the same announcement under way', () => {
  it('is asked again until it has the payment, with the same key and body', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { psp, requests } = atStripe(busy, busy, json(200, session()))
    const answer = psp.announce(paymentRequest, patience)
    await vi.runAllTimersAsync()
    expect(await answer).toMatchObject({ is: 'announced', reference: 'cs_test_a1YS1URlnyQCN5fUUduO' })
    const [first, second, third] = await Promise.all(
      requests.map(async (request) => [request.headers.get('idempotency-key'), await bodyOf(request)]),
    )
    expect(first?.[0]).toBe(paymentRequest.job)
    expect([second, third]).toEqual([first, first])
  })

  it('is not asked again after the one deadline of all these requests', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const deadline = new AbortController()
    const { psp, requests } = atStripe(busy, (request) => {
      deadline.abort()
      return busy(request)
    })
    const answer = psp.announce(paymentRequest, deadline.signal)
    await vi.runAllTimersAsync()
    expect(await answer).toMatchObject({ is: 'unavailable' })
    expect(requests).toHaveLength(2)
  })
})

describe('a Stripe that repeats its fault of before', () => {
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

  it('is left alone after a fault that is new', async () => {
    const { psp, requests } = atStripe(repeated, fault())
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'unavailable' })
    expect(keysOf(requests)).toEqual([paymentRequest.job, `${paymentRequest.job}-2`])
  })

  it('is not asked for ever', async () => {
    const { psp, requests } = atStripe(repeated)
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'unavailable' })
    expect(requests).toHaveLength(4)
  })
})
