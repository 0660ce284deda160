import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openBrowser } from './chromium.ts'

let chromium: Awaited<ReturnType<typeof openBrowser>>
const hub = inject('hub')

beforeAll(async () => {
  chromium = await openBrowser()
})
afterAll(() => chromium.close())

it('a browser shows the pages of the site without a complaint, and its policy lets their scripts run', async () => {
  const page = await chromium.browser.newPage()
  const wrongs: string[] = []
  page.on('console', (message) => wrongs.push(message.text()))
  page.on('pageerror', (error) => wrongs.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 400) wrongs.push(`${response.status()} ${response.url()}`)
  })
  for (const path of ['/', '/docs']) {
    await page.goto(hub.url + path)
    expect(await page.textContent('h1')).not.toBe('')
  }
  await page.waitForSelector('html.has-script')
  expect(wrongs).toEqual([])
})
