import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { carryOut, type Wrangler } from '../../src/deploy/carry-out.ts'
import { logIn } from '../../src/deploy/cloudflare.ts'
import { planDeploy, showPlan } from '../../src/deploy/deploy-plan.ts'
import { readSettings, Settings } from '../../src/deploy/environment.ts'
import { lookAround } from '../../src/deploy/look-around.ts'
import { runWrangler } from '../../src/programs/wrangler.ts'
import { type CloudflareApi, startCloudflareApi } from '../support/cloudflare-api/cloudflare-api.ts'
import { makeDatabase } from '../support/cloudflare-api/databases.ts'

/** A local Cloudflare on which wrangler creates namespaces and queues. The other steps of a deploy are left out. */
let api: CloudflareApi
let settings: Settings
beforeAll(async () => {
  api = await startCloudflareApi()
  const own = v.parse(Settings, await readSettings('wrangler.toml'))
  const [reports, dead] = own.queues.consumers
  if (!reports || !dead) throw new Error('wrangler.toml names no queues')
  const consumers = [reports, dead]
  settings = { ...own, queues: { ...own.queues, consumers }, vars: { ...own.vars, JURISDICTION: 'eu' } }
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterAll(() => api.stop())

const wrangler: Wrangler = (args, show, env) =>
  ['queues', 'kv'].includes(args[0] ?? '')
    ? runWrangler(args, show, {
        ...env,
        CLOUDFLARE_API_BASE_URL: api.url,
        CLOUDFLARE_API_TOKEN: api.account.token,
        CLOUDFLARE_ACCOUNT_ID: api.account.id,
      })
    : Promise.resolve({ code: 1, output: '', errors: 'left out' })

async function plan() {
  const login = await logIn(
    { CLOUDFLARE_API_BASE_URL: api.url, CLOUDFLARE_API_TOKEN: api.account.token },
    api.account.id,
  )
  if (!login.ok) throw new Error(login.error)
  const found = await lookAround(login.value, settings)
  if (!found.ok) throw new Error(found.error)
  return planDeploy(settings, found.value, {
    given: null,
    own: { path: '.hub/production.secrets', names: settings.secrets.required },
  })
}

function namesOf(jurisdiction: string | undefined): string[] {
  return [...api.account.queues.values()]
    .filter((queue) => queue.jurisdiction === jurisdiction)
    .map(({ queue_name: name }) => name)
}

describe('the namespace and the queues of a hub in the jurisdiction eu', () => {
  it('are made there, before the upload would make them anywhere', { timeout: 60_000 }, async () => {
    const planned = await plan()
    if (!planned.ok) throw new Error(planned.error)
    for (const { name } of planned.value.queues)
      expect(showPlan(planned.value)).toMatch(
        new RegExp(`^queue +${name} +made in the jurisdiction eu$`, 'm'),
      )
    await carryOut(
      { ...planned.value, databases: [], secrets: { from: 'account' } },
      wrangler,
      undefined,
      async () => [],
    )
    expect(namesOf('eu')).toEqual(settings.queues.consumers.map(({ queue }) => queue))
    expect(namesOf(undefined)).toEqual([])
    expect([...api.account.namespaces.values()]).toEqual([
      { title: 'payment-hub-tokens', jurisdiction: 'eu' },
    ])
    expect(api.wrong).toEqual([])
    const again = await plan()
    expect(again).toMatchObject({
      ok: true,
      value: { namespaces: [{ isMade: false }], queues: [{ isMade: false }, { isMade: false }] },
    })
    expect(again.ok && again.value.elsewhere).toBeUndefined()
  })

  it('and its database stop a first deploy if they are elsewhere, because they cannot be moved', async () => {
    const [queue] = api.account.queues.values()
    if (!queue) throw new Error('no queue')
    delete queue.jurisdiction
    makeDatabase(api.account, 'payment-hub')
    const refused = await plan()
    expect(refused).toMatchObject({ ok: false, error: expect.stringContaining('Nothing was done') as string })
    expect(refused).toMatchObject({
      error: expect.stringMatching(/payment-hub is in no jurisdiction.*queues delete NAME/s) as string,
    })
    expect(refused.ok ? '' : refused.error).toContain(`the queue ${queue.queue_name} is in no jurisdiction`)
  })

  it('that a hub has already are kept, and the plan says which, and what to do', async () => {
    api.account.scripts.set(settings.name, {
      name: settings.name,
      tags: [],
      secrets: new Map(settings.secrets.required.map((name) => [name, 'a'])),
      versions: [],
      deployed: [],
      crons: [],
      isOnWorkersDev: true,
    })
    const found = {
      namespaces: [],
      databases: [],
      queues: settings.queues.consumers.map(({ queue: name }) => ({ name, consumers: [settings.name] })),
      worker: { secrets: settings.secrets.required, jurisdiction: 'eu' },
      elsewhere: [{ what: 'queue' as const, name: 'payment-hub-reports', jurisdiction: '' }],
    }
    const kept = planDeploy(settings, found, {
      given: null,
      own: { path: '.hub/production.secrets', names: null },
    })
    const shown = kept.ok ? showPlan(kept.value) : kept.error
    expect(shown).toMatch(/^queue +payment-hub-reports +kept, outside the jurisdiction eu$/m)
    expect(shown).toContain('docs/operating/set-up.md')
  })

  it('are refused by Cloudflare in a jurisdiction that it does not have', async () => {
    const ask = (jurisdiction: string) =>
      fetch(`${api.url}/accounts/${api.account.id}/queues`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.account.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ queue_name: 'x', jurisdiction }),
      })
    expect((await ask('mars')).ok).toBe(false)
    expect((await ask('eu')).ok).toBe(true)
    expect((await ask('eu')).ok).toBe(false)
  })
})
