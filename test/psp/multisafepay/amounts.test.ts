import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../../src/contract/money.ts'
import { announced, atMultiSafepay, created, shown } from './at-multisafepay.ts'
import { paymentRequest, patience } from '../scripted.ts'

/**
 * Two decimals are cents, and MultiSafepay's documents name JPY as the one currency that has none.
 */
function isSent(currency: string) {
  return currency === 'JPY' || decimalsOf(currency) === 2
}

/** The amounts an order can have: up to eleven digits before the point. */
function amountIn(currency: string) {
  return fc.integer({ min: 1, max: 10 ** (11 + decimalsOf(currency)) - 1 })
}

it(
  'reads back what it announced as the same minor units, in every currency that it sends',
  { timeout: 30_000 },
  async () => {
    expect(CURRENCIES.length).toBeGreaterThan(150)
    for (const currency of CURRENCIES.filter(isSent)) {
      const property = fc.asyncProperty(amountIn(currency), async (amount) => {
        const sent = await announced({ currency, amount })
        expect(sent).toMatchObject({ currency })
        const paid = { status: 'completed', financial_status: 'completed' }
        const { psp } = atMultiSafepay(shown({ ...paid, currency, amount: sent['amount'] }))
        expect(await psp.ask(paymentRequest.job, currency)).toMatchObject({
          status: 'SUCCESS',
          paid: amount,
        })
      })
      await fc.assert(property, { numRuns: 20 })
    }
  },
)

it.each(CURRENCIES.filter((currency) => !isSent(currency)))(
  'refuses %s before it asks: how MultiSafepay counts it is not certain',
  async (currency) => {
    const { psp, requests } = atMultiSafepay(created())
    expect(await psp.announce({ ...paymentRequest, currency, amount: 1000 }, patience)).toMatchObject({
      is: 'refused',
      message: `MultiSafepay counts amounts in cents, and the hub does not know how it counts ${currency}.`,
    })
    expect(requests).toEqual([])
  },
)

it.each(['KWD', 'KRW', 'CLP'])(
  'still asks about an order in %s that was announced before',
  async (currency) => {
    const { psp } = atMultiSafepay(
      shown({ status: 'completed', financial_status: 'completed', currency, amount: 1000 }),
    )
    expect(await psp.ask(paymentRequest.job, currency)).toMatchObject({ is: 'observed', paid: 1000 })
  },
)

/**
 * https://docs.multisafepay.com/docs/currencies: "value for 10 EUR = 1000", "value for ¥10 = 10".
 */
it.each([
  ['EUR', 1000, 1000],
  ['JPY', 10, 10],
  ['USD', 1, 1],
  ['HUF', 199_900, 199_900],
])('sends %s, %d minor units, as %d', async (currency, amount, sent) => {
  expect(await announced({ currency, amount })).toMatchObject({ currency, amount: sent })
})
