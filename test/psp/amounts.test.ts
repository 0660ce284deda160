import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../src/contract/money.ts'
import type { Adapter } from '../../src/psp/port.ts'
import { adyen } from '../../src/psp/adyen/adapter.ts'
import { mollie } from '../../src/psp/mollie/adapter.ts'
import { multisafepay } from '../../src/psp/multisafepay/adapter.ts'
import { stripe } from '../../src/psp/stripe/adapter.ts'
import { UNITS } from '../../src/psp/stripe/tables.ts'
import { adyenFake } from '../support/psps/adyen.ts'
import type { FakePsp } from '../support/psps/fake-psp.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { multisafepayFake } from '../support/psps/multisafepay.ts'
import { stripeFake } from '../support/psps/stripe.ts'
import { LINK, announced as atAdyen, atAdyen as openAdyen, link } from './adyen/at-adyen.ts'
import { announced as atMollie } from './mollie/at-mollie.ts'
import { announced as atMultiSafepay } from './multisafepay/at-multisafepay.ts'
import { json, paymentRequest, patience } from './scripted.ts'
import { announced as atStripe, atStripe as openStripe, session } from './stripe/at-stripe.ts'

/**
 * `steps`: the multiples of a currency's minor units (ISO 4217) that the PSP takes, if that is not 1;
 * Infinity for none. `sent`: how the adapter writes an amount.
 */
type Case = {
  adapter: Adapter
  fake: () => FakePsp
  step: (currency: string) => number
  sent: (currency: string, amount: number) => Promise<unknown>
}

const FINE = new Map(
  Object.entries({
    BHD: 10,
    IQD: 10,
    JOD: 10,
    KWD: 10,
    LYD: 10,
    OMR: 10,
    TND: 10,
    CLF: 100,
    UYW: 100,
    MGA: 100,
  }),
)

const CASES: Record<string, Case> = {
  Adyen: {
    adapter: adyen,
    fake: adyenFake,
    step: (currency) => (['CVE', 'IDR'].includes(currency) ? 100 : 1),
    sent: async (currency, amount) => (await atAdyen({ currency, amount }))['amount'],
  },
  Mollie: {
    adapter: mollie,
    fake: mollieFake,
    step: () => 1,
    sent: async (currency, amount) => (await atMollie({ currency, amount }))['amount'],
  },
  MultiSafepay: {
    adapter: multisafepay,
    fake: multisafepayFake,
    // Two decimals mean cents, and MultiSafepay's documentation names JPY as the only currency without them.
    step: (currency) => (currency === 'JPY' || decimalsOf(currency) === 2 ? 1 : Infinity),
    sent: async (currency, amount) => {
      const body = await atMultiSafepay({ currency, amount })
      return { currency: body['currency'], value: body['amount'] }
    },
  },
  Stripe: {
    adapter: stripe,
    fake: stripeFake,
    step: (currency) => FINE.get(currency) ?? 1,
    sent: async (currency, amount) => {
      const body = await atStripe({ currency, amount })
      return {
        currency: body['line_items[0][price_data][currency]']?.toUpperCase(),
        value: body['line_items[0][price_data][unit_amount]'],
      }
    },
  },
}

