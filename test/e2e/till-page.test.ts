import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { expectUsable, violationsOf } from './accessibility.ts'
import { next, openPos, operate } from './clients.ts'
import { openCustomerPages } from './every-page.ts'
import { openPage, sharedBrowser } from './page.ts'
import { openShops } from './shops.ts'
import { LOOKS, createOrder, openTillPage, openTillWith, waitForText } from './till-page.ts'

const hub = inject('hub')
const chromium = sharedBrowser()
let shops: Awaited<ReturnType<typeof openShops>>
beforeAll(async () => {
  shops = await openShops()
})
afterAll(() => shops.close())

/** The sandbox's reference for an open payment, from the payment's link. */
async function referenceOf(payUrl: string): Promise<string> {
  return (await next(payUrl)).split('/').at(-1) ?? ''
}

/** Changes a payment at the sandbox, as a PSP would. */
async function happen(reference: string, action: string): Promise<void> {
  const done = await fetch(`${hub.url}/sandbox/payments/${reference}/${action}`, { method: 'POST' })
  expect(done.status).toBe(200)
}

/** Types an amount and refunds it, by keyboard. */
async function giveBack(page: Page, amount: string, shown: string): Promise<void> {
  await page.getByLabel('Amount in EUR').fill(amount)
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Refund ${shown}` })
    .press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
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
    await giveBack(page, '5,00', '€5.00')
    await page.getByText(/^€5\.00 – (On its way|Refunded)$/).waitFor()
    await giveBack(page, '100', '€100.00')
    await page.getByText('That is more than is left.').waitFor()
    expect(wrongs).toEqual([])
  })

  it('shows the answer to a report that the hub recorded before a slow device had checked the signature', async () => {
    const { page } = await openTillPage(chromium.browser)
    await page.addInitScript(`const { verify } = SubtleCrypto.prototype
      SubtleCrypto.prototype.verify = async function (...words) {
        await new Promise((done) => setTimeout(done, 2000))
        return verify.apply(this, words)
      }`)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const { payUrl } = await createOrder(page, shops.url)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.reports .good', 'signature right')
    await waitForText(page, '.reports li', 'answered 200, delivered')
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
    await other.page.getByRole('button', { name: 'All: €12.50' }).click()
    await other.page.getByRole('button', { name: 'Refund €12.50' }).click()
    await other.page.getByRole('dialog').getByRole('button', { name: 'Refund €12.50' }).click()
    await waitForText(other.page, '.standing', 'Refunded')
    await other.page.getByText('Hand nothing over.').waitFor()
    for (const { wrongs } of [one, other]) expect(wrongs).toEqual([])
  })

  it('asks before it gives money back, and Enter twice, Escape and the way back give none', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const { payUrl } = await createOrder(page, shops.url)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing', 'Paid')
    const refunds: string[] = []
    page.on('request', (request) => request.method() === 'POST' && refunds.push(request.url()))
    const dialog = page.getByRole('dialog', { name: /€5\.00/ })
    await page.getByLabel('Amount in EUR').fill('5')
    for (const leave of ['Enter', 'Escape']) {
      await page.getByLabel('Amount in EUR').press('Enter')
      await dialog.waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.keyboard.press(leave)
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByLabel('Amount in EUR').fill('1.250')
    await page.keyboard.press('Enter')
    await page.getByText('Type the amount like this: 1,250.00').waitFor()
    expect(refunds.filter((url) => url.endsWith('/refunds'))).toEqual([])
    expect(wrongs).toEqual([])
  })

  it('asks for the PIN before it gives money back with a key that may not, in any script', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    const pos = await openPos(hub, { name: 'Bakery', can: ['create', 'read'] })
    await operate(hub, `/pos/${pos.id}/refund-pin`, { pin: '482913' })
    await openTillWith(page, hub, pos)
    const { payUrl } = await createOrder(page, shops.url)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing', 'Paid')
    const pin = page.getByRole('dialog').getByLabel('PIN for refunds')
    await page.getByLabel('Amount in EUR').fill('5')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Refund €5.00' }).press('Enter')
    await pin.fill('222222')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Refund €5.00' }).click()
    expect(await pin.inputValue()).toBe('')
    await pin.fill('111111')
    expect(await violationsOf(page)).toEqual([])
    await pin.press('Enter')
    await page.getByText('Please check: PIN for refunds.').waitFor()
    await page.getByRole('button', { name: 'Refund €5.00' }).click()
    await pin.fill('٤٨٢٩١٣')
    await pin.press('Enter')
    await page.getByText(/^€5\.00 – (On its way|Refunded)$/).waitFor()
    expect(wrongs).toEqual([])
  })

  it("speaks the language of the browser, and leaves the customer's to the customer's phone", async () => {
    const { page, wrongs } = await openTillPage(chromium.browser, { locale: 'nl-NL' })
    const pos = await openPos(hub, { name: 'Bakkerij' })
    await page.goto(`${hub.url}/till`)
    await page.getByLabel('API-sleutel').fill(pos.apiKey)
    await page.keyboard.press('Enter')
    await page.getByLabel('Bedrag').fill('1.234,50')
    await page.getByRole('button', { name: /€\s1\.234,50/ }).waitFor()
    const sent = page.waitForRequest(
      (asked) => asked.method() === 'POST' && asked.url().endsWith('/paymentjobs'),
    )
    await page.keyboard.press('Enter')
    expect((await sent).postDataJSON()).toMatchObject({ amount: '1234.50', language: 'und-NL' })
    await page.getByRole('heading', { name: /€\s1\.234,50/ }).waitFor()
    await waitForText(page, '.standing', 'Wachten op de klant')
    const link = await page.getByRole('link', { name: 'In een ander tabblad betalen' }).getAttribute('href')
    await page.getByRole('button', { name: /^Bestelling van €\s1\.234,50 annuleren$/ }).click()
    await waitForText(page, '.standing', 'Geannuleerd')
    const phone = await openPage(chromium.browser, { locale: 'pl-PL' })
    await phone.page.goto(link ?? '')
    expect(await phone.page.getAttribute('html', 'lang')).toBe('pl')
    const arabic = await openTillPage(chromium.browser, { locale: 'ar-EG' })
    await arabic.page.goto(`${hub.url}/till`)
    await arabic.page.locator('#api-key').fill(pos.apiKey)
    await arabic.page.keyboard.press('Enter')
    await arabic.page.locator('#amount').waitFor()
    expect(await arabic.page.getAttribute('#till', 'dir')).toBe('rtl')
    expect(await violationsOf(arabic.page)).toEqual([])
    expect(wrongs).toEqual([])
  })

  it('has the method of the last order first, and all others by their names', async () => {
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const names = () => page.getByLabel('Payment method').locator('option').allTextContents()
    await page.getByLabel('Amount').waitFor()
    const before = await names()
    expect(before).toEqual(before.toSorted((one, other) => one.localeCompare(other)))
    await page.getByLabel('Payment method').selectOption('paypal')
    await createOrder(page, shops.url)
    await page.getByRole('button', { name: 'Order', exact: true }).click()
    expect((await names())[0]?.toLowerCase()).toBe('paypal')
    expect(await names()).toHaveLength(before.length)
  })

  it('says that the hub is gone, as long as it is', async () => {
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const { payUrl } = await createOrder(page, shops.url)
    await page.locator('table').waitFor()
    const gone = page.getByText('No connection – trying again')
    expect(await gone.count()).toBe(0)
    // On a machine without a network the browser has no news to tell.
    const become = async (isOffline: boolean) => {
      await page.context().setOffline(isOffline)
      await page.evaluate((event) => dispatchEvent(new Event(event)), isOffline ? 'offline' : 'online')
    }
    await become(true)
    await gone.waitFor()
    await become(false)
    await gone.waitFor({ state: 'detached' })
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing', 'Paid')
  })

  it('says what is wrong with a signing secret, and asks the hub nothing', async () => {
    const { page } = await openTillPage(chromium.browser)
    const pos = await openPos(hub, { name: 'Bakery' })
    await openTillWith(page, hub, { ...pos, signingSecret: pos.signingSecret.slice(1) })
    await waitForText(page, '[role=alert]', 'This one has 63.')
    await page.getByLabel('Signing secret (optional)').fill(pos.signingSecret)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Order' }).waitFor()
  })

  it('cancels a payment, and goes on to the next order', async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await createOrder(page, shops.url)
    await page.getByRole('button', { name: 'Cancel the order of €12.50' }).click()
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
    await page.getByText('The hub does not know this key.').waitFor()
    expect(await page.getByRole('heading', { name: 'Order' }).count()).toBe(0)
    expect(wrongs).toEqual([])
  })

  it("works with a live key without a website: the customer ends at the hub's page; it shows no test tools", async () => {
    const customers = await openCustomerPages(hub, shops.url)
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, { apiKey: customers.liveKey, signingSecret: '' })
    await page.getByLabel('Amount').fill('1,00')
    await page.keyboard.press('Enter')
    await waitForText(page, '.standing', 'Waiting for the customer')
    const link = (await page.getByRole('link', { name: 'Pay in another tab' }).getAttribute('href')) ?? ''
    expect(await (await fetch(link, { redirect: 'manual' })).text()).not.toContain('/till')
    for (const absent of ['TEST', 'Let time pass', 'Trace'])
      expect(await page.getByText(absent).count()).toBe(0)
    await customers.close()
  })

  it("shows the code and the payment's state on the first screen of a phone, and across it that it is paid", async () => {
    const { page } = await openTillPage(chromium.browser, { viewport: { width: 360, height: 740 } })
    await page.addInitScript(`window.felt = 0; navigator.vibrate = () => { window.felt += 1; return true }; window.heard = 0; window.AudioContext = class extends AudioContext {
      createOscillator() { window.heard += 1; return super.createOscillator() } }`)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const { payUrl } = await createOrder(page, shops.url)
    const code = await page.getByAltText('QR code of the payment link').boundingBox()
    const standing = await page.locator('.standing').boundingBox()
    expect(code?.width).toBeGreaterThan(250)
    for (const box of [code, standing]) expect((box?.y ?? 740) + (box?.height ?? 0)).toBeLessThan(740)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing.good .word', 'Paid')
    await expect.poll(() => page.evaluate('window.heard')).toBeGreaterThan(0)
    expect(await page.evaluate('window.felt')).toBe(1)
  })

  it("shows today's payments by method, and refunds; an order there leads to its payment", async () => {
    const { page, wrongs } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    const { payUrl } = await createOrder(page, shops.url)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.standing', 'Paid')
    await giveBack(page, '2,50', '€2.50')
    await page.getByRole('button', { name: 'Today' }).click()
    await waitForText(page, 'tbody.sum', 'All methods together112.502.5010.00')
    expect(await violationsOf(page)).toEqual([])
    await page.locator('button.link').first().click()
    await waitForText(page, '.standing', 'Paid, €2.50 refunded')
    expect(wrongs).toEqual([])
  })

  it('shows no code, and no way to cancel, for an order whose money is reserved', async () => {
    const pos = await openPos(hub, { name: 'Bakery' })
    const { payUrl } = await pos.create(shops.url, { payment_method: 'card', capture: 'manual' })
    await happen(await referenceOf(payUrl), 'pay')
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, pos)
    await page.getByRole('button', { name: 'Today' }).click()
    await waitForText(page, 'td .hint', 'Reserved')
    await page.locator('td button.link').first().click()
    await waitForText(page, '.standing', 'Reserved')
    await page.getByRole('button', { name: 'Next order' }).waitFor()
    expect(await page.getByAltText('QR code of the payment link').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0)
  })

  it('explains what is wrong with an order in its own words, not in those of the API', async () => {
    const { page } = await openTillPage(chromium.browser)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await page.getByText('More of the order').click()
    await page.getByLabel('Currency').fill('XXX')
    await page.getByLabel('Amount').fill('12,50')
    await page.keyboard.press('Enter')
    await waitForText(page, '[role=alert]', 'Please check: Currency.')
    expect(await page.locator('[role=alert]').first().textContent()).not.toMatch(/fields-invalid|job/)
  })

  it('keeps its secrets sealed, sends the signing secret nowhere, and sends requests only to the hub', async () => {
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
    await page.reload()
    await page.getByText('None since this page was loaded.').waitFor()
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
    await openTillWith(page, hub, { apiKey: 'x'.repeat(160), signingSecret: '' })
    await page.locator('.wrong').waitFor()
    await expectUsable(page, LOOKS)
    await openTillWith(page, hub, await openPos(hub, { name: 'Bakery' }))
    await page.getByRole('heading', { name: 'Order' }).waitFor()
    await expectUsable(page, LOOKS)
    const { payUrl } = await createOrder(page, shops.url)
    await page.locator('table').waitFor()
    await expectUsable(page, LOOKS)
    await happen(await referenceOf(payUrl), 'pay')
    await waitForText(page, '.reports .good', 'signature right')
    await expectUsable(page, LOOKS)
  })
})
