import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answer, atStripe, bodyOf, charge, json, session, stripeError } from './stripe-double.ts'

const busy = stripeError(409, 'There is currently another in-progress request using this Idempotent Key', {
  code: 'idempotency_key_in_use',
})
const hang: Answer = (request) =>
  new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
const stall: Answer = async (request) =>
  new Response(
    new ReadableStream({
      start: (body) => request.signal.addEventListener('abort', () => body.error(request.signal.reason)),
    }),
  )

/** Gives the test the deadline in hand; the real one is eight seconds. */
const deadline = () => {
  const controller = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal)
  return { timeout, pass: () => controller.abort(new DOMException('too late', 'TimeoutError')) }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe.each([
  ['does not answer', hang],
  ['stops in the middle of its answer', stall],
])('a Stripe that %s', (_, silence) => {
  it.each([
    ['announcing', () => atStripe(silence).psp.announce(charge)],
    ['pulling', () => atStripe(silence).psp.pull('cs_test_1', 'EUR')],
    ['stopping', async () => atStripe(silence).psp.stop?.('cs_test_1', 'EUR')],
  ])('is waited for eight seconds when %s', async (_name, ask) => {
    const { timeout, pass } = deadline()
    const answer = ask()
    expect(timeout.mock.calls).toEqual([[8000]])
    setTimeout(pass, 10)
    expect(await answer).toEqual({
      is: 'unavailable',
      message: 'The payment service provider did not answer in time.',
    })
  })
})

describe('a Stripe that has the same announcement under way', () => {
  it('is asked again until it has the payment, with the same key and body', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { psp, requests } = atStripe(busy, busy, json(200, session()))
    const answer = psp.announce(charge)
    await vi.runAllTimersAsync()
    expect(await answer).toMatchObject({ is: 'announced', reference: 'cs_test_a1YS1URlnyQCN5fUUduO' })
    const [first, second, third] = await Promise.all(
      requests.map(async (request) => [request.headers.get('idempotency-key'), await bodyOf(request)]),
    )
    expect(first?.[0]).toBe(charge.job)
    expect([second, third]).toEqual([first, first])
  })

  it('is not asked again after the one deadline of all these requests', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { timeout, pass } = deadline()
    const { psp, requests } = atStripe(busy, (request) => {
      pass()
      return busy(request)
    })
    const answer = psp.announce(charge)
    await vi.runAllTimersAsync()
    expect(await answer).toMatchObject({ is: 'unavailable' })
    expect(requests).toHaveLength(2)
    expect(timeout).toHaveBeenCalledTimes(1)
  })
})
