import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { next, openPos } from './clients.ts'
import { openCustomerPages } from './every-page.ts'
import { sharedBrowser } from './page.ts'
import { openShops } from './shops.ts'
import { createOrder, openTillPage, openTillWith } from './till-page.ts'

const hub = inject('hub')
const chromium = sharedBrowser()
let shops: Awaited<ReturnType<typeof openShops>>
beforeAll(async () => {
  shops = await openShops()
})
afterAll(() => shops.close())

const LOOKS = [
  { width: 390, colorScheme: 'dark' },
  { width: 1200, colorScheme: 'light' },
] as const

/** The sandbox's name of a payment that is open: its link leads there. */
async function referenceOf(payUrl: string): Promise<string> {
  return (await next(payUrl)).split('/').at(-1) ?? ''
}

/** Lets what a PSP does happen to a payment of the sandbox. */
async function happen(reference: string, action: string): Promise<void> {
  const done = await fetch(`${hub.url}/sandbox/payments/${reference}/${action}`, { method: 'POST' })
  expect(done.status).toBe(200)
}

function waitForText(page: Page, selector: string, text: string): Promise<void> {
  return expect
    .poll(() => page.locator(selector).first().textContent(), { timeout: 30_000, interval: 200 })
    .toContain(text)
}

describe('the till', () => {
  it('takes a payment with the keyboard: it watches, takes the reports, gives money back', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await page.getByRole('heading', { name: 'Order' }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('amount')
    const { payUrl } = await createOrder(page, shops.url)
    expect(await page.getByAltText('QR code of the payment link').getAttribute('src')).toMatch(
      /^data:image\/svg/,
    )
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing', 'Paid')
    await waitForText(page, '#reports-title + .reports', 'answered 200, delivered')
    expect(await page.getByAltText('QR code of the payment link').count()).toBe(0)
    expect(await page.evaluate('document.activeElement.id')).toBe('next')
    await page.getByLabel('Amount in EUR').press('Enter')
    await page.getByLabel('Amount in EUR').fill('5,00')
    await page.keyboard.press('Enter')
    await page.getByText(/^5\.00 EUR – (PENDING|SUCCESS)$/).waitFor()
    await page.getByLabel('Amount in EUR').fill('100')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'refund-too-much' }).waitFor()
    expect(wrongs).toEqual([])
  })

  it('leaves the reports of other payments to the till that made them, and says what went back', async () => {
    const pos = await openPos(hub, { name: 'Bakery' })
    const [one, other] = [await openTillPage(chromium.browser), await openTillPage(chromium.browser)]
    for (const { page } of [one, other]) await openTillWith(page, hub, pos)
    await createOrder(one.page, shops.url)
    const { payUrl } = await createOrder(other.page, shops.url)
    for (const { page } of [one, other]) await page.locator('table').waitFor()
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(other.page, '#reports-title + .reports', 'answered 200, delivered')
    expect(await other.page.getByText('(try 2)').count()).toBe(0)
    await other.page.getByRole('button', { name: 'All: 12.50' }).click()
    await other.page.getByRole('button', { name: 'Give it back' }).click()
    await waitForText(other.page, '.standing', 'Refunded')
    await other.page.getByText('Hand nothing over.').waitFor()
    for (const { wrongs } of [one, other]) expect(wrongs).toEqual([])
  })

  it('says that the hub is gone, as long as it is', async () => {
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const { payUrl } = await createOrder(page, shops.url)
    await page.locator('table').waitFor()
    const gone = page.getByText('No connection – trying again')
    expect(await gone.count()).toBe(0)
    await page.context().setOffline(true)
    await gone.waitFor()
    await page.context().setOffline(false)
    await gone.waitFor({ state: 'detached' })
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing', 'Paid')
  })

  it('says what is wrong with a signing secret, and asks the hub nothing', async () => {
    const { page } = await openTillPage(chromium.browser)
    const pos = await openPos(hub, { name: 'Bakery' })
    await openTillWith(page, hub, { ...pos, signingSecret: pos.signingSecret.slice(1) })
    await waitForText(page, '[role=alert]', 'A signing secret has 64 characters. This one has 63.')
    await page.getByLabel('Signing secret (optional)').fill(pos.signingSecret)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Order' }).waitFor()
  })

  it('cancels a payment, and goes on to the next order', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await createOrder(page, shops.url)
    await page.getByRole('button', { name: 'Cancel the payment' }).click()
    await waitForText(page, '.standing', 'Cancelled')
    await page.getByRole('button', { name: 'Next order' }).click()
    await createOrder(page, shops.url)
    expect(wrongs).toEqual([])
  })

  it('lets time pass: a payment that nobody makes ends at once', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await createOrder(page, shops.url)
    await page.getByRole('button', { name: 'Three days' }).click()
    await waitForText(page, '.standing', 'Expired')
    expect(await violationsOf(page)).toEqual([])
    expect(wrongs).toEqual([])
  })

  it("lets the point of sale's own receiver answer where it has one, and shows the reports all the same", async () => {
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await page.getByText('More of the order').click()
    await page.getByLabel('Where reports go (optional)').fill(`${shops.url}/own`)
    await page.getByText('More of the order').click()
    const { id, payUrl } = await createOrder(page, shops.url)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.reports .good', 'signature right')
    await expect.poll(() => shops.of(id).length, { timeout: 20_000 }).toBeGreaterThan(0)
  })

  it('says what is wrong with a key', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, { apiKey: 'x'.repeat(160), signingSecret: '' })
    await page.getByRole('link', { name: 'api-key-invalid' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Order' }).count()).toBe(0)
    expect(wrongs).toEqual([])
  })

  it('works with a live key: it wants addresses of the shop, and shows no test tools', async () => {
    const customers = await openCustomerPages(hub, shops.url)
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, { apiKey: customers.liveKey, signingSecret: '' })
    await page.getByLabel('Amount').fill('1,00')
    await page.keyboard.press('Enter')
    await page.locator('#return_url:invalid').waitFor()
    await page.getByLabel('Where the customer goes after paying').fill(`${shops.url}/thanks`)
    await page.getByLabel('Where reports go').fill(`${shops.url}/report`)
    await page.keyboard.press('Enter')
    await waitForText(page, '.standing', 'Waiting for the customer')
    for (const absent of ['TEST', 'Let time pass', 'Trace'])
      expect(await page.getByText(absent).count()).toBe(0)
    await customers.close()
  })

  it('shows the code and how it stands on the first screen of a phone, and that it is paid across it', async () => {
    const { page } = await openTillPage(chromium.browser, { viewport: { width: 360, height: 740 } })
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const { payUrl } = await createOrder(page, shops.url)
    const code = await page.getByAltText('QR code of the payment link').boundingBox()
    const standing = await page.locator('.standing').boundingBox()
    expect(code?.width).toBeGreaterThan(250)
    for (const box of [code, standing]) expect((box?.y ?? 740) + (box?.height ?? 0)).toBeLessThan(740)
    await page.evaluate(`window.heard = 0; window.AudioContext = class extends AudioContext {
      createOscillator() { window.heard += 1; return super.createOscillator() } }`)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing.good .word', 'Paid')
    await expect.poll(() => page.evaluate('window.heard')).toBeGreaterThan(0)
  })

  it('tells what came in today by method, and what went back; an order there leads to its payment', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const { payUrl } = await createOrder(page, shops.url)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing', 'Paid')
    await page.getByLabel('Amount in EUR').fill('2,50')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Today' }).click()
    await waitForText(page, 'tr.sum', 'All in EUR112.502.5010.00')
    expect(await violationsOf(page)).toEqual([])
    await page.locator('button.link').first().click()
    await waitForText(page, '.standing', 'Paid, refunded EUR 2.50')
    expect(wrongs).toEqual([])
  })

  it('tells each field of an order that the hub refuses', async () => {
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await page.getByLabel('Amount').fill('12.505')
    await page.getByRole('button', { name: 'Take the payment' }).click()
    await waitForText(page, '[role=alert]', 'amount has more decimals than EUR has (2).')
  })

  it('keeps its secrets sealed, sends the signing secret nowhere, and asks nobody but the hub', async () => {
    const { page } = await openTillPage(chromium.browser)
    const pos = await openPos(hub, { name: 'Bakery' })
    const sent: string[] = []
    page.on('request', (request) =>
      sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`),
    )
    await openTillWith(page, hub, pos)
    const { payUrl } = await createOrder(page, shops.url)
    await page.reload()
    await page.getByAltText('QR code of the payment link').waitFor()
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.reports .good', 'signature right')
    const stored = await page.evaluate(
      'JSON.stringify([sessionStorage, localStorage, document.cookie, location.href])',
    )
    for (const secret of [pos.apiKey, pos.signingSecret]) expect(stored).not.toContain(secret)
    for (const request of sent) {
      expect(request.startsWith(hub.url) || request.startsWith('data:')).toBe(true)
      expect(request).not.toContain(pos.signingSecret)
      expect(request.split(' ')[0]).not.toContain(pos.apiKey)
    }
    await page.getByRole('button', { name: 'Close the till' }).click()
    await page.reload()
    expect(await page.getByLabel('API key of a point of sale').inputValue()).toBe('')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it('has no fault that axe finds, in each state, on a phone in the dark and at a desk in the light', async () => {
    const { page } = await openTillPage(chromium.browser)
    const expectUsable = async () => {
      for (const { width, colorScheme } of LOOKS) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        expect(await violationsOf(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
    }
    await openTillWith(page, hub, { apiKey: 'x'.repeat(160), signingSecret: '' })
    await page.locator('.wrong').waitFor()
    await expectUsable()
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await page.getByRole('heading', { name: 'Order' }).waitFor()
    await expectUsable()
    const { payUrl } = await createOrder(page, shops.url)
    await page.locator('table').waitFor()
    await expectUsable()
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.reports .good', 'signature right')
    await expectUsable()
  })
})
