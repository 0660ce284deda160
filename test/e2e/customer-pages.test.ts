import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startBuiltHub } from './built-hub.ts'
import { openBrowser } from './chromium.ts'
import { type CustomerPages, openCustomerPages } from './every-page.ts'
import { openShops } from './shops.ts'

let hub: Awaited<ReturnType<typeof startBuiltHub>>
let chromium: Awaited<ReturnType<typeof openBrowser>>
let shops: Awaited<ReturnType<typeof openShops>>
let customers: CustomerPages

const endings: (() => unknown)[] = []
beforeAll(async () => {
  // Its own: a network that has asked for too many unknown payments is remembered.
  hub = await startBuiltHub(inject('built'))
  endings.unshift(hub.stop)
  chromium = await openBrowser()
  endings.unshift(chromium.close)
  shops = await openShops()
  endings.unshift(shops.close)
  customers = await openCustomerPages(hub, shops.url)
  endings.unshift(customers.close)
})
afterAll(async () => {
  for (const end of endings) await end()
})

/** A browser of its own, and what goes wrong on its pages: script errors, and what the policy refuses. */
const openPage = async (options: BrowserContextOptions = {}): Promise<{ page: Page; wrongs: string[] }> => {
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

const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['a phone, light', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
  ['a phone, dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ['a desk, light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['a desk, dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
]

/** Every page in every state, by what its title says there. */
const STATES: readonly (readonly [string, title: string, address: () => Promise<string>])[] = [
  ['an order to pay', 'This order is not paid yet', async () => (await at('open')).receipt],
  [
    'a return without an outcome',
    'Your payment is being processed',
    async () => returnOf(await jobAt('open')),
  ],
  ['a payment', 'This order is paid', async () => (await at('paid')).receipt],
  ['a link to what is paid', 'This order is paid', async () => (await at('paid')).pay],
  ['a failure', 'The payment failed', async () => (await at('failed')).pay],
  ['a cancelled payment', 'The payment was cancelled', async () => (await at('canceled')).pay],
  ['an expired one', 'The time to pay has passed', async () => (await at('expired')).receipt],
  ['money on its way', 'Your payment is being processed', async () => (await at('underway')).pay],
  [
    'a refund and a chargeback',
    'This order is paid',
    () => backOf({ refund: '34.50', chargeback: '100.00' }),
  ],
  ['all refunded', 'This payment was refunded', () => backOf({ refund: '1234.50' })],
  ['a PSP that does not answer', 'The payment cannot be started yet', async () => deadPsp()],
  ['no such payment', 'This payment does not exist', async () => `${hub.url}/receipt/${crypto.randomUUID()}`],
  ['the sandbox', 'Test payment', async () => (await at('open')).pay],
  // The last one: from then on this network is asked to wait.
  ['too many unknown ones', 'Too many requests', async () => tooMany()],
]

const jobAt = (fate: Parameters<CustomerPages['jobAfter']>[0], changes: object = {}) =>
  customers.jobAfter(fate, { language: 'en', ...changes })
const at = async (fate: Parameters<CustomerPages['jobAfter']>[0]) => (await jobAt(fate)).pages
const returnOf = ({ id }: { id: string }): string => `${hub.url}/return/${id}`

const backOf = async (amounts: { refund?: string; chargeback?: string }): Promise<string> => {
  const job = await jobAt('paid')
  for (const [action, amount] of Object.entries(amounts)) await customers.happen(job, action, { amount })
  return job.pages.receipt
}

const deadPsp = async (): Promise<string> => {
  const { payUrl } = await customers.jobWithoutPsp({ language: 'en' })
  return payUrl
}

const tooMany = async (): Promise<string> => {
  for (let asked = 0; asked < 70; asked++) await fetch(`${hub.url}/receipt/${crypto.randomUUID()}`)
  return `${hub.url}/receipt/${crypto.randomUUID()}`
}

/** What axe finds wrong, in short. */
const violationsOn = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run(document)')) as axe.AxeResults
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

describe.each(STATES)('the page of %s', (_, title, address) => {
  it(
    'is for everyone: on a phone and at a desk, light and dark, without an error',
    { timeout: 120_000 },
    async () => {
      const url = await address()
      for (const [screen, options] of SCREENS) {
        const { page, wrongs } = await openPage(options)
        await page.goto(url)
        expect(await page.textContent('h1'), screen).toBe(title)
        expect(await violationsOn(page), screen).toEqual([])
        const width = await page.evaluate('document.documentElement.scrollWidth')
        expect(width, screen).toBe(options.viewport?.width)
        expect(wrongs, screen).toEqual([])
        await page.context().close()
      }
    },
  )
})
