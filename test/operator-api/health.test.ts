import { breakerHint } from '../../src/psp/health/breakers.ts'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeRows } from '../../src/job-index/job-index.ts'
import { watchLogs } from '../security/evidence.ts'
import { breakD1, breakKv, breakObjects } from '../security/outages.ts'
import { createJob, makePos, send, tokenFor } from '../support/hub/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { makeOperatorToken, operate } from '../support/hub/operator.ts'
import { addAccount, pspWorld, route } from '../support/psp-world.ts'
import { row } from '../support/hub/shards.ts'

type Health = {
  state: string
  parts: { part: string; state: string; message: string | null }[]
  accounts: {
    account: string
    state: string
    waiting: number
    message: string | null
    checked: string | null
  }[]
  shops: { pos: string; owed: number; givenUp: number }[]
}

let psp: ReturnType<typeof pspWorld>
beforeEach(async () => {
  watchLogs()
  psp = pspWorld('mollie')
  for (const table of ['account_checks', 'routes', 'psp_accounts', 'jobs'])
    await env.DB.prepare(`delete from ${table}`).run()
})

async function health(query = ''): Promise<Health> {
  const response = await operate('GET', `/health${query}`)
  expect(response.status).toBe(200)
  return response.json()
}
// Loads what the runtime loads at the first request, so that it does not use up a part's three seconds.
beforeAll(async () => void (await health()))
function stateOf({ parts }: Health, name: string) {
  return parts.find(({ part }) => part === name)?.state
}

