import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Result } from '../../src/contract/result.ts'
import { CloudflareError, logIn } from '../../src/deploy/cloudflare.ts'
import { Settings, readSettings } from '../../src/deploy/environment.ts'
import * as v from 'valibot'
import { type CloudflareApi, startCloudflareApi } from '../support/cloudflare-api/cloudflare-api.ts'
import { NOTHING, lookAround } from '../../src/deploy/look-around.ts'
import { makeDatabase } from '../support/cloudflare-api/databases.ts'

let api: CloudflareApi
let env: Record<string, string>
beforeAll(async () => {
  api = await startCloudflareApi()
  env = { CLOUDFLARE_API_BASE_URL: api.url, CLOUDFLARE_API_TOKEN: api.account.token }
})
afterAll(() => api.stop())

/** The reason why nothing was done, whether returned or thrown. */
function whyNot(promise: Promise<Result<unknown, string>>): Promise<string> {
  return promise.then(
    (outcome) => (outcome.ok ? '' : outcome.error),
    (error: unknown) => (error instanceof CloudflareError ? error.message : String(error)),
  )
}

describe('the login of a deploy', () => {
  it('that is missing says how to log in, and asks Cloudflare nothing', async () => {
    const home = mkdtempSync(join(tmpdir(), 'payment-hub-nobody-'))
    for (const name of ['HOME', 'XDG_CONFIG_HOME']) vi.stubEnv(name, home)
    for (const name of ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_API_KEY']) vi.stubEnv(name, undefined)
    const why = await whyNot(logIn({ CLOUDFLARE_API_BASE_URL: api.url }))
    vi.unstubAllEnvs()
    rmSync(home, { recursive: true })
    expect(why).toMatch(/^Nothing was done: you are not logged in to Cloudflare\./)
    expect(why).toContain('npx wrangler login')
    expect(why).toContain('export CLOUDFLARE_API_TOKEN=')
    expect(api.asked).toEqual([])
  })

  it('is for the account of the environment, or else of the settings', async () => {
    const ofSettings = await logIn(env, 'a')
    const ofEnvironment = await logIn({ ...env, CLOUDFLARE_ACCOUNT_ID: 'b' }, 'a')
    expect([ofSettings, ofEnvironment]).toMatchObject([
      { value: { account: 'a' } },
      { value: { account: 'b' } },
    ])
  })

  it('asks the operator to choose between several accounts, which it lists', async () => {
    const why = await whyNot(logIn(env))
    expect(why).toContain(`export CLOUDFLARE_ACCOUNT_ID=${api.account.id}   # Shops`)
    expect(why).toContain('# Private')
  })

  it('that Cloudflare refuses says what to do', async () => {
    const why = await whyNot(logIn({ ...env, CLOUDFLARE_API_TOKEN: 'another' }))
    expect(why).toMatch(
      /^Cloudflare refused the login: Authentication error \(10000\)\. Run `npx wrangler login` again/,
    )
    expect(why).toContain('Workers Scripts, Workers KV Storage, D1 and Queues')
  })

  it('that reaches no API blames the network', async () => {
    const why = await whyNot(logIn({ ...env, CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1/client/v4' }))
    expect(why).toMatch(/^Cloudflare's API at 127\.0\.0\.1:1 cannot be reached: .*Check the network/)
  })
})

async function look(routes: string[] = [], workersDev = true) {
  const settings = v.parse(Settings, await readSettings('wrangler.toml'))
  const login = await logIn(env, api.account.id)
  if (!login.ok) throw new Error(login.error)
  return lookAround(login.value, { ...settings, routes, workers_dev: workersDev })
}

describe('before the first change, a deploy', () => {
  afterEach(() => {
    api.account.lacks.clear()
    api.account.zones.clear()
    api.account.subdomain = 'shops'
    expect(api.asked.filter((one) => !one.startsWith('GET '))).toEqual([])
    expect(api.wrong).toEqual([])
  })

  it('finds what there is, and nothing else', async () => {
    expect(await look()).toEqual({ ok: true, value: NOTHING })
    makeDatabase(api.account, 'payment-hub')
    makeDatabase(api.account, 'another')
    api.account.scripts.set('payment-hub', {
      name: 'payment-hub',
      tags: [],
      secrets: new Map([['SIGNING_ROOT', 'a']]),
      versions: [],
      deployed: [],
      crons: [],
      isOnWorkersDev: true,
    })
    // A release without jurisdictions deployed it.
    const worker = { secrets: ['SIGNING_ROOT'], jurisdiction: '' }
    expect(await look()).toEqual({ ok: true, value: { ...NOTHING, databases: ['payment-hub'], worker } })
  })

  it.each([
    [['Workers Scripts']],
    [['Workers KV Storage']],
    [['D1']],
    [['Queues']],
    [['Workers KV Storage', 'Queues']],
  ])('names the permissions that the login lacks: %j', async (lacks) => {
    for (const permission of lacks) api.account.lacks.add(permission)
    expect(await whyNot(look())).toContain(
      `the login lacks the permission ${lacks.join(' and the permission ')},`,
    )
  })

  it('requires the zone of a route, and the permission to change its routes', async () => {
    expect(await whyNot(look(['pay.example.com/*']))).toContain(
      'this login reaches no zone of pay.example.com',
    )
    api.account.zones.set('example.com', 'f00')
    expect(await look(['pay.example.com/*'])).toMatchObject({ ok: true })
    api.account.lacks.add('Workers Routes')
    expect(await whyNot(look(['pay.example.com/*']))).toContain(
      'the login lacks the permission Workers Routes,',
    )
  })

  it('requires a name at workers.dev if the hub will have its address there', async () => {
    api.account.subdomain = null
    expect(await whyNot(look())).toContain('the account has no name at workers.dev yet')
    expect(await look([], false)).toMatchObject({ ok: true })
  })
})
