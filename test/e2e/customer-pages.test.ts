import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Customers, openCustomers } from './customers.ts'

let customers: Customers
beforeAll(async () => {
  customers = await openCustomers(inject('built'))
})
afterAll(() => customers.close())

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
  [
    'no such payment',
    'This payment does not exist',
    async () => `${customers.url}/receipt/${crypto.randomUUID()}`,
  ],
  ['the sandbox', 'Test payment', async () => (await at('open')).pay],
  // The last one: from then on this network is asked to wait.
  ['too many unknown ones', 'Too many requests', async () => tooMany()],
]

const jobAt = (fate: Parameters<Customers['jobAfter']>[0], changes: object = {}) =>
  customers.jobAfter(fate, { language: 'en', ...changes })
const at = async (fate: Parameters<Customers['jobAfter']>[0]) => (await jobAt(fate)).pages
const returnOf = ({ id }: { id: string }): string => `${customers.url}/return/${id}`

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
  for (let asked = 0; asked < 70; asked++) await fetch(`${customers.url}/receipt/${crypto.randomUUID()}`)
  return `${customers.url}/receipt/${crypto.randomUUID()}`
}

/** What axe finds wrong, in short. */
const violationsOn = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run(document)')) as axe.AxeResults
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

type Screen = (typeof SCREENS)[number]

const expectForEveryone = async (url: string, title: string, [screen, options]: Screen): Promise<void> => {
  const { page, wrongs } = await customers.openPage(options)
  // A page that moves on at once cannot be looked at: it stays where the next address does not answer.
  await page.route('**/pay/*?wait=1', (route) => route.fulfill({ status: 204 }))
  await page.goto(url)
  expect(await page.textContent('h1'), screen).toBe(title)
  expect(await violationsOn(page), screen).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth'), screen).toBe(options.viewport?.width)
  expect(wrongs, screen).toEqual([])
  await page.context().close()
}

it.each(SCREENS)('the page of a slow PSP is for everyone, on %s', async (...screen) => {
  const { payUrl } = await customers.jobWithoutPsp({ language: 'en' })
  customers.psp.isSlow(60_000)
  await expectForEveryone(payUrl, 'We are connecting you to the payment page', screen)
})

it.each(STATES)('the page of %s is for everyone', { timeout: 120_000 }, async (_, title, address) => {
  const url = await address()
  for (const screen of SCREENS) await expectForEveryone(url, title, screen)
})
