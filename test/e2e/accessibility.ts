import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Axe as a page has it. It gives text: all that it knows would take long to send. */
const FIND = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`

/** What axe finds that would keep someone from using the page, each with the elements. */
export async function violationsOf(page: Page): Promise<string[]> {
  const isThere = await page.evaluate("'axe' in globalThis")
  if (isThere !== true) await page.evaluate(`void (() => { ${AXE} })()`)
  return page.evaluate<string[]>(FIND)
}
