import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../../src/contract/money.ts'
import { LINK, announced, atAdyen, link } from './at-adyen.ts'
import { json, paymentRequest, patience } from '../scripted.ts'

/** The amounts an order can have: up to eleven digits before the point. */
function amountIn(currency: string) {
  return fc.integer({ min: 1, max: 10 ** (11 + decimalsOf(currency)) - 1 })
}

const WHOLE_ONLY = ['CVE', 'IDR']

it(
  'reads back what it announced as the same minor units, in every currency',
  { timeout: 30_000 },
  async () => {
    for (const currency of CURRENCIES) {
      const property = fc.asyncProperty(amountIn(currency), async (any) => {
        const amount = WHOLE_ONLY.includes(currency) ? any - (any % 100) + 100 : any
        const sent = await announced({ currency, amount })
        const { psp } = atAdyen(json(200, link({ status: 'completed', amount: sent['amount'] })))
        expect(await psp.ask(LINK, currency)).toMatchObject({ status: 'SUCCESS', paid: amount })
      })
      await fc.assert(property, { numRuns: 20 })
    }
  },
)

it.each(WHOLE_ONLY)(
  'refuses parts of a whole %s, which Adyen cannot take, and asks nothing',
  async (currency) => {
    const property = fc.asyncProperty(
      amountIn(currency).filter((amount) => amount % 100 !== 0),
      async (amount) => {
        const { psp, requests } = atAdyen(json(201, link()))
        expect(await psp.announce({ ...paymentRequest, currency, amount }, patience)).toMatchObject({
          is: 'refused',
          message: `Adyen takes only whole amounts of ${currency}.`,
        })
        expect(requests).toEqual([])
      },
    )
    await fc.assert(property, { numRuns: 50 })
  },
)

/** https://docs.adyen.com/development-resources/currency-codes */
it.each([
  ['EUR', 1250, 1250],
  ['JPY', 1000, 1000],
  ['BHD', 1234, 1234],
  ['HUF', 199_900, 199_900],
  ['CLP', 1000, 100_000],
  ['ISK', 1, 100],
  ['IDR', 1_500_000, 15_000],
  ['CVE', 100, 1],
])('sends %s, %d of ISO 4217, as %d', async (currency, amount, value) => {
  expect(await announced({ currency, amount })).toHaveProperty('amount', { currency, value })
})

it.each([
  ['CLP', 1250],
  ['ISK', 99],
])('does not believe %s %d, which ISO 4217 has no unit for', async (currency, value) => {
  const { psp } = atAdyen(json(200, link({ status: 'completed', amount: { currency, value } })))
  expect(await psp.ask(LINK, currency)).toMatchObject({ is: 'unavailable' })
})
