import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type CloudflareApi, startCloudflareApi } from '../../support/cloudflare-api/cloudflare-api.ts'
import { type Clone, makeClone } from './clone.ts'

let api: CloudflareApi
let clone: Clone
beforeAll(async () => {
  api = await startCloudflareApi()
  clone = await makeClone()
}, 240_000)
afterAll(async () => {
  await api.stop()
  await clone.remove()
})
afterEach(() => {
  // Whatever stopped it, nothing was changed, here or there.
  expect(api.asked.filter((one) => !one.startsWith('GET '))).toEqual([])
  expect(existsSync(join(clone.folder, '.hub'))).toBe(false)
})

it('nobody is logged in: the deploy says how, and does nothing', { timeout: 240_000 }, async () => {
  const { code, out, err } = await clone.deploy([], { CLOUDFLARE_API_BASE_URL: api.url })
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^You are not logged in to Cloudflare, so nothing was done\./)
  expect(err).toContain('npx wrangler login')
  expect(err).toContain('export CLOUDFLARE_API_TOKEN=')
  expect(api.asked).toEqual([])
})

it(
  'the hub lacks a secret that nobody has: the deploy names it, and makes no other value',
  { timeout: 240_000 },
  async () => {
    const secrets = new Map([
      ['OPERATOR_TOKEN', '1'],
      ['SIGNING_ROOT', '2'],
    ])
    const name = 'payment-hub'
    api.account.scripts.set(name, { name, tags: [], secrets, versions: [], crons: [], isOnWorkersDev: true })
    const { code, err } = await clone.deploy([], {
      CLOUDFLARE_API_BASE_URL: api.url,
      CLOUDFLARE_API_TOKEN: api.account.token,
      CLOUDFLARE_ACCOUNT_ID: api.account.id,
    })
    expect(code).toBe(1)
    expect(err).toMatch(/has some of its secrets, but not SEALING_KEY\..* in \.hub\/production\.secrets/)
    expect(api.wrong).toEqual([])
  },
)

it('a dry run shows the plan and builds the Worker, without an account', { timeout: 240_000 }, async () => {
  const { code, out, err } = await clone.deploy(['--dry-run', '--env', 'staging'], {
    CLOUDFLARE_API_BASE_URL: api.url,
  })
  expect(code, err).toBe(0)
  expect(out).toContain('A first deploy of staging would do this:')
  expect(out).toMatch(/database +payment-hub-staging +made, then migrated/)
  expect(out).toMatch(/secrets +\.hub\/staging\.secrets +made with new values/)
  expect(out).toContain('Total Upload:')
})

it.each([
  [['--env', 'Staging'], '--env must be small letters and digits'],
  [['--location', 'mars'], '--location must be one of weur'],
])('the words %s end with 2', async (words, message) => {
  const { code, err } = await clone.deploy(words, {})
  expect(code).toBe(2)
  expect(err).toContain(message)
})

it(
  'a machine that loses its files makes no secrets: the deploy says where to do it',
  { timeout: 240_000 },
  async () => {
    api.account.scripts.clear()
    const { code, err } = await clone.deploy([], {
      CI: 'true',
      CLOUDFLARE_API_BASE_URL: api.url,
      CLOUDFLARE_API_TOKEN: api.account.token,
      CLOUDFLARE_ACCOUNT_ID: api.account.id,
    })
    expect(code).toBe(1)
    expect(err).toMatch(
      /^CI is set, so a file of new secrets would be lost.*Deploy the first time from your own machine/,
    )
  },
)
