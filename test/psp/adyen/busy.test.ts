import { expect, it } from 'vitest'
import { adyenError, atAdyen } from './at-adyen.ts'
import { paymentRequest, patience } from '../scripted.ts'
import { adyenFake } from '../../support/psps/adyen.ts'

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
  expect(await second.json()).toMatchObject({
    errorCode: '704',
    message: 'request already processed or in progress',
  })
  expect(await (await create()).json()).toEqual(await first.json())
})
