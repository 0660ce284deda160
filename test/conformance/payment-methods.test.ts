import { beforeAll, expect, it } from 'vitest'
import { create, makePos, order, tokenFor } from '../support/hub.ts'
import { TEST_METHODS } from '../../src/psp/adapters.ts'

let token: string
beforeAll(async () => {
  token = await tokenFor(await makePos())
})

function createBy(payment_method: string) {
  return create(token, { ...order, payment_method })
}

it.each(['bitcoin', 'idael', 'sandbox', '__proto__', 'constructor'])(
  'a point of sale in test mode is refused %s as it would be in live mode, and told the methods there are',
  async (method) => {
    const response = await createBy(method)
    expect(response.status).toBe(422)
    const error = `is not a payment method: ${TEST_METHODS.join(', ')}`
    expect(await response.json()).toMatchObject({ field: 'payment_method', error })
  },
)

it.each(['ideal', 'IDEAL', 'wero', 'przelewy24', 'giftcard', 'afterpay', 'mybank', 'Visa', 'giropay', 'in3'])(
  'a point of sale in test mode may use %s, and gets it back as it was sent',
  async (method) => {
    const response = await createBy(method)
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ paymentMethod: method })
  },
)
