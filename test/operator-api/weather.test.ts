import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobRow } from '../../src/job/rules/job-row.ts'
import { HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import type { Weather } from '../../src/contract/hub-health.ts'
import { weatherMethodOf } from '../../src/job/carriers.ts'
import { recountJobs, wrongHours } from '../../src/job-index/recount-jobs.ts'
import { removeJobs, upsertJobs } from '../../src/job-index/job-index.ts'
import { recentWeather, rememberWeather } from '../../src/job-index/weather.ts'
import { quantileOf } from '../../src/weather-report/report.ts'
import { weatherPage } from '../../src/weather-report/page.tsx'
import { send } from '../support/hub.ts'
import { outside } from '../support/live-pos.ts'
import { operate } from '../support/operator.ts'
import { addAccount } from '../support/psp-world.ts'
import { row as anyRow } from '../support/shards.ts'

let world: ReturnType<typeof outside>
let account = ''
beforeEach(async () => {
  world = outside()
  account = await addAccount({ fake: world.fake, psp: 'mollie' })
})
afterEach(() => {
  world.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function row(changes: Partial<JobRow> = {}): JobRow {
  return anyRow({ created: Date.now() * 1000, account, paymentMethod: 'ideal', ...changes })
}
async function seen(of = account) {
  const response = await operate('GET', '/weather')
  expect(response.status).toBe(200)
  const { accounts } = await response.json<Weather>()
  return accounts.filter((one) => one.account === of)
}
function told(is: 'well' | 'slow' | 'silent', at = Date.now(), method = 'ideal') {
  return {
    account,
    method,
    is,
    since: at,
    until: at + 5000,
    at,
  }
}

describe('the weather at an account', () => {
  it('is how many payments it took and missed, and how fast it answered', async () => {
    const times = [...Array.from({ length: 17 }, () => 100), 900, 1000]
    const taken = times.map((announcedIn) => row({ announcedIn }))
    await upsertJobs(env.DB, [...taken, row({ account: 'other', missedAt: JSON.stringify([account]) })])
    expect(await seen()).toEqual([
      {
        account,
        psp: 'mollie',
        mode: 'live',
        paymentMethod: 'ideal',
        state: 'well',
        since: null,
        lastFault: null,
        asked: 20,
        missed: 1,
        availability: 0.95,
        p50: 140,
        p95: 763,
      },
    ])
  })

  it('puts names that its PSP does not have together, and small letters beside large ones', async () => {
    await upsertJobs(env.DB, [
      row({ announcedIn: 1, paymentMethod: 'iDEAL' }),
      row({ announcedIn: 1 }),
      row({ announcedIn: 1, paymentMethod: 'shop-card-1' }),
      row({ announcedIn: 1, paymentMethod: 'shop-card-2' }),
    ])
    expect((await seen()).map(({ paymentMethod, asked }) => [paymentMethod, asked])).toEqual([
      ['*', 2],
      ['ideal', 2],
    ])
  })

  it('is what a place told last, until it has told nothing for minutes', async () => {
    const at = Date.now()
    await rememberWeather(env.DB, [told('silent', at), told('well', at - 1000)])
    const [silent] = await seen()
    expect(silent).toMatchObject({ state: 'silent', since: new Date(at).toISOString(), asked: 0 })
    await upsertJobs(env.DB, [row({ announcedIn: 1 })])
    await rememberWeather(env.DB, [{ ...told('silent', at), until: at - 4 * MINUTE, at: at + 1 }])
    expect((await seen())[0]?.state).toBe('unknown')
    await rememberWeather(env.DB, [told('well', at + 2)])
    expect((await seen())[0]).toMatchObject({ state: 'well', lastFault: new Date(at + 1).toISOString() })
  })

  it('is told to other places for an hour', async () => {
    const at = Date.now()
    await rememberWeather(env.DB, [told('slow', at - HOUR), told('silent', at - HOUR - 1, 'creditcard')])
    const recent = (await recentWeather(env.DB, at)).filter((one) => one.account === account)
    expect(recent).toEqual([told('slow', at - HOUR)])
  })
})

describe('what accounts missed is counted as exactly as payments are', () => {
  /** An hour that no other file has jobs in. */
  const DAY = '2021-08-09'
  const AT = Date.parse(`${DAY}T10:00:00Z`) * 1000
  const first = (changes: Partial<JobRow> = {}): JobRow =>
    row({ created: AT, pos: 'weather', missedAt: JSON.stringify([account, 'b']), account: 'c', ...changes })
  const missed = async (purged = 0) => {
    const query = `select account, missed, created from job_counts where pos = 'weather' and hour = ? and purged = ?
      and (missed <> 0 or created <> 0) order by account`
    const { results } = await env.DB.prepare(query)
      .bind(AT / 3_600_000_000, purged)
      .all<{ account: string; missed: number; created: number }>()
    return results.map((one) => [one.account, one.missed, one.created]).filter(([name]) => name !== 'gone')
  }
  const expected = () =>
    [
      ['b', 1, 0],
      ['c', 0, 1],
      [account, 1, 0],
    ].toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))

  beforeEach(async () => {
    await env.DB.prepare(`delete from job_counts where pos = 'weather'`).run()
    await env.DB.prepare(`delete from jobs where pos = 'weather'`).run()
  })

  it('however often and in whatever order its rows come', async () => {
    const one = first()
    const later: JobRow = { ...one, status: 'SUCCESS', paid: one.amount, sequence: one.sequence + 1 }
    await upsertJobs(env.DB, [later])
    await upsertJobs(env.DB, [one, later])
    await upsertJobs(env.DB, [one])
    expect(await missed()).toEqual(expected())
    expect(await wrongHours(env, DAY)).toEqual([])
  })

  it('counted again where it is wrong', async () => {
    await upsertJobs(env.DB, [first()])
    await env.DB.prepare(`update job_counts set missed = 7 where pos = 'weather' and account = 'b'`).run()
    expect(await wrongHours(env, DAY)).toHaveLength(1)
    await recountJobs(env, DAY)
    expect(await wrongHours(env, DAY)).toEqual([])
    expect(await missed()).toEqual(expected())
  })

  it('moved to the purged ones with its payment', async () => {
    const one = first()
    await upsertJobs(env.DB, [one])
    await removeJobs(env.DB, [one])
    expect(await missed()).toEqual([])
    expect(await missed(1)).toEqual(expected())
  })
})

describe('a quantile', () => {
  it.each([
    [[0, 0, 0, 0, 0, 0], 0.5, null],
    [[10, 0, 0, 0, 0, 0], 0.5, 125],
    [[0, 0, 10, 0, 0, 0], 0.95, 975],
    [[5, 0, 0, 0, 0, 5], 0.95, 4000],
  ])('of %j at %d is %d', (times, share, milliseconds) => {
    expect(quantileOf(times, share)).toBe(milliseconds)
  })
})

describe('the page for everybody', () => {
  it('is not there unless it is switched on', async () => {
    expect((await send('/weather')).status).toBe(404)
  })

  it('tells how PSPs take payments, and nothing of accounts and shops', async () => {
    await upsertJobs(env.DB, [
      row({ announcedIn: 200, paymentMethod: 'trustly' }),
      row({ announcedIn: 200, paymentMethod: 'our-own-card' }),
    ])
    await rememberWeather(env.DB, [told('silent', Date.now(), 'trustly')])
    const page = await weatherPage(env, Date.now(), weatherMethodOf)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await page.text()
    expect(html).toContain('Some payments are disturbed')
    expect(html).toContain('Mollie, trustly')
    expect(html).toMatch(/Not answering since \d\d:\d\d UTC, last seen well within this hour/)
    expect(html).toContain('other methods')
    expect(html).not.toContain('our-own-card')
    expect(html).not.toContain(account)
  })

  it('tells the day too of what has lasted for more than one', async () => {
    const since = Date.UTC(2026, 5, 1, 10, 30)
    await rememberWeather(env.DB, [{ ...told('silent', Date.now(), 'blik'), since }])
    const html = await (await weatherPage(env, Date.now(), weatherMethodOf)).text()
    expect(html).toMatch(/Mollie, blik<\/dt><dd>Not answering since 2026-06-01 10:30 UTC/)
  })

  it('calls a method well that one of several accounts takes', async () => {
    const other = await addAccount({ fake: world.fake, psp: 'mollie' }, 1)
    await upsertJobs(env.DB, [
      row({ announcedIn: 200, paymentMethod: 'eps' }),
      row({ announcedIn: 200, paymentMethod: 'eps', account: other }),
    ])
    await rememberWeather(env.DB, [told('silent', Date.now(), 'eps')])
    const html = await (await weatherPage(env, Date.now(), weatherMethodOf)).text()
    expect(html).toMatch(/Mollie, eps<\/dt><dd>Well/)
  })
})
