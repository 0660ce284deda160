import { describe, expect, it } from 'vitest'
import { METHODS } from '../../../src/psp/multisafepay/tables.ts'
import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import type { Connection } from '../../../src/psp/port.ts'
import type { Mode } from '../../../src/registry/profile.ts'
import { API_KEY, PAGE, announced, atMultiSafepay, created } from './at-multisafepay.ts'
import { paymentRequest, patience } from '../scripted.ts'

describe('the request that announces a payment', () => {
  it('is one POST of JSON with the API key, and the job id as order id', async () => {
    const { psp, requests } = atMultiSafepay(created())
    await psp.announce(paymentRequest, patience)
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.multisafepay.com/v1/json/orders',
    ])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      api_key: API_KEY,
      accept: 'application/json',
      'content-type': 'application/json',
    })
    expect(await requests[0]?.json()).toEqual({
      type: 'redirect',
      order_id: paymentRequest.job,
      gateway: 'IDEAL',
      currency: 'EUR',
      amount: 1250,
      description: 'A-7',
      payment_options: {
        notification_url: paymentRequest.notificationUrl,
        notification_method: 'POST',
        redirect_url: paymentRequest.returnUrl,
        cancel_url: paymentRequest.cancelUrl,
      },
      customer: { locale: 'nl_NL', ip_address: '203.0.113.7' },
      seconds_active: 86_400,
      var1: paymentRequest.fingerprint,
    })
  })

  it('is the same to the byte when the job is announced again', async () => {
    const { psp, requests } = atMultiSafepay(created())
    await psp.announce(paymentRequest, patience)
    await psp.announce({ ...paymentRequest }, patience)
    const [first, second] = await Promise.all(requests.map((request) => request.text()))
    expect(second).toBe(first)
  })

  it.each<[Mode, Partial<Connection<unknown>>, string]>([
    ['live', {}, 'https://api.multisafepay.com/v1/json/orders'],
    ['test', {}, 'https://testapi.multisafepay.com/v1/json/orders'],
    ['live', { endpoint: 'http://localhost:8787/msp' }, 'http://localhost:8787/msp/orders'],
  ])('goes, in %s mode and with %j, to %s', async (mode, changes, url) => {
    const asked: string[] = []
    const fetch = (request: Request) => {
      asked.push(request.url)
      return created()(request)
    }
    const psp = multisafepay.open({ mode, credentials: { apiKey: API_KEY }, fetch, ...changes })
    expect(await psp.announce(paymentRequest, patience)).toEqual({
      is: 'announced',
      reference: paymentRequest.job,
      checkoutUrl: PAGE,
      expiresAt: null,
    })
    expect(asked).toEqual([url])
  })

  it.each([
    ['ideal', 'IDEAL'],
    ['iDEAL', 'IDEAL'],
    ['bancontact', 'MISTERCASH'],
    ['CreditCard', 'CREDITCARD'],
    ['paypal', 'PAYPAL'],
    ['sepa', 'DIRDEB'],
    ['directdebit', 'DIRDEB'],
    ['banktransfer', 'BANKTRANS'],
    ['wechatpay', 'WECHAT'],
    ...METHODS,
  ])('names the payment method %s as %s', async (paymentMethod, gateway) => {
    expect(await announced({ paymentMethod })).toHaveProperty('gateway', gateway)
  })

  it.each(['pin', 'ideal2', 'blik', 'giftcard', 'constructor', '*', '', 'sofort', 'giropay'])(
    'lets the customer choose for %j, which MultiSafepay does not have',
    async (paymentMethod) => {
      expect(await announced({ paymentMethod })).not.toHaveProperty('gateway')
    },
  )

  /**
   * https://docs.multisafepay.com/docs/klarna: "A shopping_cart object is required for all BNPL
   * orders".
   */
  it.each(['klarna', 'riverty', 'afterpay', 'in3', 'billink'])(
    'lets the customer choose for %s, which MultiSafepay sells with a shopping cart only',
    async (paymentMethod) => {
      expect(await announced({ paymentMethod })).not.toHaveProperty('gateway')
    },
  )

  const urlOf = (host: string, job = `/${paymentRequest.job}`) =>
    `https://${host}/notifications/${'a'.repeat(40)}${job}`
  const sentTo = async (host: string) =>
    (await announced({ notificationUrl: urlOf(host) }))['payment_options'] as Record<string, unknown>

  it('gives the address of the payment for notifications, where that has 150 characters or less', async () => {
    const host = 'h'.repeat(50)
    expect(urlOf(host)).toHaveLength(150)
    expect(await sentTo(host)).toHaveProperty('notification_url', urlOf(host))
  })

  it.each([51, 87])(
    'gives the shorter address of the account where the host has %d characters',
    async (length) => {
      const host = 'h'.repeat(length)
      expect(await sentTo(host)).toHaveProperty('notification_url', urlOf(host, ''))
      expect(urlOf(host, '').length).toBeLessThanOrEqual(150)
    },
  )

  it('is not made where even that is too long for MultiSafepay', async () => {
    const { psp, requests } = atMultiSafepay(created())
    const notificationUrl = urlOf('h'.repeat(88))
    expect(await psp.announce({ ...paymentRequest, notificationUrl }, patience)).toMatchObject({
      is: 'refused',
      message:
        'MultiSafepay takes addresses for notifications of at most 150 characters, and this one has 151. The hub needs a shorter host name, or the account a shorter id.',
    })
    expect(requests).toEqual([])
  })

  it.each([
    ['A-7', 'A-7'],
    ['é'.repeat(200), 'é'.repeat(200)],
    [`${'é'.repeat(200)}x`, 'é'.repeat(200)],
    ['🧾'.repeat(201), '🧾'.repeat(200)],
  ])('cuts a description at 200 characters, and none of them in half', async (description, sent) => {
    expect(await announced({ description })).toHaveProperty('description', sent)
  })
})

describe('credentials', () => {
  const open = (credentials: unknown) =>
    multisafepay.open({ fetch: async () => new Response(), mode: 'test', credentials })

  it.each([
    [{ apiKey: '' }],
    [{ apiKey: 'four' }],
    [{ apiKey: 'a key of words' }],
    [{ apiKey: 5 }],
    [{}],
    [null],
  ])('that hold no API key (%j) are refused at once', (credentials) => {
    expect(() => open(credentials)).toThrow()
  })

  it('are taken as MultiSafepay takes them, of whatever form, without the space around them', async () => {
    const { requests, psp } = atMultiSafepay(created())
    await psp.announce(paymentRequest, patience)
    expect(() => open({ apiKey: 'c2e8507e3bb11df070f6c45d36ea2a366eaecea2' })).not.toThrow()
    expect(multisafepay.modeOf({ apiKey: ` ${API_KEY}\n` })).toBeNull()
    expect(requests[0]?.headers.get('api_key')).toBe(API_KEY)
  })
})
