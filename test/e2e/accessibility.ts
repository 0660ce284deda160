import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Runs axe on a page. Returns text, because all of axe's results would take long to transfer. */
const FIND = (options: object) => `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`

/** The rules of axe whose result depends on the page's width and colours. */
const OF_LOOKS = ['color-contrast', 'scrollable-region-focusable', 'target-size']

/**
 * Lists the faults that axe finds, each with its elements. With `rules`, axe checks only these, such as
 * `OF_LOOKS` for another look of the same page.
 */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const isThere = await page.evaluate("'axe' in globalThis")
  if (isThere !== true) await page.evaluate(`void (() => { ${AXE} })()`)
  const only = rules && { runOnly: { type: 'rule', values: rules } }
  return page.evaluate<string[]>(FIND({ resultTypes: ['violations'], ...only }))
}

export type Look = { width: number; height?: number; colorScheme: 'dark' | 'light' }

/**
 * Expects a page to be accessible, and no wider than the screen, in each look. Axe checks all its rules in
 * the first `whole` looks, and only `OF_LOOKS` in the others, which have the same elements.
 */
export async function expectUsable(page: Page, looks: readonly Look[], whole = 1): Promise<void> {
  for (const [place, { width, height = 740, colorScheme }] of looks.entries()) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const which = `${page.url()} ${width} ${colorScheme}`
    expect(await violationsOf(page, place < whole ? undefined : OF_LOOKS), which).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth'), which).toBe(width)
  }
}
