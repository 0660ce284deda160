import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { customersOfShop } from './customers.ts'

const customers = customersOfShop()
let page: Page
let wrongs: string[]
beforeAll(async () => {
  ;({ page, wrongs } = await customers.openPage({ viewport: { width: 360, height: 740 } }))
})

/** The number of lines of a text, and whether it is wider than the screen. */
function linesOf(selector: string) {
  return page.evaluate(
    `new Set([...document.querySelector('${selector}').getClientRects()].map(({ top }) => top)).size`,
  )
}
async function fits() {
  return (await page.evaluate('document.documentElement.scrollWidth')) === 360
}

describe('on a phone', () => {
  it.each(['de', 'el', 'fi', 'fr', 'nl', 'pl', 'es', 'tr', 'uk', 'ar', 'ja', 'zh-Hans', 'zh-Hant'])(
    'an order number that fits on a line stays on one, in %s',
    async (language) => {
      const order_number = '2026-10-000012345-DE'
      const { pages } = await customers.jobAfter('paid', { language, order_number })
      await page.goto(pages.receipt)
      expect(await page.getAttribute('html', 'lang')).toBe(language)
      expect(await page.textContent('dd')).toBe(order_number)
      expect(await linesOf('dd bdi')).toBe(1)
      expect(await linesOf('.sum')).toBe(1)
      expect(await fits()).toBe(true)
    },
  )

  it.each(['x'.repeat(200), 'ORDER-2026-'.repeat(18)])(
    'one that is longer than the line breaks, and fits: %s',
    async (order_number) => {
      const { pages } = await customers.jobAfter('paid', { order_number, amount: '99999999999.99' })
      await page.goto(pages.receipt)
      expect(await page.textContent('dd')).toBe(order_number)
      expect(await linesOf('dd bdi')).toBeGreaterThan(1)
      expect(await linesOf('.sum')).toBe(1)
      expect(await fits()).toBe(true)
    },
  )

  it('a hostile order number is text, and runs nothing', async () => {
    const order_number = `</bdi></dl><script>alert(1)</script><img src=x onerror=alert(1)>"'`
    const { pages } = await customers.jobAfter('failed', { order_number })
    for (const address of [pages.receipt, pages.pay]) {
      await page.goto(address)
      expect(await page.textContent('dd')).toBe(order_number)
      expect(await page.locator('img').count()).toBe(0)
    }
    expect(wrongs).toEqual([])
  })
})

it('a page in Arabic begins at the right: the words there, the amounts and numbers at the left', async () => {
  const { pages } = await customers.jobAfter('paid', { language: 'ar', order_number: 'A-77' })
  await page.goto(pages.receipt)
  const middles = await page.evaluate<number[][]>(
    `[...document.querySelectorAll('dt, dd')].reduce((sides, element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const { left, right } = range.getBoundingClientRect()
      sides[element.tagName === 'DT' ? 0 : 1].push((left + right) / 2)
      return sides
    }, [[], []])`,
  )
  const [labels = [], values = []] = middles
  expect(Math.min(...labels)).toBeGreaterThan(Math.max(...values))
  // The currency's symbol follows its number, as is usual in that language.
  expect(await page.textContent('.sum')).toMatch(/1,234\.50\s*€/)
})

it('a question mark is turned around for readers of Arabic, as in their writing, and a check mark is not', async () => {
  const arabic = await customers.openPage({ locale: 'ar' })
  const turned = () => arabic.page.evaluate("getComputedStyle(document.querySelector('.sign svg')).transform")
  await arabic.page.goto(`${customers.url}/receipt/${crypto.randomUUID()}`)
  expect(await arabic.page.getAttribute('html', 'dir')).toBe('rtl')
  expect(await turned()).toBe('matrix(-1, 0, 0, 1, 0, 0)')
  const { pages } = await customers.jobAfter('paid', { language: 'ar' })
  await arabic.page.goto(pages.receipt)
  expect(await turned()).toBe('none')
  await arabic.page.context().close()
})

it('the way back is reached by the keyboard, where it is seen, and leads to the shop', async () => {
  const { pages } = await customers.jobAfter('paid', { language: 'en' })
  await page.goto(pages.pay)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe(`Back to ${customers.name}`)
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Receipt')
  await page.keyboard.press('Enter')
  await page.waitForURL(pages.receipt)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(customers.thanks)
})

it('a receipt on paper has what was paid, and no buttons', async () => {
  const { pages } = await customers.jobAfter('paid', { language: 'en' })
  await page.goto(pages.receipt)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.getByRole('link').count()).toBe(0)
  expect(await page.getByText('€1,234.50').isVisible()).toBe(true)
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
})

it('a page is small: less than 8 KiB with all that it loads', async () => {
  const { pages } = await customers.jobAfter('paid', { language: 'el' })
  await page.emulateMedia({ media: 'screen' })
  let bytes = 0
  page.on(
    'response',
    (response) =>
      void response.body().then(
        (body) => (bytes += body.length),
        () => {},
      ),
  )
  await page.goto(pages.receipt)
  await expect.poll(() => bytes).toBeGreaterThan(4000)
  expect(bytes).toBeLessThan(8192)
})
