import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What axe finds that would keep someone from using the page, each with the elements. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(`void (globalThis.axe ?? (() => { ${AXE} })())`)
  const found = (await page.evaluate('axe.run()')) as AxeResults
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
