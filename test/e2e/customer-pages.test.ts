import { expect, it, vi } from 'vitest'
import { expectUsable } from './accessibility.ts'
import { type Customers, customersOfShop } from './customers.ts'

const customers = customersOfShop()

/** The pages have the same elements on both screens. */
const SCREENS = [
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

/** Every page in every state, with its title. */
const STATES: readonly (readonly [string, title: string, address: () => Promise<string>])[] = [
  ['an order to pay', 'This order is not paid yet', async () => (await at('open')).receipt],
  [
    'a return without an outcome',
    'Your payment is being processed',
    async () => returnOf(await jobAt('open')),
  ],
  ['a payment', 'This order is paid', async () => (await at('paid')).receipt],
  ['a link to what is paid', 'This order is paid', async () => (await at('paid')).pay],
  ['an order that was paid twice', 'This order is paid', async () => paidTwice()],
  ['a failure', 'The payment failed', async () => (await at('failed')).pay],
  ['a cancelled payment', 'The payment was cancelled', async () => (await at('canceled')).pay],
  ['an expired one', 'The time to pay has passed', async () => (await at('expired')).receipt],
  ['money on its way', 'Your payment is being processed', async () => (await at('underway')).pay],
  [
    'reserved money',
    'The amount is reserved, but not taken yet',
    async () => (await jobAt('paid', { payment_method: 'card', capture: 'manual' })).pages.receipt,
  ],
  [
    'a refund and a chargeback',
    'Part of this payment was charged back',
    () => backOf({ refund: '34.50', chargeback: '100.00' }),
  ],
  ['a part refunded', 'Part of this payment was refunded', () => backOf({ refund: '34.50' })],
  ['all refunded', 'This payment was refunded', () => backOf({ refund: '1234.50' })],
  ['a PSP that does not answer', 'The payment cannot be started yet', async () => deadPsp()],
  ['a slow PSP', 'We are connecting you to the payment page', async () => slowPsp()],
  [
    'no such payment',
    'This payment does not exist',
    async () => `${customers.url}/receipt/${crypto.randomUUID()}`,
  ],
  ['the sandbox', 'Test payment', async () => (await at('open')).pay],
  ['an order at a terminal', 'Your payment is being processed', async () => (await jobAtTerminal()).pay],
  ['a simulated terminal', 'Terminal sandbox-1', async () => (await jobAtTerminal()).terminal],
]

function jobAtTerminal() {
  return customers.jobAtTerminal({ language: 'en' })
}
function jobAt(fate: Parameters<Customers['jobAfter']>[0], changes: object = {}) {
  return customers.jobAfter(fate, { language: 'en', ...changes })
}
async function at(fate: Parameters<Customers['jobAfter']>[0]) {
  return (await jobAt(fate)).pages
}
function returnOf({ pages }: { pages: { back: string } }): string {
  return pages.back
}

/** Waits until the first payment's page says that there is a second. */
async function paidTwice(): Promise<string> {
  const number = { order_number: 'Paid-twice' }
  const [{ pages }] = [await jobAt('paid', number), await jobAt('paid', number)]
  const said = async () =>
    expect(await (await fetch(pages.receipt)).text()).toContain('more than one payment')
  await vi.waitFor(said, { timeout: 45_000, interval: 300 })
  return pages.receipt
}

async function backOf(amounts: { refund?: string; chargeback?: string }): Promise<string> {
  const job = await jobAt('paid')
  for (const [action, amount] of Object.entries(amounts)) await customers.happen(job, action, { amount })
  return job.pages.receipt
}

async function deadPsp(): Promise<string> {
  const { payUrl } = await customers.jobWithoutPsp({ language: 'en' })
  return payUrl
}

async function slowPsp(): Promise<string> {
  const { payUrl } = await customers.jobWithoutPsp({ language: 'en' })
  customers.psp.isSlow(60_000)
  return payUrl
}

it.each(STATES)(
  'the page of %s is for everyone: on a phone, light, and at a desk, dark',
  async (...state) => {
    const [, title, address] = state
    const { page, wrongs } = await customers.openPage()
    // A page that refreshes cannot be examined, so its next address does not answer.
    await page.route(/[?](wait|look)=/, (route) => route.fulfill({ status: 204 }))
    await page.goto(await address())
    expect(await page.textContent('h1')).toBe(title)
    await expectUsable(page, SCREENS)
    expect(wrongs).toEqual([])
    await page.context().close()
  },
)
