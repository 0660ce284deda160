import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDatabase } from '../support/cloudflare-api/databases.ts'
import type { Ended } from './clone.ts'
import { type Cloud, openCloud } from './cloud.ts'
import { hubAt } from './pay-at.ts'

let cloud: Cloud
let deployed: Ended
beforeAll(async () => {
  cloud = await openCloud()
  // Resources of production, which staging must not touch.
  makeDatabase(cloud.account, 'payment-hub')
  writeFileSync(join(cloud.clone.folder, 'wrangler.staging.toml'), '[vars]\nRETENTION_DAYS = "30"\n')
  deployed = await cloud.deploy('--env', 'staging')
}, 480_000)
afterAll(() => cloud.close(), 60_000)

it('an environment other than production has separate names for its Worker, database, queues and secrets', () => {
  expect(deployed, deployed.err).toMatchObject({ code: 0 })
  expect(cloud.wrong).toEqual([])
  const { scripts, databases, queues, namespaces } = cloud.account
  expect([...scripts.keys()]).toEqual(['payment-hub-staging'])
  expect([...databases.values()].map(({ name }) => name)).toEqual(['payment-hub', 'payment-hub-staging'])
  expect([...namespaces.values()]).toEqual([{ title: 'payment-hub-staging-tokens' }])
  const named = readFileSync('wrangler.toml', 'utf8').matchAll(/^queue = "payment-hub-(.+)"$/gm)
  expect(new Set([...queues.values()].map(({ queue_name: name }) => name))).toEqual(
    new Set(Array.from(named, ([, name]) => `payment-hub-staging-${name}`)),
  )
  const file = readFileSync(join(cloud.clone.folder, '.hub', 'staging.secrets'), 'utf8')
  expect(file).toContain(scripts.get('payment-hub-staging')?.secrets.get('SIGNING_ROOT'))
})

it("production's database is as it was", () => {
  const [production] = cloud.account.databases.values()
  expect(production?.sqlite.prepare('SELECT name FROM sqlite_master').all()).toEqual([])
})

it('what wrangler.staging.toml says differently counts, and all else is as in production', () => {
  const version = cloud.account.scripts.get('payment-hub-staging')?.versions[0]
  const texts = version?.bindings.flatMap((one) => (one.type === 'plain_text' ? [[one.name, one.text]] : []))
  expect(Object.fromEntries(texts ?? [])).toMatchObject({ RETENTION_DAYS: '30', INDEX_SHARDS: 'DB' })
})

it(
  'it takes payments and reports them: its queues lead to their consumers',
  { timeout: 240_000 },
  async () => {
    const url = 'https://payment-hub-staging.shops.workers.dev'
    expect(deployed.out).toContain(`The hub runs at ${url}`)
    const token = cloud.account.scripts.get('payment-hub-staging')?.secrets.get('OPERATOR_TOKEN') ?? ''
    const hub = hubAt(url, cloud.internet.env.HTTPS_PROXY)
    const { apiKey } = await hub.json<{ apiKey: string }>('/operator/v1/pos', {
      method: 'POST',
      bearer: token,
      body: JSON.stringify({ name: 'Shop' }),
    })
    const job = await hub.pay(apiKey, 7)
    expect(job.status).toBe('SUCCESS')
    await expect
      .poll(() => cloud.internet.sent.some(({ body }) => body.includes(job.paymentJob)), { timeout: 20_000 })
      .toBe(true)
    await hub.close()
  },
)

it('says how wrangler finds its settings', () => {
  expect(deployed.out).toContain('npx wrangler --config .wrangler/environments/staging.json')
})
