import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobRow } from '../../src/job/core/row.ts'
import { recountJobs, wrongHours } from '../../src/job-index/recount-jobs.ts'
import { removeJobs, replaceRows, upsertJobs, writeRows } from '../../src/job-index/job-index.ts'
import { openShards, posAt, row as anyRow, SHARDED } from '../support/hub/shards.ts'

/** An hour in which no other file has jobs. */
const DAY = '2021-07-08'
const AT = Date.parse(`${DAY}T10:00:00Z`) * 1000
const HOUR = AT / 3_600_000_000

function row(changes: Partial<JobRow> = {}): JobRow {
  return anyRow({ created: AT, pos: 'counted', ...changes })
}
function paid(of: JobRow, changes: Partial<JobRow> = {}): JobRow {
  return {
    ...of,
    status: 'SUCCESS',
    paid: of.amount,
    paidAfter: 15_000,
    sequence: of.sequence + 1,
    ...changes,
  }
}

beforeEach(async () => {
  for (const table of ['jobs', 'job_counts']) {
    const mine = table === 'jobs' ? 'created >= ? and created < ?' : 'hour * 3600000000 between ? and ?'
    await env.DB.prepare(`delete from ${table} where ${mine}`)
      .bind(AT - 1e10, AT + 86_400_000_000)
      .run()
  }
})

const IN_KEY = new Set(['hour', 'pos', 'payment_method', 'currency'])
type Counts = Record<string, string | number>
/** The counters of the hour that are not zero. */
async function counts(database = env.DB): Promise<Counts[]> {
  const { results } = await database
    .prepare('select * from job_counts where hour >= ? and hour < ? order by hour, pos, account, purged')
    .bind(HOUR, HOUR + 14)
    .all<Counts>()
  return results
    .map((counted) =>
      Object.fromEntries(Object.entries(counted).filter(([name, value]) => value !== 0 && !IN_KEY.has(name))),
    )
    .filter((counted) => Object.keys(counted).some((name) => !['account', 'purged'].includes(name)))
}

it('counts a payment when it is made, and how it ended', async () => {
  const one = row()
  await upsertJobs(env.DB, [one])
  expect(await counts()).toEqual([{ account: 'sandbox', created: 1 }])
  await upsertJobs(env.DB, [paid(one)])
  expect(await counts()).toEqual([{ account: 'sandbox', created: 1, success: 1, paid: 1250, paid_in_20: 1 }])
})

it('counts what went back, and no longer counts it once it has come again', async () => {
  const one = paid(row(), { refunded: 500, chargedBack: 250 })
  await upsertJobs(env.DB, [one])
  expect(await counts()).toMatchObject([{ paid: 1250, refunded: 500, charged_back: 250 }])
  await upsertJobs(env.DB, [{ ...one, refunded: 0, sequence: one.sequence + 1 }])
  expect(await counts()).toMatchObject([{ paid: 1250, charged_back: 250 }])
  await removeJobs(env.DB, [one])
  expect(await wrongHours(env, DAY)).toEqual([])
})

it.each([
  [0, 'paid_in_10'],
  [10_000, 'paid_in_10'],
  [10_001, 'paid_in_20'],
  [90_000, 'paid_in_90'],
  [600_001, 'paid_in_3600'],
  [3_600_000, 'paid_in_3600'],
  [3_600_001, 'paid_later'],
])('a payment that took %i ms counts as %s', async (paidAfter, counter) => {
  await upsertJobs(env.DB, [paid(row(), { paidAfter })])
  expect((await counts())[0]).toMatchObject({ success: 1, [counter]: 1 })
})

describe('in whatever order its messages come', () => {
  const one = row()
  const failedOver = { ...one, account: 'other', sequence: 2 }
  const expired: JobRow = { ...failedOver, status: 'EXPIRED', sequence: 3 }
  const late = paid(expired, { paid: 900, paidAfter: 4_000_000 })
  const END = [{ account: 'other', created: 1, success: 1, paid: 900, paid_later: 1 }]

  it.each<[string, JobRow[][]]>([
    ['one by one', [[one], [failedOver], [expired], [late]]],
    ['in one batch', [[one, failedOver, expired, late]]],
    ['newest first', [[late], [expired], [failedOver], [one]]],
    ['newest first in one batch', [[late, expired, failedOver, one]]],
    ['each twice', [[one, one], [failedOver], [failedOver], [one], [late, expired], [late, expired]]],
    ['mixed', [[failedOver, one], [late], [one, expired], [failedOver]]],
  ])('a payment that moved to another account and was paid late is counted once: %s', async (_, batches) => {
    for (const batch of batches) await upsertJobs(env.DB, batch)
    expect(await counts()).toEqual(END)
    expect(await wrongHours(env, DAY)).toEqual([])
  })

  it('two consumers at the same time count it once', async () => {
    const rows = Array.from({ length: 40 }, () => row())
    const batches = [rows, rows.map((each) => paid(each)), rows, rows.toReversed()]
    await Promise.all(batches.map((batch) => upsertJobs(env.DB, batch)))
    expect(await counts()).toEqual([
      { account: 'sandbox', created: 40, success: 40, paid: 40 * 1250, paid_in_20: 40 },
    ])
  })
})

