import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { PROJECT } from '../../src/tools/wrangler.ts'
import { violationsOf } from './accessibility.ts'
import { openBrowser } from './chromium.ts'

const hub = inject('hub')
let chromium: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  chromium = await openBrowser(inject('browser'))
})
afterAll(() => chromium.close())

/** A browser of its own, and what goes wrong on its pages: answers that are errors, and what the policy refuses. */
async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; wrongs: string[] }> {
  const page = await (await chromium.browser.newContext(options)).newPage()
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

const DOCUMENTS = readdirSync(join(PROJECT, '.wrangler', 'site', 'docs')).map((file) =>
  file === 'index.html' ? '/docs' : `/docs/${file.replace('.html', '')}`,
)
const PAGES = ['/', ...DOCUMENTS]
/** Pages that have all there is to look at: what is on the others is on these. */
const SPECIMENS = ['/', '/docs/guide', '/docs/payment-methods', '/docs/limits', '/docs/nothing-here']

describe('the pages of the site', () => {
  // The reference of operators is made as that of points of sale is, and takes axe as long as five other pages.
  it.each([
    [
      'a phone, light',
      [...PAGES.filter((path) => path !== '/docs/operator-reference'), '/docs/nothing-here'],
      { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
    ],
    ['a phone, dark', SPECIMENS, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
    ['a desk, light', SPECIMENS, { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
    ['a desk, dark', SPECIMENS, { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ] as const)(
    'can be used by everyone on %s, load from the hub alone, and are no wider than the screen',
    { timeout: 300_000 },
    async (_, paths, options) => {
      const { page, wrongs } = await open(options)
      for (const path of paths) {
        await page.goto(hub.url + path)
        expect(await violationsOf(page), path).toEqual([])
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(wider, path).toBe(0)
      }
      // The one that is not there says so by its status, which the browser tells too.
      expect(wrongs.filter((wrong) => !wrong.includes('404'))).toEqual([])
      await page.context().close()
    },
  )

  it('show all they have without script, but for what is tried', async () => {
    const [plain, scripted] = [await open({ javaScriptEnabled: false }), await open()]
    for (const path of PAGES) {
      const texts: string[] = []
      for (const { page } of [plain, scripted]) {
        await page.goto(hub.url + path)
        const text = await page.locator('main').innerText()
        texts.push(text.replaceAll(/\bCopy\b/g, '').replaceAll(/\s+/g, ' '))
      }
      const [without = '', withScript = ''] = texts
      expect(without.length, path).toBeGreaterThan(200)
      if (path === '/docs/guide') expect(without).toContain('This part needs JavaScript.')
      else expect(without, path).toBe(withScript)
    }
  })

  it('lead to each other by links that all resolve, anchors included', { timeout: 120_000 }, async () => {
    const { page } = await open({ javaScriptEnabled: false })
    const anchors = new Map<string, Set<string>>()
    const links: { from: string; to: URL }[] = []
    for (const path of PAGES) {
      await page.goto(hub.url + path)
      anchors.set(path, new Set(await page.$$eval('[id]', (all) => all.map(({ id }) => id))))
      const hrefs = await page.$$eval('a[href]', (all) =>
        all.map((link) => (link as unknown as { href: string }).href),
      )
      links.push(...hrefs.map((href) => ({ from: path, to: new URL(href) })))
    }
    const dead: string[] = []
    for (const { from, to } of links.filter((link) => link.to.origin === hub.url)) {
      const known = anchors.get(to.pathname)
      const isThere = known ? to.hash === '' || known.has(to.hash.slice(1)) : (await fetch(to)).ok
      if (!isThere) dead.push(`${from} → ${to.pathname}${to.hash}`)
    }
    expect(links.length).toBeGreaterThan(200)
    expect([...new Set(dead)]).toEqual([])
  })

  it('are small: none has more than 40 KiB gzipped', async () => {
    const { gzipSync } = await import('node:zlib')
    for (const path of [...PAGES, '/assets/site.css', '/assets/docs.js', '/assets/try-it.js']) {
      const body = await (await fetch(hub.url + path)).arrayBuffer()
      expect(gzipSync(body).length, path).toBeLessThan(40 * 1024)
    }
  })

  it('show the samples in the language that was chosen, on the next page too', async () => {
    const { page } = await open()
    await page.goto(`${hub.url}/docs/guide`)
    const shown = () => page.locator('.tabs > pre:visible').allInnerTexts()
    expect((await shown())[0]).toContain('curl')
    await page.getByText('Python', { exact: true }).first().click()
    for (const text of await shown()) expect(text).not.toMatch(/curl|<\?php|const /)
    await page.reload()
    expect((await shown())[0]).toContain('import json')
  })
})

describe('"Try it" of the guide', () => {
  const makeKey = async (mode: 'test' | 'live'): Promise<string> => {
    const made = await fetch(`${hub.url}/operator/v1/pos`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${hub.secrets['OPERATOR_TOKEN']}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: `Till of ${mode}`, mode }),
    })
    return ((await made.json()) as { apiKey: string }).apiKey
  }

  it('gets a token, creates a job and reads it with a test key, and shows neither key nor token', async () => {
    const { page, wrongs } = await open()
    const key = await makeKey('test')
    await page.goto(`${hub.url}/docs/guide#try-it`)
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create the job' }).click()
    await page.getByRole('button', { name: 'Read the job' }).click()
    const answers = page.locator('[data-part="answers"]')
    await answers.getByText(/GET \/v2\/paymentjobs\/[0-9a-f-]{36}/).waitFor()
    const text = await answers.innerText()
    expect(text).toContain('"status": "PENDING"')
    expect(text).toContain('x-request-id: ')
    expect(text).not.toContain(key)
    expect(text).toContain('"token": "…"')
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).toBe('[{},{},""]')
    expect(await violationsOf(page)).toEqual([])
    expect(wrongs).toEqual([])
  })

  it('shows what the hub has against an order', async () => {
    const { page } = await open()
    await page.goto(`${hub.url}/docs/guide`)
    await page.getByLabel('API key').fill(await makeKey('test'))
    await page.getByRole('button', { name: 'Get a token' }).click()
    await page.getByLabel('The order').fill('{ "amount": "0" }')
    await page.getByRole('button', { name: 'Create the job' }).click()
    await page.getByText('must be more than zero').first().waitFor()
    expect(await page.getByRole('button', { name: 'Read the job' }).isDisabled()).toBe(true)
  })

  it('refuses a live key by the name of its point of sale, and forgets it', async () => {
    const { page } = await open()
    await page.goto(`${hub.url}/docs/guide`)
    await page.getByLabel('API key').fill(await makeKey('live'))
    await page.getByRole('button', { name: 'Get a token' }).click()
    await page.getByText('This is a live key of Till of live').waitFor()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    expect(await page.getByRole('button', { name: 'Create the job' }).isDisabled()).toBe(true)
  })
})
