import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type Pos, openPos } from './clients.ts'
import { openPage, sharedBrowser } from './page.ts'
import { openShops } from './shops.ts'

const chromium = sharedBrowser()
let shop: Awaited<ReturnType<typeof openShops>>
let pos: Pos
const hub = inject('hub')

beforeAll(async () => {
  shop = await openShops()
  pos = await openPos(hub)
})
afterAll(() => shop.close())

/** A customer's phone with English as its language. */
function phone() {
  return openPage(chromium.browser, {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'en-GB',
  })
}
function thanks() {
  return `${shop.url}/thanks?order=7`
}
function createJob(changes: object = {}) {
  return pos.create(shop.url, { return_url: thanks(), ...changes })
}

describe('a customer with a phone', () => {
  it.each([
    ['nl', 'Testbetaling', 'Betaald', 'Deze bestelling is betaald', '€\u00a012,50'],
    ['de_DE', 'Testzahlung', 'Bezahlt', 'Diese Bestellung ist bezahlt', '12,50\u00a0€'],
  ])(
    'pays in %s, ends at the shop, and is told so at the link',
    async (language, title, paid, notice, amount) => {
      const { page, wrongs } = await phone()
      const job = await createJob({ language })
      await page.goto(job.payUrl)
      expect(page.url()).toMatch(/\/sandbox\/checkout\/tr_\w+$/)
      expect(await page.getAttribute('html', 'lang')).toBe(language.slice(0, 2))
      expect(await page.textContent('h1')).toBe(title)
      expect(await page.textContent('.amount')).toBe(amount)
      // The shop has another origin. The page's form-action must allow the form's redirects to it.
      await page.getByRole('button', { name: paid, exact: true }).tap()
      await page.waitForURL(thanks())
      expect(await page.textContent('body')).toContain('Thank you!')
      expect(await pos.read(job.paymentJob)).toMatchObject({
        status: 'SUCCESS',
        amountPaid: '12.50',
        amountDue: '0.00',
      })

      await page.goto(job.payUrl)
      expect(page.url()).toBe(job.payUrl)
      expect(await page.textContent('h1')).toBe(notice)
      await page.getByRole('link').first().tap()
      await page.waitForURL(thanks())
      expect(wrongs).toEqual([])
    },
  )

  it('who goes back to the checkout after paying is not asked to pay again', async () => {
    const { page } = await phone()
    await page.goto((await createJob()).payUrl)
    const checkout = page.url()
    await page.getByRole('button', { name: 'Betaald', exact: true }).tap()
    await page.waitForURL(thanks())
    await page.goto(checkout)
    expect(page.url()).toBe(thanks())
  })

  it('sees a page that fits the screen, with buttons that a thumb can hit', async () => {
    const { page } = await phone()
    const longest = 'ORDER'.repeat(51)
    const job = await createJob({ order_number: longest, amount: '99999999999.99' })
    await page.goto(job.payUrl)
    expect(await page.textContent('dd')).toBe(longest)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const buttons = await page.getByRole('button').all()
    expect(buttons).toHaveLength(13)
    for (const button of buttons) {
      const box = await button.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(box?.width).toBeGreaterThanOrEqual(200)
    }
  })

  it('whose link names no payment is told so in the language of the browser', async () => {
    const { page } = await phone()
    const answer = await page.goto(`${hub.url}/pay/00000000-0000-4000-8000-000000000000`)
    expect(answer?.status()).toBe(404)
    expect(await page.textContent('h1')).toBe('This payment does not exist')
  })
})

describe('a hostile order number', () => {
  const hostile = `<img src=x onerror=alert(1)>"'`

  it('would load and run nothing even if it were markup', async () => {
    const { page, wrongs } = await phone()
    await page.goto((await createJob()).payUrl)
    const loaded: string[] = []
    page.on('response', (response) => loaded.push(response.url()))
    await page.evaluate(`document.querySelector('dd').innerHTML = ${JSON.stringify(hostile)}`)
    await vi.waitFor(() => expect(wrongs).toHaveLength(2), 15_000)
    // Builds of Chromium differ in which of these they report first.
    expect(wrongs.toSorted()).toEqual([
      expect.stringMatching(/^Executing inline event handler violates .* Content Security Policy/),
      expect.stringMatching(/^Loading the image .* violates .* Content Security Policy/),
    ])
    expect(loaded).toEqual([])
  })
})
