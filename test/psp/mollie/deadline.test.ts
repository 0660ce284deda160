import { afterEach, describe, expect, it, vi } from 'vitest'
import { within } from '../../../src/psp/deadline.ts'
import { atMollie, mollieError, payment } from './at-mollie.ts'
import { hang, json, paymentRequest, stall } from '../scripted.ts'
import { expectEightSeconds } from '../eight-seconds.ts'
import { patience } from '../patience.ts'

const busy = mollieError(409, 'Conflict', 'A request with this idempotency key is in progress')

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe.each([
  ['does not answer', hang],
  ['stops in the middle of its answer', stall],
])('a Mollie that %s', (_, silence) => {
  it.each([
    [
      'announcing',
      () => within(8000, (deadline) => atMollie(silence).psp.announce(paymentRequest, deadline)),
    ],
    ['pulling', () => atMollie(silence).psp.pull('tr_7UhSN1zuXS', 'EUR')],
    ['stopping', async () => atMollie(silence).psp.stop('tr_7UhSN1zuXS', 'EUR')],
  ])('is waited for eight seconds when %s', async (_name, ask) => {
    await expectEightSeconds(ask)
  })
})

describe('a Mollie that has the same announcement under way', () => {
  it('is asked again until it has the payment, with the same key and body', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { psp, requests } = atMollie(busy, busy, json(201, payment()))
    const answer = psp.announce(paymentRequest, patience)
    await vi.runAllTimersAsync()
    expect(await answer).toMatchObject({ is: 'announced', reference: 'tr_7UhSN1zuXS' })
    const [first, second, third] = await Promise.all(
      requests.map(async (request) => [request.headers.get('idempotency-key'), await request.text()]),
    )
    expect(first?.[0]).toBe(paymentRequest.job)
    expect([second, third]).toEqual([first, first])
  })

  it('is not asked again after the one deadline of all these requests', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const deadline = new AbortController()
    const { psp, requests } = atMollie(busy, (request) => {
      deadline.abort()
      return busy(request)
    })
    const answer = psp.announce(paymentRequest, deadline.signal)
    await vi.runAllTimersAsync()
    expect(await answer).toMatchObject({ is: 'unavailable' })
    expect(requests).toHaveLength(2)
  })
})
