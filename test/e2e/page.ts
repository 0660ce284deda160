import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  type Page,
  chromium,
} from 'playwright-core'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'

/**
 * The browser that test files share, for the tests of one file. What they opened is closed with the
 * last of them.
 */
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

/** The status of a page that says that something is not there, or not now, which the browser tells too. */
function isOwnStatus(message: ConsoleMessage): boolean {
  return (
    message.text().startsWith('Failed to load resource') && message.location().url === message.page()?.url()
  )
}

/** What goes wrong on a page from now on: script errors, dialogs, and what its policy refuses. */
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

/** A page with cookies of its own, and what goes wrong on it. It is closed when the test ends. */
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
