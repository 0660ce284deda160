import type { BrowserContextOptions, Page } from 'playwright-core'
import { type SharedBrowser, openBrowser } from './chromium.ts'
import { type RunningHub, openCustomerPages } from './every-page.ts'
import { openShops } from './shops.ts'

/** A shop of a hub, and browsers for its customers. */
export async function openCustomers(hub: RunningHub, browser: SharedBrowser) {
  const endings: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const end of endings) await end()
  }
  try {
    const chromium = await openBrowser(browser)
    endings.unshift(chromium.close)
    const shops = await openShops()
    endings.unshift(shops.close)
    const pages = await openCustomerPages(hub, shops.url)
    endings.unshift(pages.close)

    /**
     * A browser of its own, whose language is English, and what goes wrong there: script errors,
     * and what the policy refuses.
     */
    const openPage = async (
      options: BrowserContextOptions = {},
    ): Promise<{ page: Page; wrongs: string[] }> => {
      const context = await chromium.browser.newContext({ locale: 'en-GB', ...options })
      const page = await context.newPage()
      const wrongs: string[] = []
      page.on('console', (message) => {
        // The status of a page that says that something is not there, or not now.
        const isStatus =
          message.text().startsWith('Failed to load resource') && message.location().url === page.url()
        if (message.type() === 'error' && !isStatus) wrongs.push(message.text())
      })
      page.on('pageerror', (error) => wrongs.push(error.message))
      endings.unshift(() => context.close())
      return { page, wrongs }
    }
    return { ...pages, url: hub.url, thanks: `${shops.url}/thanks`, openPage, close }
  } catch (error) {
    await close()
    throw error
  }
}
export type Customers = Awaited<ReturnType<typeof openCustomers>>