describe('the health of the hub', () => {
  it('is working when each part is, and names all parts', async () => {
    const seen = await health()
    expect(seen).toMatchObject({ state: 'working', accounts: [], shops: [] })
    // Until the index is at this release, it is a part too.
    const parts = seen.parts.filter(({ part }) => part !== 'index')
    expect(parts.map(({ part, state }) => [part, state])).toEqual([
      ['KV', 'working'],
      ['payment jobs', 'working'],
      ['registry', 'working'],
      ['D1 DB', 'working'],
      ['queue REPORTS', 'working'],
      ['queue REPORTS_DEAD', 'working'],
      ['queue JOB_INDEX', 'working'],
      ['queue COPIES', 'working'],
      ['queue SWEEPS', 'working'],
      ['queue BOOKS', 'working'],
      ['queue ALERTS', 'working'],
      ['queue BACKUPS', 'working'],
      ['accounts', 'working'],
      ['reports', 'working'],
      ['money', 'working'],
    ])
  })

  it('is impaired while D1 is down, and is still shown', async () => {
    breakD1()
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const seen = await health()
    expect(seen).toMatchObject({ state: 'impaired', accounts: [], shops: [] })
    expect(['D1 DB', 'registry', 'accounts', 'reports'].map((part) => stateOf(seen, part))).toEqual([
      'failing',
      'failing',
      'failing',
      'failing',
    ])
    expect([stateOf(seen, 'KV'), JSON.stringify(seen)]).toEqual([
      'working',
      expect.not.stringContaining('overloaded'),
    ])
    const parts = loggedOf(errors, 'health.part-failed').map((entry) => (entry as { part: string }).part)
    expect(parts.toSorted()).toEqual(['D1 DB', 'accounts', 'money', 'registry', 'reports'])
  })

  it('is impaired while D1 is down, even if the PSPs are to be asked', async () => {
    breakD1()
    expect(stateOf(await health('?check=1'), 'account checks')).toBe('failing')
  })

  it('is failing without KV, or without the objects of jobs', async () => {
    const mend = breakKv()
    const seen = await health()
    expect([seen.state, stateOf(seen, 'KV')]).toEqual(['failing', 'failing'])
    mend()
    const { mend: mendObjects } = breakObjects('overloaded')
    const other = await health()
    expect([other.state, stateOf(other, 'payment jobs')]).toEqual(['failing', 'failing'])
    mendObjects()
    expect((await health()).state).toBe('working')
  })

  it('says what to do when D1 has lost some or all points of sale, and so does /healthz', async () => {
    const [{ id }] = [await makePos(), await makePos()]
    const registryOf = async () => (await health()).parts.find(({ part }) => part === 'registry')
    const kept = await env.DB.prepare('select * from points_of_sale').all<Record<string, never>>()
    await env.DB.prepare('delete from api_keys').run()
    await env.DB.prepare('delete from points_of_sale where id = ?').bind(id).run()
    expect(await registryOf()).toMatchObject({
      state: 'failing',
      message: expect.stringContaining(id) as string,
    })
    await env.DB.prepare('delete from points_of_sale').run()
    const lost = await registryOf()
    expect(lost?.message).toContain('D1 has no point of sale')
    expect(lost?.message).toContain('restore --only registry')
    vi.setSystemTime(Date.now() + 61_000)
    const answer = await send('/healthz')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ status: 'failing', registry: 'lost' })
    expect((await health()).state).toBe('failing')
    vi.useRealTimers()
    const rows = kept.results.map((each) => ({ table: 'points_of_sale', row: each }))
    expect((await operate('POST', '/restore/registry', { rows })).status).toBe(200)
    expect(await registryOf()).toMatchObject({ state: 'working' })
    // An operator who has restored D1 once may lose it again.
    await env.DB.prepare('delete from points_of_sale').run()
    expect(await registryOf()).toMatchObject({ state: 'failing' })
    expect((await operate('POST', '/restore/registry', { rows })).status).toBe(200)
  })

  it('waits for a part for three seconds, and no longer', async () => {
    vi.spyOn(env.TOKENS, 'get').mockReturnValue(new Promise(() => {}) as never)
    const start = Date.now()
    const seen = await health()
    expect(Date.now() - start).toBeLessThan(10_000)
    expect(seen.parts.find(({ part }) => part === 'KV')).toMatchObject({
      state: 'failing',
      message: 'did not answer within 3 seconds',
    })
  })

  it('says when the migrations of a database are behind', async () => {
    const newest = await env.DB.prepare('select * from d1_migrations order by id desc limit 1').first<{
      id: number
      name: string
    }>()
    await env.DB.prepare('delete from d1_migrations where id = ?').bind(newest?.id).run()
    const seen = await health()
    await env.DB.prepare('insert into d1_migrations (id, name) values (?, ?)')
      .bind(newest?.id, newest?.name)
      .run()
    expect(seen.state).toBe('impaired')
    expect(seen.parts.find(({ part }) => part === 'D1 DB')?.message).toContain(`needs ${newest?.name}`)
    expect((await health()).state).toBe('working')
  })

  it('says when messages of a queue are old, and when it cannot find out', async () => {
    const metrics = vi.spyOn(env.REPORTS, 'metrics')
    const ofQueue = async () => (await health()).parts.find(({ part }) => part === 'queue REPORTS')
    const oldestMessageTimestamp = new Date(Date.now() - 11 * 60_000)
    metrics.mockResolvedValue({ backlogCount: 12, backlogBytes: 1, oldestMessageTimestamp })
    expect(await ofQueue()).toMatchObject({
      state: 'slow',
      message: expect.stringMatching(/^12 messages wait/),
    })
    metrics.mockResolvedValue({ backlogCount: 12, backlogBytes: 1, oldestMessageTimestamp: new Date() })
    expect(await ofQueue()).toMatchObject({ state: 'working' })
  })
})

