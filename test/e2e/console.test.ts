import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { expectUsable } from './accessibility.ts'
import { choose } from './clients.ts'
import { signIn } from './console-operator.ts'
import { openConsoleShop } from './console-shop.ts'
import { sharedBrowser } from './page.ts'

const hub = inject('hub')
const HOSTILE = `<img src=x onerror=alert(1)>"'\u202etxt.exe`

const chromium = sharedBrowser()
let shop: Awaited<ReturnType<typeof openConsoleShop>>
beforeAll(async () => {
  // Names of shops cannot have invisible characters.
  shop = await openConsoleShop(hub, `Shop ${HOSTILE.replace('\u202e', '')}`)
})
afterAll(() => shop.stop())

/** A browser whose operator has signed in. */
function signedIn(options?: BrowserContextOptions) {
  return signIn(chromium.browser, hub, options)
}

/** Searches for the number of a single order, which leads to its payment once the index has it. */
async function search(page: Page, word: string) {
  await vi.waitFor(
    async () => {
      await page.goto(`${hub.url}/console/payments?q=${encodeURIComponent(word)}`)
      expect(page.url()).not.toContain('?q=')
    },
    { timeout: 30_000, interval: 500 },
  )
}

/**
 * Makes the sandbox pay out until a payout has the job. Returns the payout's id. The index may lag by
 * seconds.
 */
async function paidOut(job: string): Promise<string> {
  const headers = { authorization: `Bearer ${hub.secrets['OPERATOR_TOKEN']}` }
  const ask = (method: string, path: string) => fetch(`${hub.url}/operator/v1${path}`, { method, headers })
  return vi.waitFor(
    async () => {
      await ask('POST', '/books/accounts/sandbox/fetch')
      const { lines } = (await (await ask('GET', `/jobs/${job}/payouts`)).json()) as {
        lines: { payout: string }[]
      }
      expect(lines).not.toEqual([])
      return lines[0]?.payout ?? ''
    },
    { timeout: 30_000, interval: 500 },
  )
}

