import { beforeAll, describe, expect, it } from 'vitest'
import { createJob, location, makePos, payAs, send, tokenFor } from '../support/hub/hub.ts'
import { receiver } from '../support/shops/receiver.ts'

let token: string
beforeAll(async () => {
  receiver()
  token = await tokenFor(await makePos())
})

async function pageAfter(outcome: string, changes: object = {}): Promise<string> {
  const { payUrl } = await createJob(token, changes)
  await payAs(payUrl, outcome)
  const response = await send(payUrl)
  expect(response.status).toBe(200)
  return response.text()
}

describe('the payUrl of a job that has ended', () => {
  it.each([
    ['paid', 'Deze bestelling is betaald'],
    ['failed', 'De betaling is mislukt'],
    ['canceled', 'De betaling is geannuleerd'],
    ['expired', 'De tijd om te betalen is voorbij'],
  ])('shows a notice instead of a second payment: %s', async (outcome, title) => {
    expect(await pageAfter(outcome)).toContain(`<h1>${title}</h1>`)
  })

  it.each([
    ['en', 'This order is paid'],
    ['nl-BE', 'Deze bestelling is betaald'],
    ['de_AT', 'Diese Bestellung ist bezahlt'],
    ['fr', 'Cette commande est payée'],
  ])('speaks the language of the job: %s', async (language, title) => {
    const page = await pageAfter('paid', { language })
    expect(page).toContain(title)
    expect(page).toContain(`<html lang="${language.slice(0, 2)}">`)
  })

  it('leads back to the shop', async () => {
    expect(await pageAfter('paid')).toContain('href="https://shop.nl/thanks?order=7"')
  })

  it('shows hostile values as text', async () => {
    const page = await pageAfter('paid', { order_number: `"><script>alert(1)</script>` })
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/assets/live.js">'])
    expect(page).toContain('&lt;script')
  })
})

describe('the payUrl of an open job', () => {
  it('shows a notice once the PSP has taken a part and accepts no more', async () => {
    const page = await pageAfter('paid', { order_number: 'A-7 sandbox-wrong-amount' })
    expect(page).not.toContain('/sandbox/checkout/')
    expect(page).toContain('<h1>Niet het hele bedrag is ontvangen</h1>')
  })

  it('leads to the PSP again after a return without an outcome', async () => {
    const { payUrl } = await createJob(token)
    await payAs(payUrl, 'open')
    expect(location(await send(payUrl))).toContain('/sandbox/checkout/')
  })
})

describe('an address without a job', () => {
  it.each(['/pay', '/return'])('%s/… is a page with 404, in the language of the browser', async (path) => {
    const response = await send(`${path}/${crypto.randomUUID()}`, {
      headers: { 'accept-language': 'fr-CH, en;q=0.5' },
    })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Ce paiement n’existe pas')
  })

  it('is the same for a text that is not an id', async () => {
    expect((await send('/pay/%3Cscript%3E')).status).toBe(404)
  })
})

it('pages have a strict policy, and are not cached, framed or sent as a referrer', async () => {
  const { headers } = await send(`/pay/${crypto.randomUUID()}`)
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action http: https:; frame-ancestors 'none'; base-uri 'none'$/,
  )
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})
