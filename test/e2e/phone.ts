import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/**
 * Opens a customer's phone, whose own language is English. `wrongs` is what goes wrong on its
 * pages. It is closed when the test ends.
 */
export async function openPhone(browser: Browser): Promise<{ page: Page; wrongs: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'en-GB',
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') wrongs.push(message.text())
  })
  page.on('pageerror', (error) => wrongs.push(error.message))
  page.on('dialog', (dialog) => {
    wrongs.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, wrongs }
}