describe('an operator in a browser', () => {
  it('signs in with a token, comes to where they wanted to go, and signs out', async () => {
    const page = await (await chromium.browser.newContext()).newPage()
    await page.goto(`${hub.url}/console/points-of-sale`)
    expect(page.url()).toBe(`${hub.url}/console/sign-in?to=%2Fconsole%2Fpoints-of-sale`)
    await page.getByLabel('Operator token').fill('nobody-knows-this-token')
    await page.keyboard.press('Enter')
    await page.getByText('The hub does not know this token.').waitFor()
    await page.getByLabel('Operator token').fill(hub.secrets['OPERATOR_TOKEN'] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${hub.url}/console/points-of-sale`)
    expect(await page.textContent('h1')).toBe('Points of sale')
    const cookies = await page.context().cookies()
    const cookie = cookies.find(({ name }) => name.endsWith('hub-session'))
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    await page.locator('.who summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You have signed out.').waitFor()
    await page.goto(`${hub.url}/console`)
    expect(page.url()).toBe(`${hub.url}/console/sign-in`)
  })

  it('sees what a payment brought in its payout, and closes the month', async () => {
    const job = await shop.paidJob()
    const payout = await paidOut(job.paymentJob)
    const { page, wrongs } = await signedIn()
    await page.goto(`${hub.url}/console/payments/${job.paymentJob}`)
    expect(await page.locator('[data-part=payouts]').innerText()).toMatch(/Payment\s+€12\.50\s+€0\.38/)
    await page.getByRole('link', { name: payout }).click()
    await page.getByRole('link', { name: job.orderNumber }).first().waitFor()
    expect(await page.locator('.subject .pill.good').innerText()).toBe('€0.00')
    // A month without payouts, so that other payouts of this hub stay unchanged.
    await page.goto(`${hub.url}/console/books?month=2025-03`)
    await page.getByRole('link', { name: 'Close the month' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close a month' }).click()
    await page.getByText('The month is closed.').waitFor()
    // Until its script is loaded, a click follows the link to the question's own page.
    await page.waitForLoadState()
    expect(await page.getByText('Closed by').isVisible()).toBe(true)
    expect(await page.getByRole('link', { name: 'Close the month' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Reopen the month' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen a month' }).click()
    await page.getByText('The month is open again.').waitFor()
    expect(await page.getByRole('link', { name: 'Close the month' }).count()).toBe(1)
    await page.goto(`${hub.url}/console/books`)
    expect(await page.getByRole('link', { name: 'Close the month' }).count()).toBe(0)
    expect(wrongs).toEqual([])
  })

  it('finds a job, reads its timeline, sends its report again, and sees it arrive', async () => {
    const job = await shop.paidJob()
    const { page, wrongs } = await signedIn()
    await search(page, job.orderNumber)
    expect(await page.textContent('h1')).toBe(job.orderNumber)
    const trace = page.locator('[data-part=trace]')
    expect(await trace.innerText()).toMatch(/Created[\s\S]*Pending[\s\S]*Success[\s\S]*€12.50 paid/)
    const before = shop.received.length
    const attempts = page.locator('.attempts li')
    await attempts.first().waitFor()
    await page.getByRole('link', { name: 'Send the report' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send the report' }).click()
    await page.getByText('The hub is sending the report.').waitFor()
    await vi.waitFor(() => expect(shop.received.length).toBe(before + 1), 15_000)
    expect(shop.received.at(-1)).toMatchObject({ job: job.paymentJob, status: 'SUCCESS' })
    // The page shows the new try without a reload.
    await attempts.nth(1).waitFor()
    expect(wrongs).toEqual([])
  })

  it('sees what happens to a payment while they look at it', async () => {
    const job = await shop.createJob()
    const { page } = await signedIn()
    await page.goto(`${hub.url}/console/payments/${job.paymentJob}`)
    const head = page.locator('[data-part=head]')
    expect(await head.innerText()).toContain('Pending')
    await fetch(await choose(job.payUrl, 'paid'), { redirect: 'manual' })
    await head.getByText('Success').waitFor({ timeout: 20_000 })
  })

  it("sees a payment's current state, even if an older answer arrives late", async () => {
    const job = await shop.createJob()
    const { page } = await signedIn()
    const paid = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const address = `${hub.url}/console/payments/${job.paymentJob}`
    await page.goto(address)
    // Holds the next answer, which shows the unpaid payment, until the payment is paid.
    await page.route(
      address,
      async (route) => {
        const response = await route.fetch()
        held.resolve()
        await paid.promise
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    await page.evaluate(() => dispatchEvent(new Event('pageshow')))
    await held.promise
    await fetch(await choose(job.payUrl, 'paid'), { redirect: 'manual' })
    await vi.waitFor(() => expect(shop.received.at(-1)).toMatchObject({ job: job.paymentJob }), 15_000)
    // Leaves time for a fetch that does not wait for its turn.
    await page.waitForTimeout(2000)
    const arrived = page.waitForResponse(address)
    paid.resolve()
    await (await arrived).finished()
    await page.waitForTimeout(500)
    await page.locator('[data-part=head]').getByText('Success').waitFor()
  })

  it('sees new payments on the overview, which refreshes itself', async () => {
    const { page, wrongs } = await signedIn()
    await page.clock.install()
    await page.goto(`${hub.url}/console?mode=test`)
    const count = async () => {
      const text = await page.locator('.totals dd').first().innerText()
      return Number(text.replaceAll(',', ''))
    }
    const before = await count()
    await shop.createJob()
    await vi.waitFor(
      async () => {
        await page.clock.runFor(30_000)
        expect(await count()).toBeGreaterThan(before)
      },
      { timeout: 30_000, interval: 500 },
    )
    expect(wrongs).toEqual([])
  })

  it('creates a point of sale, copies its key, and never sees it again', async () => {
    const { page, wrongs } = await signedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${hub.url}/console/points-of-sale`)
    await page.getByRole('link', { name: 'New point of sale' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a point of sale' })
    await dialog.getByLabel('Name').fill('Corner shop')
    await dialog.getByRole('button', { name: 'Add a point of sale' }).click()
    await page.getByRole('heading', { name: 'Copy this now' }).waitFor()
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const key = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(key).toMatch(/^[A-Za-z0-9]{160}$/)
    const token = await fetch(`${hub.url}/v1/guardian`, { headers: { authorization: `Bearer ${key}` } })
    expect(token.status).toBe(200)
    await page.reload()
    expect(await page.content()).not.toContain(key)
    expect(await page.textContent('h1')).toBe('Corner shop')
    expect(wrongs).toEqual([])
  })

  it('gives money back, in part', async () => {
    const job = await shop.paidJob()
    const { page } = await signedIn()
    await page.goto(`${hub.url}/console/payments/${job.paymentJob}`)
    await page.getByRole('link', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    await dialog.waitFor()
    // An accidental Enter only goes back, and Enter in a field does nothing.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Go back')
    const fill = async (amount: string) => {
      await page.getByLabel('Amount in EUR', { exact: true }).fill(amount.replace('.', ','))
      expect(await page.getByLabel('This amount').isChecked()).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Check the refund' }).click()
      await page.getByRole('heading', { name: `Refund €${amount}?` }).waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Go back')
      await page.getByRole('button', { name: `Refund €${amount}` }).click()
    }
    await fill('99.00')
    await page.getByRole('alert').waitFor()
    await page.goto(`${hub.url}/console/payments/${job.paymentJob}/refundJob`)
    await fill('2.50')
    await page.getByText('The hub has asked the PSP for the refund.').waitFor()
    await page.locator('[data-part=facts]').getByText('€2.50').waitFor({ timeout: 20_000 })
  })

  it('cancels a payment without script, by a page that asks', async () => {
    const job = await shop.createJob()
    const { page } = await signedIn({ javaScriptEnabled: false })
    await page.goto(`${hub.url}/console/payments/${job.paymentJob}`)
    await page.getByRole('link', { name: 'Cancel payment' }).click()
    expect(page.url()).toBe(`${hub.url}/console/payments/${job.paymentJob}/cancelJob`)
    await page.getByRole('button', { name: /^Cancel the order of €/ }).click()
    await page.getByText('The payment is cancelled.').waitFor()
    expect(await page.locator('[data-part=head]').innerText()).toContain('Cancelled')
  })

  it('needs no mouse: finds a payment and opens a question by keys, and Escape leaves it', async () => {
    const job = await shop.paidJob()
    const { page } = await signedIn()
    await search(page, job.orderNumber)
    await page.goto(`${hub.url}/console`)
    await page.keyboard.press('/')
    await page.keyboard.type(job.orderNumber)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${hub.url}/console/payments/${job.paymentJob}`)
    // A search with a filter shows a list, even with a single result.
    await page.goto(`${hub.url}/console/payments?q=${job.orderNumber}&mode=test`)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    // The page below must not be visible.
    const isOnPaper = `(() => {
      let part = document.querySelector('dialog[open] dl')
      while (part && getComputedStyle(part).backgroundColor === 'rgba(0, 0, 0, 0)') part = part.parentElement
      return part?.closest('dialog') != null
    })()`
    expect(await page.evaluate(isOnPaper)).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${hub.url}/console/payments/${job.paymentJob}`)
    const focused = () => page.evaluate('document.activeElement.textContent')
    for (let tabs = 0; tabs < 30 && (await focused()) !== 'Send the report'; tabs++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Send the report')
  })
})

/** A dark phone and a light desktop. All pages of the console share these colours. */
const LOOKS = [
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const
it('every page of the console can be used by everyone, and is no wider than a phone or a desk', async () => {
  const job = await shop.paidJob()
  const payout = await paidOut(job.paymentJob)
  const { page, wrongs } = await signedIn()
  const paths = [
    '',
    '/payments',
    `/payments/${job.paymentJob}`,
    '/audit',
    '/payments?status=SUCCESS',
    '/payments?q=no-such-order',
    `/payments/${job.paymentJob}/refundJob`,
    `/payments/${job.paymentJob}/captureJob`,
    `/payments/${job.paymentJob}/releaseJob`,
    '/points-of-sale',
    `/points-of-sale/${shop.id}`,
    '/points-of-sale/createPointOfSale',
    '/accounts',
    '/accounts/addAccount',
    '/accounts/sandbox/terminals',
    `/points-of-sale/${shop.id}/assignTerminal`,
    '/reports',
    '/books',
    `/books/${payout}`,
    '/audit/verify',
    '/settings',
    '/settings/tokens',
  ]
  for (const path of paths) {
    await page.goto(`${hub.url}/console${path}`)
    await expectUsable(page, LOOKS)
  }
  expect(wrongs).toEqual([])
}, 120_000)
