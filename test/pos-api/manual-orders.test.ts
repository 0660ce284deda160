import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ADAPTERS, reserveOf, takersOf, usableMethods } from '../../src/psp/adapters.ts'
import { accountsFor } from '../../src/registry/profile.ts'
import { create, makePos, order, readJob, tokenFor } from '../support/hub/hub.ts'
import { ringNext, stored } from '../support/jobs/job.ts'
import { fakeOf } from '../support/fakes.ts'
import { addAccount, pspWorld, route } from '../support/psp-world.ts'
import { sampleProfile } from '../support/jobs/sample-profile.ts'

/** A live shop whose routes lead to accounts that are named after their PSPs, such as `stripe-2`. */
function profileWith(routes: Record<string, string[]>) {
  return sampleProfile({
    mode: 'live',
    routes: Object.entries(routes).flatMap(([paymentMethod, accounts]) =>
      accounts.map((account) => ({ paymentMethod, account })),
    ),
    accounts: Object.keys(ADAPTERS).map((id) => ({ id, psp: id, mode: 'live' as const, sealed: '' })),
  })
}

describe('an order with manual capture', () => {
  let token: string
  beforeAll(async () => {
    token = await tokenFor(await makePos())
  })
  const createManual = (changes: object = {}) =>
    create(token, { ...order, payment_method: 'creditcard', capture: 'manual', ...changes })

  it('is stored as such, while `automatic` is the same as nothing', async () => {
    for (const [sent, kept] of [
      ['manual', 'manual'],
      ['automatic', undefined],
    ] as const) {
      const response = await createManual({ capture: sent })
      expect(response.status).toBe(201)
      const { paymentJob } = await response.json<{ paymentJob: string }>()
      expect((await stored(paymentJob)).order.capture).toBe(kept)
    }
  })

  it.each([['CreditCard'], ['card'], ['googlepay'], ['vipps']])(
    'may be paid by %s',
    async (payment_method) => {
      expect((await createManual({ payment_method })).status).toBe(201)
    },
  )

  it.each([['ideal'], ['klarna'], ['paypal']])(
    'is refused by %s, whose money the sandbox cannot reserve, with the methods that can',
    async (payment_method) => {
      const response = await createManual({ payment_method })
      expect(response.status).toBe(422)
      const { errors } = await response.json<{ errors: { field: string; error: string }[] }>()
      expect(errors).toMatchObject([
        { field: 'capture', error: expect.stringMatching(/\bcreditcard\b.*vipps/) },
      ])
      expect(errors[0]?.error).not.toContain('bancontact')
    },
  )

  it.each([['Manual'], [''], [null], [true], [7]])('with %j is refused, for its capture', async (capture) => {
    const response = await createManual({ capture })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'fields-invalid', field: 'capture' })
  })

  it('differs from one that is captured at once', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const sent = { ...order, payment_method: 'creditcard' }
    expect((await create(token, sent, key)).status).toBe(201)
    expect((await create(token, { ...sent, capture: 'manual' }, key)).status).toBe(422)
    expect((await create(token, { ...sent, capture: 'automatic' }, key)).status).toBe(201)
  })

  it('is refused to a shop of the dialect v1, which cannot capture, and nothing is paid', async () => {
    const v1 = await tokenFor(await makePos({ dialect: 'v1' }))
    const sent = { ...order, payment_method: 'creditcard' }
    const refused = await create(v1, { ...sent, capture: 'manual' })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ field: 'capture' })
    const taken = await create(v1, { ...sent, capture: 'automatic' })
    expect(taken.status).toBe(201)
    const { paymentJob } = await taken.json<{ paymentJob: string }>()
    expect(await readJob(v1, paymentJob)).toMatchObject({ status: 'PENDING' })
  })
})

describe('the accounts of such an order', () => {
  const wanted = (paymentMethod: string) => ({ paymentMethod, currency: 'EUR', capture: 'manual' as const })
  const taking = (accounts: string[], asked: Parameters<typeof takersOf>[1]) =>
    takersOf(accountsFor(profileWith({ '*': accounts }), '*'), asked).map(({ id }) => id)

  it('are only those whose PSP can reserve by the method, in the order of the route', () => {
    expect(taking(['mollie', 'stripe', 'adyen'], wanted('paypal'))).toEqual(['stripe', 'adyen'])
    expect(taking(['stripe', 'mollie'], wanted('Creditcard'))).toEqual(['stripe', 'mollie'])
    expect(taking(['mollie', 'multisafepay'], wanted('paypal'))).toEqual([])
    expect(taking(['mollie'], wanted('a-method-that-the-customer-chooses'))).toEqual([])
  })

  it('are all of the route if the PSP captures automatically', () => {
    const automatic = { paymentMethod: 'paypal', currency: 'EUR' }
    expect(taking(['mollie', 'stripe'], automatic)).toEqual(['mollie', 'stripe'])
  })
})

it('such an order is announced again only to an account that can reserve, whatever its route is now', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const pos = await makePos({ mode: 'live' })
  const [stripe, mollie] = [pspWorld('stripe'), { psp: 'mollie', fake: fakeOf('mollie') }]
  const [able, unable] = [await addAccount(stripe), await addAccount(mollie)]
  await route(pos, 'paypal', able)
  stripe.fault = () => new Response('', { status: 503 })
  const made = await create(pos.apiKey, { ...order, payment_method: 'paypal', capture: 'manual' })
  const { paymentJob } = await made.json<{ paymentJob: string }>()
  await route(pos, 'paypal', unable)
  stripe.fault = null
  for (let rings = 0; (await stored(paymentJob)).payments.length === 0 && rings < 5; rings++)
    await ringNext(paymentJob)
  const { payments, attempts } = await stored(paymentJob)
  expect(payments).toMatchObject([{ account: able }])
  expect(new Set(attempts.map(({ account }) => account))).toEqual(new Set([able]))
})

describe('the list of payment methods', () => {
  const reserved = (method: string, accounts: string[]) =>
    usableMethods(profileWith({ [method]: accounts })).map(reserveOf)

  it('says for how many days a method reserves, by the account with the fewest', () => {
    expect(reserved('paypal', ['stripe'])).toEqual([{ days: 10, several: false }])
    expect(reserved('paypal', ['stripe', 'adyen'])).toEqual([{ days: 3, several: false }])
    expect(reserved('creditcard', ['mollie'])).toEqual([{ days: 7, several: true }])
    expect(reserved('creditcard', ['mollie', 'multisafepay'])).toEqual([{ days: 7, several: true }])
    expect(reserved('creditcard', ['mollie', 'stripe'])).toEqual([{ days: 7, several: false }])
  })

  it('says it by the accounts that can, and not for a method with none', () => {
    expect(reserved('paypal', ['mollie', 'stripe'])).toEqual([{ days: 10, several: false }])
    expect(reserved('ideal', ['mollie', 'stripe', 'adyen'])).toEqual([undefined])
  })
})
