import type { Browser, BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'

/**
 * A page whose operator has signed in with a token, the hub's own if none is given, and what went
 * wrong on it. Its context is closed when the test ends: an open page goes on asking the hub.
 */
export async function signIn(
  browser: Browser,
  hub: { url: string; secrets: Record<string, string | undefined> },
  options: BrowserContextOptions = {},
  token = hub.secrets['OPERATOR_TOKEN'] ?? '',
) {
  const context = await browser.newContext({ timezoneId: 'Europe/Amsterdam', ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') wrongs.push(message.text())
  })
  page.on('pageerror', (error) => wrongs.push(error.message))
  page.on('dialog', (dialog) => {
    wrongs.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(`${hub.url}/console/sign-in`)
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${hub.url}/console`)
  return { page, wrongs }
}
