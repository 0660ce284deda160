import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  type Page,
  chromium,
} from 'playwright-core'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'

/** The shared browser, for the tests of one file. Its contexts are closed after the last of them. */
export function sharedBrowser(): { browser: Browser } {
  const file = {} as { browser: Browser }
  beforeAll(async () => {
    const shared = inject('browser')
    if ('missing' in shared) throw new Error(shared.missing)
    file.browser = await chromium.connect(shared.endpoint)
  })
  afterAll(() => file.browser.close())
  return file
}

/** The browser logs a page's status if it is an error, such as a 404 on purpose. */
function isOwnStatus(message: ConsoleMessage): boolean {
  return (
    message.text().startsWith('Failed to load resource') && message.location().url === message.page()?.url()
  )
}

/** The errors on a page from now on: script errors, dialogs, and violations of its content policy. */
export function wrongsOf(page: Page, isExpected = isOwnStatus): string[] {
  const wrongs: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message)) wrongs.push(message.text())
  })
  page.on('pageerror', (error) => wrongs.push(error.message))
  page.on('dialog', (dialog) => {
    wrongs.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return wrongs
}

/** A page with its own cookies, and the errors on it. It is closed when the test ends. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  isExpected?: Parameters<typeof wrongsOf>[1],
): Promise<{ page: Page; wrongs: string[] }> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  return { page, wrongs: wrongsOf(page, isExpected) }
}
