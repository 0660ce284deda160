import type { BrowserContextOptions, Page } from 'playwright-core'
import { type SharedBrowser, openBrowser } from './chromium.ts'
import type { RunningHub } from './clients.ts'
import { openCustomerPages } from './every-page.ts'
import { wrongsOf } from './page.ts'
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

    /** A browser of its own, whose language is English, and what goes wrong there. */
    const openPage = async (
      options: BrowserContextOptions = {},
    ): Promise<{ page: Page; wrongs: string[] }> => {
      const context = await chromium.browser.newContext({ locale: 'en-GB', ...options })
      const page = await context.newPage()
      endings.unshift(() => context.close())
      return { page, wrongs: wrongsOf(page) }
    }
    return { ...pages, url: hub.url, thanks: `${shops.url}/thanks`, openPage, close }
  } catch (error) {
    await close()
    throw error
  }
}
export type Customers = Awaited<ReturnType<typeof openCustomers>>
