import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../../src/contract/money.ts'
import { announced, atMollie, payment } from './at-mollie.ts'
import { json } from '../scripted.ts'

/** The amounts an order can have: up to eleven digits before the point. */
function amountIn(currency: string) {
  return fc.integer({ min: 1, max: 10 ** (11 + decimalsOf(currency)) - 1 })
}

it(
  'reads back what it announced as the same minor units, in every currency',
  { timeout: 30_000 },
  async () => {
    expect(CURRENCIES.length).toBeGreaterThan(150)
    for (const currency of CURRENCIES) {
      const property = fc.asyncProperty(amountIn(currency), async (amount) => {
        const sent = await announced({ currency, amount })
        const { psp } = atMollie(json(200, payment({ status: 'paid', amount: sent['amount'] })))
        expect(await psp.ask('tr_7UhSN1zuXS', currency)).toMatchObject({ status: 'SUCCESS', paid: amount })
      })
      await fc.assert(property, { numRuns: 20 })
    }
  },
)

/** https://docs.mollie.com/docs/multicurrency: "Make sure to send the right amount of decimals". */
it.each([
  ['EUR', /^\d+\.\d\d$/],
  ['USD', /^\d+\.\d\d$/],
  ['HUF', /^\d+\.\d\d$/],
  ['TWD', /^\d+\.\d\d$/],
  ['JPY', /^\d+$/],
  ['ISK', /^\d+$/],
])('sends each amount of %s with the decimals that Mollie asks for', async (currency, form) => {
  const property = fc.asyncProperty(amountIn(currency), async (amount) => {
    expect(await announced({ currency, amount })).toHaveProperty('amount.value', expect.stringMatching(form))
  })
  await fc.assert(property, { numRuns: 50 })
})