describe.each(Object.entries(CASES))('an amount at %s', (name, { adapter, fake: newFake, step }) => {
  /** Announces an amount, has it paid, and returns what the hub then finds, or who refused it. */
  async function through(currency: string, amount: number): Promise<number | string> {
    const fake = newFake()
    const asked: string[] = []
    const fetch = (request: Request) => {
      asked.push(request.url)
      return fake.handle(request)
    }
    const psp = adapter.open({ fetch, mode: 'live', credentials: fake.accounts[0] })
    const answer = await psp.announce({ ...paymentRequest, currency, amount }, patience)
    if (answer.is === 'refused') return asked.length === 0 ? 'refused' : 'refused by the PSP'
    if (answer.is !== 'announced') throw new Error(`${name}: ${answer.message}`)
    fake.bring(paymentRequest.job, 'paid')
    const seen = await psp.ask(answer.reference, currency)
    return seen.is === 'observed' && seen.status === 'SUCCESS' ? seen.paid : Number.NaN
  }

  it(
    'comes back as the same minor units in every currency, or is refused without a request',
    { timeout: 60_000 },
    async () => {
      expect(CURRENCIES.length).toBeGreaterThan(150)
      for (const currency of CURRENCIES) {
        // Orders have up to eleven digits before the point. Stripe takes fewer.
        const most = name === 'Stripe' ? 999_999 : 10 ** (11 + decimalsOf(currency)) - 1
        const any = fc.integer({ min: 1, max: most })
        const property = fc.asyncProperty(any, async (amount) => {
          const came = await through(currency, amount)
          // Mollie has fewer currencies, and Stripe has its own limits for some.
          const mayRefuse = ['Mollie', 'Stripe'].includes(name)
          const taken = mayRefuse ? [amount, 'refused by the PSP'] : [amount]
          const wanted = amount % step(currency) === 0 ? taken : ['refused']
          expect([currency, wanted]).toEqual([currency, expect.arrayContaining([came])])
        })
        const whole = step(currency) === Infinity ? [] : [[step(currency)] as [number]]
        await fc.assert(property, { numRuns: 4, examples: whole })
      }
    },
  )
})

/**
 * What the PSPs' documentation says about their units:
 * https://docs.adyen.com/development-resources/currency-codes,
 * https://docs.mollie.com/docs/multicurrency, https://docs.multisafepay.com/docs/currencies,
 * https://docs.stripe.com/currencies
 */
it.each([
  ['EUR', 1250, 1250, '12.50', 1250, '1250'],
  ['EUR', 5, 5, '0.05', 5, '5'],
  ['EUR', 100_000_000_001, 100_000_000_001, '1000000000.01', 100_000_000_001, '100000000001'],
  ['HUF', 199_955, 199_955, '1999.55', 199_955, '199955'],
  ['JPY', 1000, 1000, '1000', 1000, '1000'],
  ['BHD', 1230, 1230, '1.230', null, '1230'],
  ['CLP', 1000, 100_000, '1000', null, '1000'],
  ['ISK', 5, 500, '5', null, '500'],
  ['KWD', 5120, 5120, '5.120', null, '5120'],
  ['TWD', 80_045, 80_045, '800.45', 80_045, '80045'],
  ['UGX', 5, 5, '5', null, '500'],
  ['MGA', 500, 500, '5.00', 500, '5'],
  ['IDR', 1_500_000, 15_000, '15000.00', 1_500_000, '1500000'],
  ['CVE', 100, 1, '1.00', 100, '100'],
])('%s, %d of ISO 4217, are sent as the PSP counts them', async (currency, amount, ...values) => {
  for (const [place, [name, { sent }]] of Object.entries(CASES).entries()) {
    const value = values[place]
    if (value !== null) expect([name, await sent(currency, amount)]).toEqual([name, { currency, value }])
  }
})

it.each([
  ['CLP', 1250],
  ['ISK', 99],
])('Adyen is not believed %s %d, for which ISO 4217 has no unit', async (currency, value) => {
  const { psp } = openAdyen(json(200, link({ status: 'completed', amount: { currency, value } })))
  expect(await psp.ask(LINK, currency)).toMatchObject({ is: 'unavailable' })
})

it('Stripe is not believed an amount of ISK that is not a whole one', async () => {
  const held = session({ status: 'complete', payment_status: 'paid', currency: 'isk', amount_total: 550 })
  expect(await openStripe(json(200, held)).psp.ask('cs_test_1', 'ISK')).toMatchObject({ is: 'unavailable' })
})

it('Stripe has a unit for each currency that ISO 4217 counts without two decimals', () => {
  expect(CURRENCIES.filter((currency) => decimalsOf(currency) !== 2 && !UNITS[currency])).toEqual([])
})
