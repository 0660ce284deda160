import { expect } from 'vitest'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { RunningHub } from './clients.ts'
import { openPage } from './page.ts'

/** A phone in the dark, and a desk in the light. */
export const LOOKS = [
  { width: 390, height: 900, colorScheme: 'dark' },
  { width: 1200, height: 900, colorScheme: 'light' },
] as const

/** Waits until an element says something: what a hub does takes its time. */
export function waitForText(page: Page, selector: string, text: string): Promise<void> {
  return expect
    .poll(() => page.locator(selector).first().textContent(), { timeout: 30_000, interval: 200 })
    .toContain(text)
}

/** A page of the till: it tells by itself what the hub refuses. */
export function openTillPage(browser: Browser, options: BrowserContextOptions = {}) {
  return openPage(browser, { locale: 'en-GB', ...options }, (message) =>
    message.text().startsWith('Failed to load resource'),
  )
}

type Keys = { apiKey: string; signingSecret: string }

/** Opens the till with a key, by the keyboard alone. */
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

/** Takes a payment of 12.50, with Enter in its field. Gives the id of its job, and its link. */
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
