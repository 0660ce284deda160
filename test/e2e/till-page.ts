import { expect } from 'vitest'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { RunningHub } from './clients.ts'
import { openPage } from './page.ts'

/** A dark phone and a light desktop. */
export const LOOKS = [
  { width: 390, height: 900, colorScheme: 'dark' },
  { width: 1200, height: 900, colorScheme: 'light' },
] as const

/** Waits until an element shows a text, because the hub takes some time. */
export function waitForText(page: Page, selector: string, text: string): Promise<void> {
  return expect
    .poll(() => page.locator(selector).first().textContent(), { timeout: 30_000, interval: 200 })
    .toContain(text)
}

/** Opens the till's page, which shows the hub's refusals itself. */
export function openTillPage(browser: Browser, options: BrowserContextOptions = {}) {
  return openPage(browser, { locale: 'en-GB', ...options }, (message) =>
    message.text().startsWith('Failed to load resource'),
  )
}

type Keys = { apiKey: string; signingSecret: string }

/** Opens the till with a key, by keyboard only. */
export async function openTillWith(
  page: Page,
  hub: RunningHub,
  { apiKey, signingSecret }: Keys,
): Promise<void> {
  await page.goto(`${hub.url}/till`)
  await page.getByLabel('API key of a point of sale').fill(apiKey)
  await page.getByLabel('Signing secret (optional)').fill(signingSecret)
  await page.keyboard.press('Enter')
}

/** Requests a payment of 12.50 with Enter in its field. Returns the job's id and link. */
export async function createOrder(page: Page, shop: string): Promise<{ id: string; payUrl: string }> {
  await page.getByText('More of the order').click()
  await page.getByLabel('Where the customer goes after paying').fill(`${shop}/thanks`)
  await page.getByLabel('Amount').fill('12,50')
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: 'Pay in another tab' })
  await link.waitFor()
  const payUrl = (await link.getAttribute('href')) ?? ''
  const [id = ''] = payUrl.slice(payUrl.lastIndexOf('/') + 1).split('.')
  return { id, payUrl }
}
