import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { operate } from './clients.ts'
import { signIn } from './console-operator.ts'
import { sharedBrowser } from './page.ts'

const hub = inject('hub')

/** Accounts that only appear by name. No test pays at them. */
const ACCOUNTS = ['by-hand-a', 'by-hand-b', 'by-hand-c']

const chromium = sharedBrowser()
let pos = ''
beforeAll(async () => {
  for (const id of ACCOUNTS)
    await operate(hub, '/accounts', {
      id,
      psp: 'mollie',
      mode: 'test',
      credentials: { apiKey: `test_${'k'.repeat(30)}` },
    })
  ;({ id: pos } = await operate<{ id: string }>(hub, '/pos', { name: 'Routed by hand', mode: 'live' }))
  await operate(hub, `/pos/${pos}/routes`, { paymentMethod: 'ideal', accounts: ACCOUNTS.slice(0, 2) })
})
afterAll(async () => {
  await operate(hub, `/pos/${pos}/routes`, { paymentMethod: 'ideal', accounts: [] })
  for (const id of ACCOUNTS) await operate(hub, `/accounts/${id}/remove?force=1`, {})
})

async function routed(): Promise<string[]> {
  const { routes } = await operate<{ routes: { paymentMethod: string; accounts: string[] }[] }>(
    hub,
    `/pos/${pos}/routes`,
  )
  return routes.find(({ paymentMethod }) => paymentMethod === 'ideal')?.accounts ?? []
}

/** Confirms a change on its page, and returns to the page of the point of sale. */
async function change(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('form', { name: 'Route: ideal' }).getByRole('button', { name: 'Change route' }).click()
  await page.getByRole('heading', { name: 'Change the route' }).waitFor()
  const asked = await page.locator('[data-confirm]').innerText()
  expect(asked).toContain(from)
  expect(asked).toContain(to)
  await page.getByRole('button', { name: 'Change the route' }).click()
  await page.getByText('The route is changed.').waitFor()
}

describe('a route in a browser', () => {
  it('is put into another order by dragging, and asked about before it is changed', async () => {
    const { page, wrongs } = await signIn(chromium.browser, hub)
    await page.goto(`${hub.url}/console/points-of-sale/${pos}`)
    const rows = page.getByRole('form', { name: 'Route: ideal' }).locator('li')
    // Other tests have accounts too. Ours come first, in the order of the route and then by name.
    const ours = async () => (await rows.allInnerTexts()).filter((text) => ACCOUNTS.includes(text))
    expect(await ours()).toEqual(ACCOUNTS)
    const grip = await rows.nth(1).locator('.grip').boundingBox()
    const first = await rows.nth(0).boundingBox()
    if (!grip || !first) throw new Error('the route is not shown')
    await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2)
    await page.mouse.down()
    await page.mouse.move(grip.x + grip.width / 2, first.y + 2, { steps: 8 })
    await page.mouse.up()
    expect(await ours()).toEqual(['by-hand-b', 'by-hand-a', 'by-hand-c'])
    await change(page, 'by-hand-a, then by-hand-b', 'by-hand-b, then by-hand-a')
    expect(await routed()).toEqual(['by-hand-b', 'by-hand-a'])
    expect(wrongs).toEqual([])
  })

  it('is put into another order by numbers, where no script runs', async () => {
    const before = await routed()
    const after = ['by-hand-c', ...before.toReversed().filter((id) => id !== 'by-hand-c')]
    const { page } = await signIn(chromium.browser, hub, { javaScriptEnabled: false })
    await page.goto(`${hub.url}/console/points-of-sale/${pos}`)
    const form = page.getByRole('form', { name: 'Route: ideal' })
    for (const [place, id] of after.entries()) await form.getByLabel(`Place of ${id}`).fill(String(place + 1))
    await change(page, before.join(', then '), after.join(', then '))
    expect(await routed()).toEqual(after)
  })
})

it('Tab goes first to the link that skips the menu, then through it in order, and what has the focus shows it', async () => {
  const { page } = await signIn(chromium.browser, hub)
  await page.goto(`${hub.url}/console/points-of-sale/${pos}`)
  const focused = () =>
    page.evaluate(`(() => {
      const it = document.activeElement
      const { left, width } = it.getBoundingClientRect()
      const { outlineStyle, outlineWidth } = getComputedStyle(it)
      return { name: it.getAttribute('aria-label') ?? it.textContent.trim(), isSeen: left >= 0 && width > 0,
        isMarked: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 }
    })()`) as Promise<{ name: string; isSeen: boolean; isMarked: boolean }>
  const names: string[] = []
  for (let tabs = 0; tabs < 13; tabs++) {
    await page.keyboard.press('Tab')
    const { name, isSeen, isMarked } = await focused()
    expect({ name, isSeen, isMarked }).toEqual({ name, isSeen: true, isMarked: true })
    names.push(name)
  }
  expect(names).toEqual([
    'Skip to the content',
    'Payment Hub',
    'Search payments',
    'Signed in as OPERATOR_TOKEN',
    'Overview',
    'Payments',
    'Points of sale',
    'Accounts',
    'Reports',
    'Books',
    'Audit',
    'Settings',
    'Its payments',
  ])
  await page.goto(`${hub.url}/console/points-of-sale/${pos}`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect((await focused()).name).toBe('Its payments')
})
