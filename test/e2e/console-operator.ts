import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { RunningHub } from './clients.ts'
import { openPage } from './page.ts'

/**
 * A page whose operator has signed in with the hub's own token, and the errors on it. Its context is closed
 * when the test ends, because an open page keeps sending requests to the hub.
 */
export async function signIn(browser: Browser, hub: RunningHub, options: BrowserContextOptions = {}) {
  const { page, wrongs } = await openPage(browser, { timezoneId: 'Europe/Amsterdam', ...options })
  await page.goto(`${hub.url}/console/sign-in`)
  await page.getByLabel('Operator token').fill(hub.secrets['OPERATOR_TOKEN'] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${hub.url}/console`)
  return { page, wrongs }
}
