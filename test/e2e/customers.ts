import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, inject } from 'vitest'
import { openCustomerPages } from './every-page.ts'
import { sharedBrowser, wrongsOf } from './page.ts'
import { openShops } from './shops.ts'

type CustomerPages = Awaited<ReturnType<typeof openCustomerPages>>
export type Customers = CustomerPages & {
  url: string
  thanks: string
  openPage: (options?: BrowserContextOptions) => Promise<{ page: Page; wrongs: string[] }>
}

/** A shop of the hub, and browsers for its customers, for the tests of one file. */
export function customersOfShop(): Customers {
  const chromium = sharedBrowser()
  const { url } = inject('hub')
  /** A separate browser in English, and the errors in it. */
  const openPage: Customers['openPage'] = async (options = {}) => {
    const context = await chromium.browser.newContext({ locale: 'en-GB', ...options })
    const page = await context.newPage()
    return { page, wrongs: wrongsOf(page) }
  }
  const customers = {} as Customers
  beforeAll(async () => {
    const shops = await openShops()
    const pages = await openCustomerPages(inject('hub'), shops.url)
    Object.assign(customers, { ...pages, url, thanks: `${shops.url}/thanks`, openPage })
    return async () => {
      await pages.close()
      shops.close()
    }
  })
  return customers
}
