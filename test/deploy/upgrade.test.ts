import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Cloud, openCloud } from './cloud.ts'

const OWN_FILE = '.hub/production.secrets'

let cloud: Cloud
beforeAll(async () => {
  cloud = await openCloud()
}, 60_000)
afterAll(() => cloud.close(), 60_000)

function script() {
  return cloud.account.scripts.get('payment-hub')
}

describe('before anything is deployed', () => {
  afterEach(() => {
    // Nothing was changed, neither locally nor at Cloudflare.
    expect(cloud.asked.filter((one) => !one.startsWith('GET '))).toEqual([])
    expect(existsSync(join(cloud.clone.folder, '.hub'))).toBe(false)
  })

  it('a dry run shows the plan and builds the Worker, without an account', { timeout: 240_000 }, async () => {
    const { code, out, err } = await cloud.clone.deploy(['--dry-run', '--env', 'staging'], {
      CLOUDFLARE_API_BASE_URL: cloud.url,
    })
    expect(code, err).toBe(0)
    expect(out).toContain('A first deploy of staging would do this:')
    expect(out).toMatch(/database +payment-hub-staging +made, then migrated/)
    expect(out).toMatch(/secrets +\.hub\/staging\.secrets +made with new values/)
    expect(out).toContain('Total Upload:')
    expect(cloud.asked).toEqual([])
  })

  it('a machine that loses its files makes no secrets: the deploy says where to do it', async () => {
    const { code, err } = await cloud.clone.deploy([], { ...cloud.env, CI: 'true' })
    expect(code).toBe(1)
    expect(err).toMatch(
      /^Nothing was done: CI is set, so a file of new secrets would be lost.*Deploy the first time from your own machine/m,
    )
  })
})

describe('a later deploy', () => {
  beforeAll(async () => {
    expect(await cloud.deploy()).toMatchObject({ code: 0 })
  }, 240_000)

  it('makes nothing again, keeps every secret, and needs no file of them', { timeout: 480_000 }, async () => {
    const before = { secrets: new Map(script()?.secrets), databases: [...cloud.account.databases.keys()] }
    const from = cloud.asked.length
    const own = join(cloud.clone.folder, OWN_FILE)
    rmSync(own)
    const { code, out, err } = await cloud.deploy()
    expect(code, err).toBe(0)
    expect(out).toMatch(/secrets +payment-hub +kept: Cloudflare has them all/)
    expect(out).toContain('set another: npx wrangler secret put OPERATOR_TOKEN')
    expect(script()?.secrets).toEqual(before.secrets)
    expect([...cloud.account.databases.keys()]).toEqual(before.databases)
    expect(script()?.versions).toHaveLength(2)
    const made = cloud.asked
      .slice(from)
      .filter((one) => /^POST \/(d1\/database|queues|storage\/kv\/namespaces)$/.test(one))
    expect(made).toEqual([])
    expect(cloud.wrong).toEqual([])
  })

  it(
    'with a migration that fails changes nothing of the running hub, and reports it',
    { timeout: 480_000 },
    async () => {
      const migration = join(cloud.clone.folder, 'migrations', '9999_wrong.sql')
      writeFileSync(migration, 'ALTER TABLE no_such_table ADD COLUMN a TEXT;')
      const { code, out, err } = await cloud.deploy()
      expect(code).toBe(1)
      expect(err).toMatch(/no such table: no_such_table/)
      expect(err).toContain('A migration of payment-hub failed. The reason is above. Nothing was deployed')
      expect(out).not.toContain('Uploading the Worker')
      expect(script()?.versions).toHaveLength(2)
    },
  )
})

describe("wrangler's own commands, as the page for operators has them", () => {
  /** Runs a command, and returns its requests. */
  async function run(line: string, input = ''): Promise<string[]> {
    const from = cloud.asked.length
    const { code, out, err } = await cloud.clone.wrangler(line.split(' '), cloud.env, input)
    expect(code, `${line}\n${out}${err}`).toBe(0)
    expect(cloud.wrong.splice(0)).toEqual([])
    return cloud.asked.slice(from)
  }
  const tables = () =>
    [...cloud.account.databases.values()][0]?.sqlite
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => name)
  beforeAll(() => rmSync(join(cloud.clone.folder, 'migrations', '9999_wrong.sql')))

  it('upload a version without serving it, serve it, and go back', { timeout: 240_000 }, async () => {
    const before = script()?.deployed.at(-1)
    await run('versions upload')
    const uploaded = script()?.versions.at(-1)?.id
    expect([script()?.deployed.at(-1), uploaded === before]).toEqual([before, false])
    await run(`versions deploy ${uploaded}@100% --yes`)
    expect(script()?.deployed.at(-1)).toBe(uploaded)
    await run(`rollback ${before} --yes --message back`)
    expect(script()?.deployed.at(-1)).toBe(before)
  })

  it('replace a secret', { timeout: 60_000 }, async () => {
    await run('secret put OPERATOR_TOKEN', 'ab'.repeat(32))
    expect(script()?.secrets.get('OPERATOR_TOKEN')).toBe('ab'.repeat(32))
  })

  it('copy a database, and bring it back to how it was at a time', { timeout: 120_000 }, async () => {
    await run('d1 export payment-hub --remote --output hub.sql')
    expect(readFileSync(join(cloud.clone.folder, 'hub.sql'), 'utf8')).toContain('CREATE TABLE')
    expect(tables()).toContain('jobs')
    const before = new Date(Date.now() - 86_400_000).toISOString()
    await run(`d1 time-travel restore payment-hub --timestamp ${before}`)
    expect(tables()).toEqual([])
  })
})
