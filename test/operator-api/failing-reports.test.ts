import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { writeRows } from '../../src/job-index/job-index.ts'
import { type Pos, createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'
import { row } from '../support/hub/shards.ts'

type Failing = {
  shops: { pos: string; owed: number; givenUp: number; since: string; lastOutcome: string | null }[]
  reports: { paymentJob: string; owedSince: string; givenUp: string | null; name: string }[]
  next: string | null
}

let answer = 500
beforeEach(() => {
  answer = 500
  receiver(() => new Response(null, { status: answer }))
})

async function failing(pos: Pos | null, after: string | null = null): Promise<Failing> {
  const query = new URLSearchParams({ ...(pos ? { pos: pos.id } : {}), ...(after ? { after } : {}) })
  return (await operate('GET', `/reports/failing?${query}`)).json()
}
const MINUTE = 60_000

/** A payment whose report the shop does not accept. Waits until the index shows that. */
async function paidWithoutReport() {
  const pos = await makePos()
  const { payUrl, paymentJob } = await createJob(await tokenFor(pos))
  await payAs(payUrl, 'paid')
  const owed = () =>
    env.DB.prepare('select failing_since from jobs where id = ?').bind(paymentJob).first('failing_since')
  await expect.poll(owed, { timeout: 15_000 }).not.toBeNull()
  return { pos, paymentJob, owed }
}

describe('a report that its receiver does not take', () => {
  it('counts as failing after a minute, with the answer, until it is delivered', async () => {
    const { pos, paymentJob, owed } = await paidWithoutReport()
    expect(await failing(pos)).toEqual({ shops: [], reports: [], next: null })
    vi.setSystemTime(Date.now() + MINUTE + 1000)
    const seen = await failing(pos)
    expect(seen.shops).toMatchObject([{ pos: pos.id, owed: 1, givenUp: 0, lastOutcome: '500' }])
    expect(seen.reports).toMatchObject([{ paymentJob, name: 'Shop 1', givenUp: null }])
    expect((await failing(null)).shops.map((one) => one.pos)).toContain(pos.id)
    vi.useRealTimers()
    answer = 200
    await operate('POST', `/jobs/${paymentJob}/resend`)
    await expect.poll(owed, { timeout: 15_000 }).toBeNull()
  })

  it('counts as failing at once when it is given up', async () => {
    const pos = await makePos()
    const now = Date.now()
    await writeRows(env, [row({ pos: pos.id, failingSince: now, givenUpAt: now })])
    expect(await failing(pos)).toMatchObject({
      shops: [{ owed: 0, givenUp: 1 }],
      reports: [{ givenUp: new Date(now).toISOString() }],
    })
  })
})

it('the reports of a shop come oldest first, page by page, and the shop has all of them', async () => {
  const pos = await makePos()
  const start = Date.now() - 500 * MINUTE
  const rows = Array.from({ length: 450 }, (_, n) =>
    row({ pos: pos.id, failingSince: start + Math.floor(n / 3) * 1000 }),
  )
  await writeRows(env, rows)
  const seen: Failing['reports'] = []
  let page = await failing(pos)
  expect(page.shops).toMatchObject([{ owed: 450, givenUp: 0, since: new Date(start).toISOString() }])
  for (;;) {
    expect(page.reports.length).toBeLessThanOrEqual(200)
    seen.push(...page.reports)
    if (page.next === null) break
    page = await failing(pos, page.next)
  }
  expect(new Set(seen.map(({ paymentJob }) => paymentJob))).toEqual(new Set(rows.map(({ id }) => id)))
  expect(seen.map(({ owedSince }) => owedSince)).toEqual(seen.map(({ owedSince }) => owedSince).toSorted())
  expect(seen).toHaveLength(450)
})

it('exactly one page of reports has no next page', async () => {
  const pos = await makePos()
  const failingSince = Date.now() - 5 * MINUTE
  await writeRows(
    env,
    Array.from({ length: 200 }, () => row({ pos: pos.id, failingSince })),
  )
  const { reports, next } = await failing(pos)
  expect(reports).toHaveLength(200)
  expect(next).toBeNull()
})

it('they are those of one shop, by its id or its name', async () => {
  const [one, other] = [await makePos(), await makePos()]
  const name = `Failing ${one.id}`
  await operate('POST', `/pos/${one.id}`, { name })
  await writeRows(
    env,
    [one, other].map(({ id }) => row({ pos: id, failingSince: Date.now() - 61_000 })),
  )
  for (const named of [one.id, name, name.toUpperCase()]) {
    const found = await operate('GET', `/reports/failing?pos=${encodeURIComponent(named)}`)
    const { shops, reports } = await found.json<{ shops: { pos: string }[]; reports: { pos: string }[] }>()
    expect([...shops, ...reports].map(({ pos }) => pos)).toEqual([one.id, one.id])
  }
})

describe('resending all reports of a shop', () => {
  it('sends those that it did not take, given up or not, and skips those that fail later', async () => {
    const { pos, owed } = await paidWithoutReport()
    const resend = async (until: number) => {
      const at = `/pos/${pos.id}/reports/resend?until=${new Date(until).toISOString()}`
      return (await operate('POST', at)).json()
    }
    expect(await resend(Date.now() - MINUTE)).toEqual({ resent: 0, next: null })
    answer = 200
    expect(await resend(Date.now() + 1)).toEqual({ resent: 1, next: null })
    await expect.poll(owed, { timeout: 15_000 }).toBeNull()
  })

  it('goes on page by page, and ends', async () => {
    const pos = await makePos()
    const start = Date.now() - 500 * MINUTE
    // Nothing is sent for deleted jobs.
    await writeRows(
      env,
      Array.from({ length: 401 }, (_, n) => row({ pos: pos.id, failingSince: start + n })),
    )
    let pages = 0
    for (let after: string | null = ''; after !== null; pages++) {
      const query = new URLSearchParams({ until: new Date().toISOString(), ...(after ? { after } : {}) })
      const page = await (
        await operate('POST', `/pos/${pos.id}/reports/resend?${query}`)
      ).json<{ resent: number; next: string | null }>()
      expect(page.resent).toBe(0)
      after = page.next
    }
    expect(pages).toBe(3)
  })

  it('needs a known shop', async () => {
    const answered = await operate('POST', `/pos/nobody/reports/resend?until=${new Date().toISOString()}`)
    expect(answered.status).toBe(404)
  })
})

describe('live and test', () => {
  it('only those of the requested mode come, live ones first, and a hundred test shops hide no live one', async () => {
    const at = Date.now() - 10 * MINUTE
    const trials = Array.from({ length: 120 }, (_, n) => `${String(n).padStart(3, '0')}${'0'.repeat(29)}`)
    const live = `f${'e'.repeat(31)}`
    const insert = env.DB.prepare(
      `insert or ignore into points_of_sale (id, name, mode, sign_return, signing_version, created_at)
       values (?1, ?1, ?2, 0, 1, 0)`,
    )
    await env.DB.batch([...trials.map((id) => insert.bind(id, 'test')), insert.bind(live, 'live')])
    const rows = [...trials, live].map((pos) => row({ pos, failingSince: at, givenUpAt: at }))
    await writeRows(env, rows)
    const modesOf = (all: readonly { mode: string }[]) => [...new Set(all.map(({ mode }) => mode))]
    const ask = async (query: string) =>
      (await operate('GET', `/reports/failing${query}`)).json<{
        shops: { pos: string; mode: string }[]
        reports: { mode: string; pos: string }[]
      }>()
    const both = await ask('')
    expect(modesOf(both.shops)).toEqual(['live', 'test'])
    expect(both.shops.map(({ pos }) => pos)).toContain(live)
    const [ofLive, ofTest] = [await ask('?mode=live'), await ask('?mode=test')]
    expect([modesOf(ofLive.shops), modesOf(ofLive.reports)]).toEqual([['live'], ['live']])
    expect([modesOf(ofTest.shops), modesOf(ofTest.reports)]).toEqual([['test'], ['test']])
    expect(ofLive.reports.map(({ pos }) => pos)).toContain(live)
    expect(await ask(`?mode=test&pos=${live}`)).toMatchObject({ shops: [], reports: [] })
    const { shops } = await (
      await operate('GET', '/health')
    ).json<{ shops: { mode: string; pos: string }[] }>()
    expect(modesOf(shops)).toEqual(['live', 'test'])
    expect(shops.map(({ pos }) => pos)).toContain(live)
    for (const [mode, all] of [
      ['live', [live]],
      ['test', trials],
    ] as const) {
      const response = await operate(
        'GET',
        `/reports/undelivered?mode=${mode}&from=${new Date(at).toISOString()}`,
      )
      const { undelivered } = await response.json<{ undelivered: { pos: string; mode: string }[] }>()
      expect(modesOf(undelivered)).toEqual([mode])
      expect(undelivered.map(({ pos }) => pos)).toEqual(expect.arrayContaining([...all]))
    }
    await env.DB.batch(rows.map(({ id }) => env.DB.prepare('delete from jobs where id = ?').bind(id)))
  })
})
