import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../src/contract/money.ts'
import { fakeOf } from '../support/fakes.ts'
import { SAMPLES } from './samples.ts'
import { askAndConfirm, paymentRequest, patience } from './scripted.ts'

describe.each(Object.entries(SAMPLES))('an amount at %s', (psp, { adapter, announced, amounts }) => {
  const { step, values, sent, most = Infinity, isChoosy } = amounts

  /** Announces an amount, has it paid, and returns what the hub then finds, or who refused it. */
  async function through(currency: string, amount: number): Promise<number | string> {
    const fake = fakeOf(psp)
    const asked: string[] = []
    const fetch = (request: Request) => {
      asked.push(request.url)
      return fake.handle(request)
    }
    const opened = adapter.open({ fetch, mode: 'live', credentials: fake.accounts[0] })
    const answer = await opened.announce({ ...paymentRequest, currency, amount }, patience)
    if (answer.is === 'refused') return asked.length === 0 ? 'refused' : 'refused by the PSP'
    if (answer.is !== 'announced') throw new Error(`${psp}: ${answer.message}`)
    fake.bring(paymentRequest.job, 'paid')
    const seen = await askAndConfirm(opened, answer.reference, { currency })
    return seen.is === 'observed' && seen.status === 'SUCCESS' ? seen.paid : Number.NaN
  }

  it(
    'comes back as the same minor units in every currency, or is refused without a request',
    { timeout: 60_000 },
    async () => {
      expect(CURRENCIES.length).toBeGreaterThan(150)
      for (const currency of CURRENCIES) {
        // Orders have up to eleven digits before the point.
        const max = Math.min(most, 10 ** (11 + decimalsOf(currency)) - 1)
        const any = fc.integer({ min: 1, max })
        const property = fc.asyncProperty(any, async (amount) => {
          const came = await through(currency, amount)
          const taken = isChoosy ? [amount, 'refused by the PSP'] : [amount]
          const wanted = amount % step(currency) === 0 ? taken : ['refused']
          expect([currency, wanted]).toEqual([currency, expect.arrayContaining([came])])
        })
        const whole = step(currency) === Infinity ? [] : [[step(currency)] as [number]]
        await fc.assert(property, { numRuns: 4, examples: whole })
      }
    },
  )

  it.each(values)(
    'in %s, of %d minor units, is sent as the PSP counts: %j',
    async (currency, amount, value) => {
      expect(sent(await announced({ currency, amount }))).toEqual({ currency, value })
    },
  )
})
