import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../../src/domain/currency.ts'
import { announced, atMultiSafepay, shown } from './at-multisafepay.ts'
import { paymentRequest } from '../scripted.ts'

/** The amounts an order can have: up to eleven digits before the point. */
const amountIn = (currency: string) => fc.integer({ min: 1, max: 10 ** (11 + decimalsOf(currency)) - 1 })

it(
  'reads back what it announced as the same minor units, in every currency',
  { timeout: 30_000 },
  async () => {
    expect(CURRENCIES.length).toBeGreaterThan(150)
    for (const currency of CURRENCIES) {
      const property = fc.asyncProperty(amountIn(currency), async (amount) => {
        const sent = await announced({ currency, amount })
        expect(sent).toMatchObject({ currency })
        const paid = { status: 'completed', financial_status: 'completed' }
        const { psp } = atMultiSafepay(shown({ ...paid, currency, amount: sent['amount'] }))
        expect(await psp.pull(paymentRequest.job, currency)).toMatchObject({
          status: 'SUCCESS',
          paid: amount,
        })
      })
      await fc.assert(property, { numRuns: 20 })
    }
  },
)

/** https://docs.multisafepay.com/docs/currencies: "value for 10 EUR = 1000", "value for ¥10 = 10". */
it.each([
  ['EUR', 1000, 1000],
  ['JPY', 10, 10],
  ['USD', 1, 1],
  ['HUF', 199_900, 199_900],
])('sends %s, %d minor units, as %d', async (currency, amount, sent) => {
  expect(await announced({ currency, amount })).toMatchObject({ currency, amount: sent })
})
