import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { expectUsable } from './accessibility.ts'
import { sharedBrowser } from './page.ts'

const hub = inject('hub')
const chromium = sharedBrowser()

/** A page that stays open until the test ends, and its errors, violations of its content policy included. */
async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; wrongs: string[] }> {
  const context = await chromium.browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') wrongs.push(message.text())
  })
  page.on('pageerror', (error) => wrongs.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${hub.url}/`)) wrongs.push(`asks ${request.url()}`)
  })
  return { page, wrongs }
}

const DOCUMENTS = readdirSync(join(PROJECT, '.wrangler', 'site', 'docs'))
  .filter((file) => file.endsWith('.html'))
  .map((file) => (file === 'index.html' ? '/docs' : `/docs/${file.replace('.html', '')}`))
const PAGES = ['/', ...DOCUMENTS]
const PHONE = { width: 360, height: 740 }
const LOOKS = [
  { width: 1280, colorScheme: 'dark' },
  { ...PHONE, colorScheme: 'light' },
] as const
/** Pages that together have every element of the site. */
const SPECIMENS = ['/', '/docs/guide', '/docs/payment-methods', '/docs/reference', '/docs/nothing-here']

describe('the pages of the site', () => {
  it.each(['/', '/docs/guide', '/till', '/console'])(
    '%s has white paper, also from a dark browser',
    async (path) => {
      const { page } = await open({ colorScheme: 'dark' })
      await page.goto(hub.url + path)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      const colours = await page.evaluate<string[]>(
        '((style) => [style.backgroundColor, style.color])(getComputedStyle(document.body))',
      )
      const [paper = 0, ink = 0] = colours.map((colour) =>
        (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0),
      )
      expect(paper === 765 || colours[0] === 'rgba(0, 0, 0, 0)').toBe(true)
      expect(ink).toBeLessThan(300)
    },
  )

  it(
    'can be used by everyone on a desk and on a phone, load from the hub alone, and are no wider than the screen',
    { timeout: 300_000 },
    async () => {
      const { page, wrongs } = await open({ colorScheme: 'dark', reducedMotion: 'reduce' })
      for (const path of SPECIMENS) {
        await page.goto(hub.url + path)
        // On a phone, a page has another menu.
        await expectUsable(page, LOOKS, path === '/' || path === '/docs/guide' ? 2 : 1)
      }
      // The missing page has an error status, which the browser also reports.
      expect(wrongs.filter((wrong) => !wrong.includes('404'))).toEqual([])
    },
  )

  it(
    'are small, no wider than a phone, show all they have without script, and have only links that resolve',
    { timeout: 120_000 },
    async () => {
      const { page, wrongs } = await open({ javaScriptEnabled: false, viewport: PHONE })
      const anchors = new Map<string, Set<string>>()
      const links: { from: string; to: URL }[] = []
      for (const path of PAGES) {
        const answer = await page.goto(hub.url + path)
        expect(gzipSync((await answer?.body()) ?? '').length, path).toBeLessThan(40 * 1024)
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(wider, path).toBe(0)
        const text = await page.locator('main').innerText()
        expect(text.length, path).toBeGreaterThan(200)
        if (path === '/docs/guide')
          for (const code of ['curl -sS', 'await fetch(', '<?php', 'import json'])
            expect(text).toContain(code)
        anchors.set(path, new Set(await page.$$eval('[id]', (all) => all.map(({ id }) => id))))
        const hrefs = await page.$$eval('a[href]', (all) =>
          all.map((link) => (link as unknown as { href: string }).href),
        )
        links.push(...hrefs.map((href) => ({ from: path, to: new URL(href) })))
      }
      expect(wrongs).toEqual([])
      const styles = await (await fetch(`${hub.url}/assets/site.css`)).arrayBuffer()
      expect(gzipSync(styles).length).toBeLessThan(40 * 1024)
      const dead: string[] = []
      for (const { from, to } of links.filter((link) => link.to.origin === hub.url)) {
        const known = anchors.get(to.pathname)
        const isThere = known ? to.hash === '' || known.has(to.hash.slice(1)) : (await fetch(to)).ok
        if (!isThere) dead.push(`${from} → ${to.pathname}${to.hash}`)
      }
      expect(links.length).toBeGreaterThan(200)
      expect([...new Set(dead)]).toEqual([])
    },
  )
})

describe('a reader of the docs', () => {
  it('finds an operation by searching, with only the keyboard', async () => {
    const { page, wrongs } = await open()
    await page.goto(`${hub.url}/docs`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search').fill('stop payment')
    await page.getByRole('option').filter({ hasText: 'Cancel a payment job' }).waitFor()
    await page.getByPlaceholder('Search').fill('create a payment job')
    await page
      .getByRole('option')
      .filter({ hasText: /^\W*Reference\W*Create a payment job$/ })
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/[a-z-]+#/)
    expect(wrongs).toEqual([])
  })

  it('goes from page to page, and samples name the hub that serves them', async () => {
    const { page, wrongs } = await open()
    await page.goto(`${hub.url}/docs`, { waitUntil: 'networkidle' })
    await page.locator('aside').getByRole('link', { name: 'Guide', exact: true }).click()
    await page.getByRole('heading', { name: 'Guide', level: 1 }).waitFor()
    const marked = () => page.locator('[aria-current=page]').allInnerTexts()
    await expect.poll(marked).toEqual(['Guide', 'Guide'])
    const text = await page.locator('main').innerText()
    expect(text).toContain(`HUB=${hub.url}`)
    expect(text).not.toMatch(/hub\.(invalid|example\.com)/)
    await page.getByRole('switch').first().click()
    expect(await page.locator('html').getAttribute('class')).toContain('dark')
    expect(wrongs).toEqual([])
  })

  it('sees the samples in the language that was chosen, on the next page too', async () => {
    const { page } = await open()
    await page.goto(`${hub.url}/docs/guide`, { waitUntil: 'networkidle' })
    const shown = () => page.locator('.vp-code-group .blocks > .active').allInnerTexts()
    expect((await shown())[0]).toContain('curl')
    await page.getByText('Python', { exact: true }).first().click()
    for (const text of await shown()) expect(text).not.toMatch(/curl|<\?php|const /)
    await page.reload()
    await expect.poll(async () => (await shown())[0]).toContain('import json')
  })
})
