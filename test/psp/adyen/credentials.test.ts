import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { adyen } from '../../../src/psp/adyen/adapter.ts'
import { CREDENTIALS, adyenError, atAdyen } from './at-adyen.ts'
import { json } from '../scripted.ts'

describe('credentials', () => {
  it.each([
    [{}],
    [{ livePrefix: '1797a841fbb37ca7-AdyenDemo' }],
    [{ livePrefix: undefined }],
    [{ hmacKey: CREDENTIALS.hmacKey.toLowerCase() }],
    [{ hmacKey: ` ${CREDENTIALS.hmacKey}, 00ff\n` }],
  ])('with %j are taken', (changes) => {
    expect(v.is(adyen.credentials, { ...CREDENTIALS, ...changes })).toBe(true)
  })

  it.each([
    ['apiKey', undefined],
    ['apiKey', ''],
    ['apiKey', `${CREDENTIALS.apiKey}\n`],
    ['apiKey', 12],
    ['merchantAccount', ''],
    ['merchantAccount', 'Hub Shop'],
    ['hmacKey', ''],
    ['hmacKey', ' , '],
    ['hmacKey', 'xyz'],
    ['hmacKey', 'abc'],
    ['hmacKey', `${CREDENTIALS.hmacKey} secret`],
    ['livePrefix', ''],
    ['livePrefix', 'evil.example/'],
    ['livePrefix', 'https://1797a841fbb37ca7-AdyenDemo-checkout-live.adyenpayments.com'],
  ])('whose %s is %j are refused at once', (name, value) => {
    const credentials = { ...CREDENTIALS, [name]: value }
    const parsed = v.safeParse(adyen.credentials, credentials)
    expect(parsed.issues?.map((issue) => v.getDotPath(issue))).toEqual([name])
    if (value !== undefined) expect(parsed.issues?.[0]?.message).toMatch(/^must be /)
    expect(() => adyen.open({ fetch: json(500, {}), mode: 'test', credentials })).toThrow()
  })

  it('do not show their mode', () => {
    expect(adyen.modeOf(CREDENTIALS)).toBeNull()
  })

  it('each say where the operator finds them', () => {
    for (const [name, schema] of Object.entries(adyen.credentials.entries)) {
      const inner = 'wrapped' in schema ? (schema.wrapped as typeof schema) : schema
      expect(v.getDescription(inner as never), name).toMatch(/\w{3}/)
    }
  })
})

describe('checking them', () => {
  it('asks for the payment methods of the account', async () => {
    const { psp, requests } = atAdyen(json(200, { paymentMethods: [] }))
    expect(await psp.check()).toEqual({ is: 'working' })
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://checkout-test.adyen.com/v71/paymentMethods',
    ])
    expect(requests[0]?.headers.get('x-api-key')).toBe(CREDENTIALS.apiKey)
    expect(await requests[0]?.json()).toEqual({ merchantAccount: 'HubShopECOM' })
  })

  it.each([
    [401, '000', 'HTTP Status Response - Unauthorized'],
    [403, '901', 'Invalid Merchant Account'],
  ])('tells what Adyen has against them', async (status, code, message) => {
    expect(await atAdyen(adyenError(status, code, message)).psp.check()).toMatchObject({
      is: 'refused',
      message: `Adyen refused the account: ${message} (${code})`,
    })
  })

  it('tells nothing when Adyen fails', async () => {
    expect(await atAdyen(json(503, {})).psp.check()).toMatchObject({ is: 'unavailable' })
  })
})
