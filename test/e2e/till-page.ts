import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

type Running = { url: string; secrets: Record<string, string | undefined> }
type Pos = { name: string; apiKey: string; signingSecret: string }

/** Makes a point of sale as an operator does. */
export async function makePos({ url, secrets }: Running, name: string, mode = 'test'): Promise<Pos> {
  const made = await fetch(`${url}/operator/v1/pos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secrets['OPERATOR_TOKEN']}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, mode }),
  })
  return (await made.json()) as Pos
}

/**
 * A page of its own until the test ends, and what goes wrong in it: script errors, and what its
 * policy refuses.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('console', (message) => {
    // A refusal of the hub is told on the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      wrongs.push(message.text())
  })
  page.on('pageerror', (error) => wrongs.push(error.message))
  return { page, wrongs }
}

/** Opens the till with a key, by the keyboard alone. */
export async function openTillWith(page: Page, hub: Running, { apiKey, signingSecret }: Pos): Promise<void> {
  await page.goto(`${hub.url}/till`)
  await page.getByLabel('API key of a point of sale').fill(apiKey)
  await page.getByLabel('Signing secret (optional)').fill(signingSecret)
  await page.keyboard.press('Enter')
}

/** Takes a payment of 12.50, with Enter in its field. Gives the id of its job, and its link. */
export async function createOrder(page: Page, shop: string): Promise<{ id: string; payUrl: string }> {
  await page.getByText('More of the order').click()
  await page.getByLabel('Where the customer goes after paying').fill(`${shop}/thanks`)
  await page.getByLabel('Amount').fill('12,50')
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: 'pay in another tab' })
  await link.waitFor()
  const payUrl = (await link.getAttribute('href')) ?? ''
  const [id = ''] = payUrl.slice(payUrl.lastIndexOf('/') + 1).split('.')
  return { id, payUrl }
}
