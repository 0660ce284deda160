import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { customersOfShop } from './customers.ts'

const customers = customersOfShop()

/** A page that is closed when the test ends. Until then it keeps sending requests to the hub. */
async function openPage(options?: BrowserContextOptions) {
  const opened = await customers.openPage(options)
  onTestFinished(() => opened.page.context().close())
  return opened
}

const english = { language: 'en' }
function title(page: Page) {
  return page.textContent('h1')
}

/** Marks a page. A reload removes the mark. */
function mark(page: Page) {
  return page.evaluate('window.marked = true')
}
function isMarked(page: Page) {
  return page.evaluate('window.marked === true')
}

/** Waits until a page shows a text, without acting on the page. */
function says(page: Page, text: string): Promise<void> {
  return expect.poll(() => title(page), { timeout: 20_000, interval: 200 }).toBe(text)
}

/** Waits until the browser is at the shop. The page's script and its refresh may both lead there. */
function isAtShop(page: Page): Promise<void> {
  return expect.poll(() => page.url(), { timeout: 30_000 }).toBe(customers.thanks)
}

describe('a page that is open while the payment goes on', () => {
  it('says that it is paid at once, on each screen, and is not loaded again', async () => {
    const job = await customers.jobAfter('underway', english)
    const screens = [await openPage(), await openPage(), await openPage()]
    const addresses = [job.pages.pay, job.pages.receipt, job.pages.receipt]
    for (const [place, { page }] of screens.entries()) {
      await page.goto(addresses[place] ?? '', { waitUntil: 'networkidle' })
      expect(await title(page)).toBe('Your payment is being processed')
      await mark(page)
    }
    await customers.happen(job, 'arrive')
    for (const { page, wrongs } of screens) {
      await says(page, 'This order is paid')
      expect(await page.title()).toContain(`This order is paid – ${customers.name}`)
      expect(await isMarked(page)).toBe(true)
      expect(wrongs).toEqual([])
    }
  })

  it('shows a refund below the amount, and leaves the focus where it is', async () => {
    const job = await customers.jobAfter('paid', english)
    const { page, wrongs } = await openPage()
    await page.goto(job.pages.receipt, { waitUntil: 'networkidle' })
    await page.keyboard.press('Tab')
    await mark(page)
    await customers.happen(job, 'refund', { amount: '34.50' })
    await expect.poll(() => page.textContent('dl'), { timeout: 20_000 }).toContain('Refunded€34.50')
    expect(await isMarked(page)).toBe(true)
    expect(await page.evaluate('document.activeElement.textContent')).toBe(`Back to ${customers.name}`)
    expect(wrongs).toEqual([])
  })

  it('goes on to the shop from the waiting page as soon as it is paid', async () => {
    const job = await customers.jobAfter('open', english)
    const { page, wrongs } = await openPage()
    await page.goto(job.pages.back)
    expect(await title(page)).toBe('Your payment is being processed')
    await fetch(`${customers.url}/sandbox/payments/${job.reference}/pay`, { method: 'POST' })
    await isAtShop(page)
    expect(wrongs).toEqual([])
  })

  it('polls if the stream is refused', async () => {
    const job = await customers.jobAfter('underway', english)
    const { page } = await openPage()
    await page.route('**/events', (route) => route.fulfill({ status: 429 }))
    await page.goto(job.pages.receipt, { waitUntil: 'networkidle' })
    await mark(page)
    await customers.happen(job, 'arrive')
    await says(page, 'This order is paid')
    expect(await isMarked(page)).toBe(true)
  })
})

describe('a browser that runs no scripts', () => {
  it('goes from the waiting page to the shop automatically', async () => {
    const job = await customers.jobAfter('open', english)
    const { page } = await openPage({ javaScriptEnabled: false })
    await page.goto(job.pages.back)
    await isAtShop(page)
  })

  it('shows a change of the receipt without an action', async () => {
    const job = await customers.jobAfter('underway', english)
    const { page } = await openPage({ javaScriptEnabled: false })
    await page.goto(job.pages.receipt)
    await customers.happen(job, 'arrive')
    await page.getByText('This order is paid').waitFor({ timeout: 30_000 })
  })
})

/** The PSP's address to which the browser is redirected. There is no real PSP here. */
const AT_PSP = 'https://www.mollie.com/**'

describe.each([true, false])('a customer whose PSP is slow, with scripts: %s', (javaScriptEnabled) => {
  it('is shown at once what goes on, and is then sent to the PSP', async () => {
    const job = await customers.jobWithoutPsp(english)
    customers.psp.isSlow(3000)
    const { page, wrongs } = await openPage({ javaScriptEnabled })
    const atPsp = page.waitForRequest(AT_PSP)
    const shown = await page.goto(job.payUrl, { waitUntil: 'commit' })
    // The page about this. All other pages of a job without an announcement are redirects or 503.
    expect(shown?.status()).toBe(200)
    expect(wrongs).toEqual([])
    await atPsp
  })
})
