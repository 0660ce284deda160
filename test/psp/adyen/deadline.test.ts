import { afterEach, describe, expect, it, vi } from 'vitest'
import { within } from '../../../src/psp/deadline.ts'
import { LINK, adyenError, atAdyen, link } from './at-adyen.ts'
import { hang, json, paymentRequest } from '../scripted.ts'
import { adyenFake } from '../../support/psps/adyen.ts'
import { expectEightSeconds } from '../eight-seconds.ts'
import { patience } from '../patience.ts'

const BUSY = 'request already processed or in progress'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it.each([
  ['announcing', () => within(8000, (deadline) => atAdyen(hang).psp.announce(paymentRequest, deadline))],
  ['pulling', () => atAdyen(hang).psp.pull(LINK, 'EUR')],
  ['stopping', async () => atAdyen(hang).psp.stop(LINK, 'EUR')],
  ['checking', () => atAdyen(hang).psp.check()],
])('an Adyen that does not answer is waited for eight seconds when %s', async (_, ask) => {
  await expectEightSeconds(ask)
})

describe.each([409, 422])(
  'an Adyen that has the same announcement under way, and says so with %d',
  (status) => {
    const busy = adyenError(status, '704', BUSY)

    it('is asked again until it has the payment, with the same key and body', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      const { psp, requests } = atAdyen(busy, busy, json(201, link()))
      const answer = psp.announce(paymentRequest, patience)
      await vi.runAllTimersAsync()
      expect(await answer).toMatchObject({ is: 'announced', reference: LINK })
      const [first, second, third] = await Promise.all(
        requests.map(async (request) => [request.headers.get('idempotency-key'), await request.text()]),
      )
      expect(first?.[0]).toBe(paymentRequest.job)
      expect([second, third]).toEqual([first, first])
    })

    it('is not asked again after the one deadline of all these requests, and has refused nothing', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      const deadline = new AbortController()
      const { psp, requests } = atAdyen(busy, (request) => {
        deadline.abort()
        return busy(request)
      })
      const answer = psp.announce(paymentRequest, deadline.signal)
      await vi.runAllTimersAsync()
      expect(await answer).toMatchObject({ is: 'unavailable' })
      expect(requests).toHaveLength(2)
    })
  },
)

it('takes a 422 with another code as refused at once', async () => {
  const { psp, requests } = atAdyen(adyenError(422, '14_030', 'Return URL is missing.'))
  expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'refused' })
  expect(requests).toHaveLength(1)
})

it('meets a simulator that answers the second of two requests of one key so', async () => {
  const { handle, accounts } = adyenFake()
  const { apiKey, merchantAccount } = accounts[0] as { apiKey: string; merchantAccount: string }
  const create = () =>
    handle(
      new Request('https://checkout-test.adyen.com/v71/paymentLinks', {
        method: 'POST',
        headers: {
          'x-api-key': apiKey,
          'content-type': 'application/json',
          'idempotency-key': paymentRequest.job,
        },
        body: JSON.stringify({
          merchantAccount,
          reference: paymentRequest.job,
          amount: { currency: 'EUR', value: 1 },
        }),
      }),
    )
  const [first, second] = await Promise.all([create(), create()])
  expect([first.status, second.status]).toEqual([201, 409])
  expect(await second.json()).toMatchObject({ errorCode: '704', message: BUSY })
  expect(await (await create()).json()).toEqual(await first.json())
})
