import * as v from 'valibot'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { PAYMENT_METHODS, PaymentMethods } from '../../src/contract/payment-methods.ts'
import { limitsOf, usableMethods, ADAPTERS } from '../../src/psp/adapters.ts'
import { LANGUAGES } from '../../src/platform/http/headers.ts'
import { nameOf } from '../../src/contract/method-names.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { type Pos, askWith, create, makePos, order, send, tokenFor } from '../support/hub/hub.ts'
import { makeLivePos } from '../support/shops/live-pos.ts'
import { sampleProfile } from '../support/jobs/sample-profile.ts'

async function ask(pos: Pos, query = '', headers: Record<string, string> = {}) {
  const token = await tokenFor(pos)
  return send(`/v2/paymentmethods${query}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
}
async function list(pos: Pos, query = '', headers: Record<string, string> = {}) {
  return v.parse(v.strictObject(PaymentMethods.entries), await (await ask(pos, query, headers)).json())
}
function namesIn({ paymentMethods }: PaymentMethods) {
  return paymentMethods.flatMap(({ paymentMethod, aliases = [] }) => [paymentMethod, ...aliases])
}

describe('a point of sale in test mode', () => {
  it('gets every common method once, with its aliases, and whose list it is', async () => {
    const pos = await makePos()
    const told = await list(pos)
    expect(told).toMatchObject({ mode: 'test', pointOfSale: { id: pos.id, name: 'Shop 1' }, language: 'en' })
    expect(namesIn(told).toSorted()).toEqual(PAYMENT_METHODS.toSorted())
    expect(told.paymentMethods[0]).toEqual({
      paymentMethod: 'ideal',
      name: 'iDEAL | Wero',
      currencies: ['EUR'],
    })
    const card = told.paymentMethods.find(({ paymentMethod }) => paymentMethod === 'creditcard')
    expect(card).toEqual({
      paymentMethod: 'creditcard',
      aliases: ['card'],
      name: 'Credit card',
      capture: { days: 7, several: true },
    })
    const names = told.paymentMethods.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('can make a job with every listed method, in its currencies', async () => {
    const pos = await makePos()
    const token = await tokenFor(pos)
    for (const { paymentMethod, aliases = [], currencies = ['EUR', 'JPY'] } of (await list(pos))
      .paymentMethods) {
      for (const payment_method of [paymentMethod, ...aliases]) {
        for (const currency of currencies) {
          const made = await create(token, { ...order, payment_method, currency, amount: '12' })
          expect(made.status, payment_method).toBe(201)
        }
      }
    }
  })

  it.each([
    ['ideal', 'USD', '12.50', 'currency', 'is not taken by ideal here, which takes EUR'],
    ['IDEAL', 'JPY', '1250', 'currency', 'is not taken by IDEAL here, which takes EUR'],
    ['sepadebit', 'PLN', '12.50', 'currency', 'is not taken by sepadebit here, which takes EUR'],
    ['blik', 'EUR', '12.50', 'currency', 'is not taken by blik here, which takes PLN'],
    ['blik', 'PLN', '50000.01', 'amount', 'must be at most 50000.00 PLN by blik'],
    ['Bancontact', 'EUR', '0.01', 'amount', 'must be at least 0.02 EUR by Bancontact'],
  ])('is refused %s in %s of %s, which its list excludes', async (payment_method, ...refused) => {
    const [currency, amount, field, error] = refused
    const pos = await makePos()
    const response = await create(await tokenFor(pos), { ...order, payment_method, currency, amount })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'fields-invalid', field, error })
  })

  it.each([
    ['blik', 'PLN', '50000.00'],
    ['bancontact', 'EUR', '0.02'],
    ['creditcard', 'KWD', '0.001'],
  ])('can pay %s in %s of %s, at its limits', async (payment_method, currency, amount) => {
    const pos = await makePos()
    const response = await create(await tokenFor(pos), { ...order, payment_method, currency, amount })
    expect(response.status).toBe(201)
  })

  it('can reserve by every method that is listed with a capture, and by no other', async () => {
    const pos = await makePos()
    const token = await tokenFor(pos)
    for (const { paymentMethod, capture, currencies = ['EUR'] } of (await list(pos)).paymentMethods) {
      const changes = {
        payment_method: paymentMethod,
        currency: currencies[0],
        amount: '12',
        capture: 'manual',
      }
      const made = await create(token, { ...order, ...changes })
      expect(made.status, paymentMethod).toBe(capture ? 201 : 422)
    }
  })

  it('gets the limits that apply to it', async () => {
    const { paymentMethods } = await list(await makePos())
    expect(paymentMethods.find(({ paymentMethod }) => paymentMethod === 'blik')).toMatchObject({
      limits: [{ currency: 'PLN', minimum: '0.01', maximum: '50000.00' }],
    })
  })

  it('gets the same job when it repeats a create', async () => {
    const token = await tokenFor(await makePos())
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await (await create(token, order, headers)).json<{ paymentJob: string }>()
    expect(await (await create(token, order, headers)).json()).toMatchObject({ paymentJob: first.paymentJob })
    expect((await create(token, { ...order, currency: 'USD' }, headers)).status).toBe(422)
  })
})

describe('the names', () => {
  it.each([
    ['?language=nl', {}, 'nl', 'Bankoverschrijving'],
    ['?language=nl-BE', { 'accept-language': 'de' }, 'nl', 'Bankoverschrijving'],
    ['?language=pt_BR', {}, 'pt', 'Transferência bancária'],
    ['?language=nn', {}, 'nb', 'Bankoverføring'],
    ['', { 'accept-language': 'fr-CH, de;q=0.9, en;q=0.8' }, 'fr', 'Virement bancaire'],
    ['', { 'accept-language': 'ko, it;q=0.5, es;q=0.7' }, 'es', 'Transferencia bancaria'],
    ['', { 'accept-language': 'de;q=0, *;q=0.1' }, 'en', 'Bank transfer'],
    ['?language=ko', { 'accept-language': 'de' }, 'de', 'Überweisung'],
    ['', {}, 'en', 'Bank transfer'],
  ])('of %s with %o are in %s', async (query, headers, language, name) => {
    const response = await ask(await makePos(), query, headers as Record<string, string>)
    expect(response.headers.get('content-language')).toBe(language)
    expect(response.headers.get('vary')).toBe('Accept-Language')
    const told = v.parse(PaymentMethods, await response.json())
    expect(told.language).toBe(language)
    expect(told.paymentMethods.find(({ paymentMethod }) => paymentMethod === 'banktransfer')?.name).toBe(name)
  })

  it.each([
    ['ideal', 'iDEAL | Wero'],
    ['mistercash', 'Bancontact'],
    ['p24', 'Przelewy24'],
    ['twint', 'TWINT'],
    ['vipps', 'Vipps'],
    ['wechatpay', 'WeChat Pay'],
    ['klarnapaylater', 'Klarna – Pay later'],
    ['amex', 'American Express'],
    ['debitcard', 'Debit card'],
  ])('of brands are as their owners write them: %s is %s', (method, name) => {
    expect(nameOf(method, 'nl')).toBe(name)
  })

  it('an invalid language is a 422 that names the field', async () => {
    const response = await ask(await makePos(), '?language=not+a+language')
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      field: 'language',
      error: 'must be a language code such as nl or nl-NL',
    })
  })

  it('exist for every common method and all methods of the PSPs, in every language', () => {
    const known = Object.values(ADAPTERS).flatMap(({ methods }) => [...methods.keys()])
    for (const method of new Set([...PAYMENT_METHODS, ...known])) {
      for (const language of LANGUAGES) expect(nameOf(method, language), method).not.toBe('')
      // Some brands are in small letters.
      if (nameOf(method, 'en') === method) expect(['eps', 'giropay', 'paysafecard']).toContain(method)
    }
  })
})

it('the answer is signed, and does not read D1', async () => {
  const pos = await makePos()
  const token = await tokenFor(pos)
  await askWith(token, 'GET', '/v2/paymentmethods')
  const batch = vi.spyOn(env.DB, 'batch')
  const response = await askWith(token, 'GET', '/v2/paymentmethods')
  const body = await response.text()
  expect(response.headers.get('x-signature')).toBe(await hmacSha512(pos.signingSecret, body))
  expect(batch.mock.calls).toEqual([])
  expect((await send('/v2/paymentmethods')).status).toBe(401)
})

describe('a live point of sale', () => {
  it('with a route for every method gets the methods that its PSP has a name for, except those that the hub cannot use', async () => {
    const told = await list(await makeLivePos())
    expect(told.mode).toBe('live')
    const names = namesIn(told)
    expect(names).toEqual(expect.arrayContaining(['ideal', 'creditcard', 'blik', 'mybank']))
    for (const refused of ['klarna', 'in3', 'voucher', 'sofort', '*']) expect(names).not.toContain(refused)
    expect(told.paymentMethods.find(({ paymentMethod }) => paymentMethod === 'blik')).toEqual({
      paymentMethod: 'blik',
      name: 'BLIK',
      currencies: ['PLN'],
      limits: [{ currency: 'PLN', minimum: '0.01', maximum: '50000.00' }],
    })
  })

  const profileWith = (routes: Record<string, string[]>, mode: 'test' | 'live' = 'live') =>
    sampleProfile({
      mode,
      routes: Object.entries(routes).flatMap(([paymentMethod, accounts]) =>
        accounts.map((account) => ({ paymentMethod, account })),
      ),
      accounts: [...Object.keys(ADAPTERS), 'paypro', 'mollie-2'].map((id) => ({
        id,
        psp: id.replace('-2', ''),
        mode: 'live' as const,
        sealed: '',
      })),
    })
  const usable = (routes: Record<string, string[]>) =>
    usableMethods(profileWith(routes)).map(({ paymentMethod }) => paymentMethod)

  it('gets only the methods of its routes, the common ones first', () => {
    expect(usable({})).toEqual([])
    const accounts = ['mollie', 'stripe', 'adyen']
    const routed = ['mybank', 'paypal', 'alma', 'ideal', 'bacs'].map((name) => [name, accounts])
    expect(usable(Object.fromEntries(routed))).toEqual(['ideal', 'paypal', 'alma', 'bacs', 'mybank'])
  })

  it('gets those of the other accounts if one is at a PSP that this release does not know', () => {
    expect(usable({ '*': ['paypro', 'mollie'] })).toEqual(usable({ '*': ['mollie'] }))
    expect(usable({ '*': ['mollie'] })).toContain('ideal')
    expect(usable({ '*': ['paypro'] })).toEqual([])
  })

  it('gets the last common one before the uncommon ones', () => {
    const [last = ''] = PAYMENT_METHODS.slice(-1)
    const names = usable({ [last]: ['mollie'], alma: ['adyen'], ideal: ['mollie'] })
    expect(names).toEqual(['ideal', last, 'alma'])
  })

  it('does not get a method that none of its accounts can take from the hub', () => {
    expect(usable({ klarna: ['mollie'] })).toEqual([])
    expect(usable({ klarna: ['mollie', 'stripe'] })).toEqual(['klarna'])
  })

  it('gets the methods of every PSP behind the route for every method', () => {
    const names = usable({ '*': ['multisafepay', 'stripe'], in3: ['mollie'] })
    expect(names).toEqual(expect.arrayContaining(['belfius', 'pix']))
    expect(names).not.toContain('in3')
  })

  it('gets the widest limits of the PSPs that may take a method, and none if one of them has none', () => {
    const limits = (method: string, accounts: string[]) =>
      usableMethods(profileWith({ [method]: accounts })).map(limitsOf)
    const ofBlik = [[{ currency: 'PLN', minimum: 1, maximum: 5_000_000 }]]
    expect(limits('blik', ['mollie'])).toEqual(ofBlik)
    expect(limits('blik', ['mollie', 'mollie-2'])).toEqual(ofBlik)
    expect(limits('blik', ['mollie', 'stripe'])).toEqual([[]])
    expect(limits('twint', ['stripe'])).toStrictEqual([[{ currency: 'CHF', maximum: 500_000 }]])
  })
})
