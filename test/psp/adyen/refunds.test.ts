import { afterEach, describe, expect, it, vi } from 'vitest'
import { CREDENTIALS, LINK, atAdyen } from './samples.ts'
import { UNANSWERED, type Answers, json, paymentRequest } from '../scripted.ts'

const { job } = paymentRequest

afterEach(() => {
  vi.useRealTimers()
})
const PAYMENT = { job, reference: LINK, payment: '993617894903480A' }
const REFUND = {
  id: '5a1f0c66-3f0e-4f3a-8a53-9d7a1c2b3e4f',
  amount: 500,
  currency: 'EUR',
  description: 'Refund of order A-7',
  round: 1,
}

/** The example of https://github.com/Adyen/adyen-openapi, json/CheckoutService-v71.json. */
const RECEIVED = {
  merchantAccount: CREDENTIALS.merchantAccount,
  paymentPspReference: PAYMENT.payment,
  reference: `${job}.${REFUND.id}`,
  pspReference: '993617894906488A',
  status: 'received',
  amount: { currency: 'EUR', value: 500 },
}

async function refund(...answers: Answers) {
  const { psp, requests } = atAdyen(...answers)
  return { answer: await psp.refund(PAYMENT, REFUND), requests }
}

describe('a refund', () => {
  it('is one POST with its id as idempotency key, and the ids of job and refund as reference', async () => {
    const { answer, requests } = await refund(json(201, RECEIVED))
    expect(answer).toEqual({ is: 'taken', reference: '993617894906488A', state: 'pending' })
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST https://checkout-test.adyen.com/v71/payments/${PAYMENT.payment}/refunds`,
    ])
    expect(requests[0]?.headers.get('idempotency-key')).toBe(REFUND.id)
    const body = await requests[0]?.json<{ reference: string }>()
    expect(body).toEqual({
      merchantAccount: CREDENTIALS.merchantAccount,
      amount: { currency: 'EUR', value: 500 },
      reference: `${job}.${REFUND.id}`,
      lineItems: [{ id: '1', description: REFUND.description, quantity: 1, amountIncludingTax: 500 }],
    })
    expect(body?.reference.length).toBeLessThanOrEqual(80)
  })

  it("has its amount in Adyen's units", async () => {
    const { psp, requests } = atAdyen(json(201, RECEIVED))
    await psp.refund(PAYMENT, { ...REFUND, currency: 'ISK', amount: 500 })
    expect(await requests[0]?.json()).toMatchObject({ amount: { currency: 'ISK', value: 50_000 } })
  })

  it('is refused without a request to Adyen while the payment is unknown', async () => {
    const { psp, requests } = atAdyen(json(201, RECEIVED))
    expect(await psp.refund({ ...PAYMENT, payment: null }, REFUND)).toMatchObject({
      is: 'refused',
      message: expect.stringContaining('Try again later'),
    })
    expect(requests).toEqual([])
  })

  it.each([
    ['a refund without a reference', json(201, { ...RECEIVED, pspReference: '' })],
    ['a refund in a state that Adyen does not have', json(201, { ...RECEIVED, status: 'done' })],
  ])('may have been accepted if the answer is %s', async (_, answer) => {
    expect((await refund(answer)).answer).toMatchObject(UNANSWERED)
  })
})
