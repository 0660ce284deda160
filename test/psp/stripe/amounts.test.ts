import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../../src/contract/money.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { UNITS } from '../../../src/psp/stripe/tables.ts'
import { stripeFake } from '../../support/psps/stripe.ts'
import { atStripe, session } from './at-stripe.ts'
import { json, paymentRequest, patience } from '../scripted.ts'

/** The amounts an order can have: up to eleven digits before the point. */
function amountIn(currency: string) {
  return fc.integer({ min: 1, max: 10 ** (11 + decimalsOf(currency)) - 1 })
}

/** Announces an amount, has it paid, and says what a question then finds; `refused` where it was. */
async function through(currency: string, amount: number): Promise<number | 'refused'> {
  const fake = stripeFake()
  const psp = stripe.open({ fetch: fake.handle, mode: 'live', credentials: fake.accounts[0] })
  const answer = await psp.announce({ ...paymentRequest, currency, amount }, patience)
  if (answer.is !== 'announced') return answer.is === 'refused' ? 'refused' : Number.NaN
  fake.bring(paymentRequest.job, 'paid')
  const seen = await psp.ask(answer.reference, currency)
  return seen.is === 'observed' && seen.status === 'SUCCESS' ? seen.paid : Number.NaN
}

it(
  'brings every amount of every currency to Stripe and back, or is refused',
  { timeout: 30_000 },
  async () => {
    expect(CURRENCIES.length).toBeGreaterThan(150)
    for (const currency of CURRENCIES) {
      const property = fc.asyncProperty(amountIn(currency), async (amount) => {
        expect([amount, 'refused']).toContain(await through(currency, amount))
      })
      await fc.assert(property, { numRuns: 10 })
    }
  },
)

/**
 * What Stripe's special cases take, it takes from here:
 * https://docs.stripe.com/currencies#special-cases
 */
it.each([
  ['EUR', 1],
  ['USD', 1],
  ['HUF', 1],
  ['TWD', 1],
  ['JPY', 1],
  ['ISK', 1],
  ['UGX', 1],
  ['MGA', 100],
  ['KWD', 10],
  ['BHD', 10],
  ['TND', 10],
])('takes the amounts of %s that are multiples of %d minor units, and no others', async (currency, step) => {
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 9_999_999 }), async (amount) => {
    expect(await through(currency, amount)).toBe(amount % step === 0 ? amount : 'refused')
  })
  await fc.assert(property, { numRuns: 50 })
})

describe('an amount that Stripe cannot take', () => {
  it.each([
    ['KWD', 1234, 'Stripe cannot take 1.234 KWD: it takes multiples of 0.010.'],
    ['MGA', 1250, 'Stripe cannot take 12.50 MGA: it takes multiples of 1.00.'],
  ])('of %s is refused without asking it', async (currency, amount, message) => {
    const { psp, requests } = atStripe(json(200, session()))
    expect(await psp.announce({ ...paymentRequest, currency, amount }, patience)).toMatchObject({
      is: 'refused',
      message,
    })
    expect(requests).toEqual([])
  })

  it.each([
    ['EUR', 12.5],
    ['EUR', -1],
    ['EUR', '1250'],
    ['EUR', null],
    ['EUR', 2 ** 53],
    ['ISK', 550],
  ])('of %s, %j, is not believed', async (currency, amount_total) => {
    const paid = {
      status: 'complete',
      payment_status: 'paid',
      currency: currency.toLowerCase(),
      amount_total,
    }
    const { psp } = atStripe(json(200, session(paid)))
    expect(await psp.ask('cs_test_1', currency)).toMatchObject({ is: 'unavailable' })
  })
})

it('counts each currency by itself that ISO 4217 does not count with two decimals', () => {
  expect(CURRENCIES.filter((currency) => decimalsOf(currency) !== 2 && !UNITS[currency])).toEqual([])
})