it('purged payments stay counted, once, however often the message of their purge comes', async () => {
  const [one, other] = [paid(row()), row()]
  await upsertJobs(env.DB, [one, other])
  for (let times = 0; times < 2; times++) {
    expect(await removeJobs(env.DB, [one, one])).toBe(times === 0 ? 1 : 0)
    expect(await counts()).toEqual([
      { account: 'sandbox', created: 1 },
      { account: 'sandbox', purged: 1, created: 1, success: 1, paid: 1250, paid_in_20: 1 },
    ])
  }
  const { sequence: _, ...anySequence } = other
  expect(await removeJobs(env.DB, [{ ...other, sequence: 0 }])).toBe(0)
  expect(await removeJobs(env.DB, [anySequence])).toBe(1)
  expect(await counts()).toMatchObject([{ purged: 1, created: 2, success: 1 }])
})

describe('a wrong counter', () => {
  it('is found by the hour and counted again from the rows, except for purged jobs', async () => {
    const [gone, one, other] = [paid(row()), row(), paid(row({ created: AT + 3 * 3_600_000_000 }))]
    await upsertJobs(env.DB, [gone, one, other])
    await removeJobs(env.DB, [gone])
    const right = await counts()
    expect(await wrongHours(env, DAY)).toEqual([])
    await env.DB.prepare('update job_counts set paid = paid + 1 where hour = ? and purged = 0')
      .bind(HOUR + 3)
      .run()
    expect(await wrongHours(env, DAY)).toEqual([HOUR + 3])
    // Release 0.3 writes rows without counting them.
    await env.DB.prepare('delete from job_counts where hour = ? and purged = 0').bind(HOUR).run()
    expect(await wrongHours(env, DAY)).toEqual([HOUR, HOUR + 3])
    await recountJobs(env, DAY)
    expect(await counts()).toEqual(right)
    expect(await wrongHours(env, DAY)).toEqual([])
    const writes = vi.spyOn(env.DB, 'batch')
    await recountJobs(env, DAY)
    expect(writes).not.toHaveBeenCalled()
    writes.mockRestore()
  })

  it('is right afterwards even if rows change during the recount', async () => {
    const rows = Array.from({ length: 30 }, () => row())
    await upsertJobs(env.DB, rows)
    await env.DB.prepare('update job_counts set created = 7 where hour = ?').bind(HOUR).run()
    await Promise.all([
      recountJobs(env, DAY),
      ...rows.map((each) => upsertJobs(env.DB, [paid(each)])),
      recountJobs(env, DAY),
    ])
    expect(await wrongHours(env, DAY)).toEqual([])
    expect(await counts()).toMatchObject([{ created: 30, success: 30 }])
  })

  it('is counted in the shard that has the rows', async () => {
    await openShards()
    const one = row({ pos: posAt(0) })
    await writeRows(SHARDED, [one])
    expect(await counts(env.INDEX_2)).toMatchObject([{ created: 1 }])
    await env.INDEX_2.prepare('delete from job_counts').run()
    expect(await wrongHours(SHARDED, DAY)).toEqual([HOUR])
    await recountJobs(SHARDED, DAY)
    expect(await counts(env.INDEX_2)).toMatchObject([{ created: 1 }])
    expect(await counts()).toEqual([])
  })
})

it('a row that is replaced is counted by its stored values', async () => {
  const truth = paid(row())
  const wrong = { ...truth, account: 'wrong', paid: 7, sequence: 9 }
  await upsertJobs(env.DB, [wrong])
  await replaceRows(env, [wrong], [truth])
  expect(await counts()).toEqual([{ account: 'sandbox', created: 1, success: 1, paid: 1250, paid_in_20: 1 }])
})