describe('an account', () => {
  it('is shown by its last check: no PSP is asked', async () => {
    const account = await addAccount(psp)
    expect((await health()).accounts).toMatchObject([
      { account, state: 'unknown', checked: null, waiting: 0 },
    ])
    await operate('POST', `/accounts/${account}/check`)
    psp.asked.length = 0
    expect((await health()).accounts).toMatchObject([{ account, state: 'working' }])
    expect(psp.asked).toEqual([])
  })

  it('is not checked for a viewer, who sees the last check', async () => {
    await addAccount(psp)
    const { token } = await makeOperatorToken('viewer')
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    psp.asked.length = 0
    const refused = await operate('GET', '/health?check=1', undefined, token)
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'role-insufficient', detail: expect.stringContaining('role support') }),
    ])
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'operator.forbidden', role: 'viewer', needed: 'support' }),
    )
    expect(psp.asked).toEqual([])
    expect((await operate('GET', '/health', undefined, token)).status).toBe(200)
    const support = await makeOperatorToken('support')
    expect((await operate('GET', '/health?check=1', undefined, support.token)).status).toBe(200)
    expect(psp.asked).not.toEqual([])
  })

  it('is checked on request, and the check is remembered', async () => {
    const account = await addAccount(psp)
    psp.fault = () => Response.json({ status: 401, title: 'Unauthorized', detail: 'no' }, { status: 401 })
    expect(await health('?check=1')).toMatchObject({
      state: 'impaired',
      accounts: [{ account, state: 'refused' }],
    })
    expect((await health()).accounts).toMatchObject([{ account, state: 'refused' }])
  })

  it.each([
    ['live', 401, 'impaired'],
    ['live', 503, 'impaired'],
    ['test', 401, 'working'],
    ['test', 503, 'working'],
  ] as const)('in %s mode whose PSP answers %i leaves the hub %s', async (mode, status, state) => {
    const credentials = { apiKey: `${mode}_${'a'.repeat(30)}` }
    const account = { id: `mollie-in-${mode}-${status}`, psp: 'mollie', mode, credentials }
    expect((await operate('POST', '/accounts', account)).status).toBe(201)
    psp.fault = () => Response.json({ status, title: 'No', detail: 'no' }, { status })
    expect(await health('?check=1')).toMatchObject({ state })
  })

  it('that does not answer payments is unavailable, even if it answered its last check', async () => {
    const account = await addAccount(psp)
    await operate('POST', `/accounts/${account}/check`)
    const since = Date.now() - 5000
    const hint = breakerHint.write({ since, until: since + 60_000, level: 1, by: null })
    await env.TOKENS.put(`breaker:${account}`, JSON.stringify(hint))
    expect(await health()).toMatchObject({
      state: 'impaired',
      accounts: [{ account, state: 'unavailable', since: new Date(since).toISOString() }],
    })
  })

  it('whose key a payment found refused says so at once, until a check finds that it works', async () => {
    const account = await addAccount(psp)
    await operate('POST', `/accounts/${account}/check`)
    const pos = await makePos({ mode: 'live' })
    await route(pos, '*', account)
    psp.fault = () => Response.json({ status: 401, title: 'Unauthorized', detail: 'no' }, { status: 401 })
    await createJob(await tokenFor(pos))
    await vi.waitFor(async () => {
      expect((await health()).accounts).toMatchObject([
        { account, state: 'refused', message: expect.stringContaining('Unauthorized') },
      ])
    })
    psp.fault = null
    await operate('POST', `/accounts/${account}/check`)
    expect((await health()).accounts).toMatchObject([{ account, state: 'working', message: null }])
  })

  it('that did not answer payments works again as soon as it answers a check', async () => {
    const account = await addAccount(psp)
    await operate('POST', `/accounts/${account}/check`)
    const hint = breakerHint.write({ since: Date.now(), until: Date.now() + 60_000, level: 1, by: null })
    await env.TOKENS.put(`breaker:${account}`, JSON.stringify(hint))
    await operate('POST', `/accounts/${account}/check`)
    expect((await health()).accounts).toMatchObject([{ account, state: 'working' }])
  })

  it('shows the payments that wait for it', async () => {
    const account = await addAccount(psp)
    const due = { account, announcement: 'due' } as const
    await writeRows(env, [row(due), row(due), row({ ...due, status: 'EXPIRED' }), row({ account })])
    expect((await health()).accounts).toMatchObject([{ account, waiting: 2 }])
  })
})

it('a shop is named if its reports fail now, but not for one that was given up long ago', async () => {
  const [now, before] = [await makePos(), await makePos()]
  const old = Date.now() - 48 * 3_600_000
  const lately = Date.now() - 3_600_000
  await writeRows(env, [
    row({ pos: now.id, failingSince: Date.now() - 61_000 }),
    row({ pos: now.id, failingSince: Date.now() - 10_000 }),
    row({ pos: now.id, failingSince: lately, givenUpAt: lately }),
    row({ pos: before.id, failingSince: old, givenUpAt: old }),
  ])
  expect((await health()).shops).toMatchObject([{ pos: now.id, owed: 1, givenUp: 1 }])
})
