import { describe, expect, it } from 'vitest'
import { send } from '../support/hub/hub.ts'
import { checkoutOf, choose, get, make, newPayment } from './client.ts'

function show(id: string, language?: string) {
  return send(checkoutOf(id), { headers: language ? { 'accept-language': language } : {} })
}

describe('the checkout page', () => {
  it('shows the amount and a button for each outcome', async () => {
    const { id } = await make()
    const answer = await show(id)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await answer.text()
    expect(html).toMatch(/^<!doctype html><html lang="nl">/)
    expect(html).toContain('€\u00a012,50')
    expect(html).toContain('<dd><bdi>A-7</bdi></dd>')
    expect([...html.matchAll(/<button name="outcome" value="(\w+)"/g)].map(([, outcome]) => outcome)).toEqual(
      [
        ...['paid', 'failed', 'canceled', 'expired', 'open', 'underway', 'bounced', 'authorized', 'late'],
        ...['short', 'slowly', 'silent', 'refusing'],
      ],
    )
    expect(html).toContain('<form method="post">')
  })

  it('of an order with manual capture only reserves the money', async () => {
    const { id } = await make({ capture: 'manual', locale: 'en_GB' })
    const html = await (await show(id)).text()
    expect(html).toMatch(/value="paid" class="first">Reserved</)
    expect(html).not.toContain('value="authorized"')
    await choose(id, 'paid')
    expect(await get(id)).toMatchObject({ status: 'authorized', captureMode: 'manual' })
  })

  it.each([
    ['nl_NL', 'nl', 'Testbetaling', 'Betaald'],
    ['nl_BE', 'nl', 'Testbetaling', 'Betaald'],
    ['en_GB', 'en', 'Test payment', 'Paid'],
    ['de_AT', 'de', 'Testzahlung', 'Bezahlt'],
    ['fr_FR', 'fr', 'Paiement de test', 'Payé'],
  ])('of a payment with locale %s is in %s, whatever the browser wants', async (locale, ...texts) => {
    const { id } = await make({ locale })
    const html = await (await show(id, locale === 'de_AT' ? 'fr' : 'de')).text()
    expect(textsOf(html)).toEqual(texts)
  })

  it.each([
    [null, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['it_IT', 'it-IT,fr;q=0.8,en;q=0.5', 'fr'],
    ['it_IT', 'it-IT,nlx', 'en'],
    [null, undefined, 'en'],
  ])('of a payment with locale %s, in a browser that wants %s, is in %s', async (locale, asked, language) => {
    const { id } = await make({ locale })
    expect(textsOf(await (await show(id, asked)).text())[0]).toBe(language)
  })

  const textsOf = (html: string) => [
    /<html lang="(\w+)">/.exec(html)?.[1],
    /<title>(.*?)<\/title>/.exec(html)?.[1],
    /value="paid" class="first">(.*?)</.exec(html)?.[1],
  ]

  it('shows a hostile description as text', async () => {
    const description = `</dd><script>alert(1)</script><img src=x onerror=alert(1)>"'&amp;`
    const { id } = await make({ description })
    const html = await (await show(id)).text()
    expect(html).not.toMatch(/<script|<img/)
    expect(html).toContain('&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)>')
    expect(html).toContain('&amp;amp;')
  })

  it('loads nothing but its own style, and must not be framed', async () => {
    const { headers, html } = await make().then(async ({ id }) => {
      const answer = await show(id)
      return { headers: answer.headers, html: await answer.text() }
    })
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'form-action http: https:',
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(html).not.toMatch(/ style=| on\w+=|<script|<link/)
  })

  it('does not exist for an unknown payment, and says so in the language of the browser', async () => {
    const answer = await show('tr_00000000000000000000', 'nl-BE')
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('<h1>Deze betaling bestaat niet.</h1>')
    expect((await show('nonsense')).status).toBe(404)
    expect((await choose('tr_00000000000000000000', 'paid')).status).toBe(404)
  })
})

describe('a customer who chooses', () => {
  it.each([
    ['paid', 'paid'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
    ['expired', 'expired'],
    ['open', 'open'],
    ['underway', 'pending'],
    ['bounced', 'pending'],
    ['authorized', 'authorized'],
    ['late', 'expired'],
  ])('%s leaves the payment %s, and goes back, then and later', async (outcome, status) => {
    const { id } = await make()
    for (const choice of outcome === 'open' ? [outcome] : [outcome, 'failed']) {
      const answer = await choose(id, choice)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, newPayment.returnUrl])
    }
    expect(await get(id)).toHaveProperty('status', status)
    expect((await show(id)).status).toBe(outcome === 'open' ? 200 : 303)
  })

  it.each(['pending', '', 'PAID', 'constructor'])(
    '%j is refused, and the payment stays open',
    async (outcome) => {
      const { id } = await make()
      const answer = await choose(id, outcome)
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({
        field: 'outcome',
        error: expect.stringMatching(/^must be one of paid, /),
      })
      expect(await get(id)).toHaveProperty('status', 'open')
    },
  )

  it('to leave it open can pay later', async () => {
    const { id } = await make()
    await choose(id, 'open')
    expect((await show(id)).status).toBe(200)
    await choose(id, 'paid')
    expect(await get(id)).toHaveProperty('status', 'paid')
  })
})
