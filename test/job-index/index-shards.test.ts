import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobRow } from '../../src/job/core/row.ts'
import { consumeJobIndex, purgeCounts } from '../../src/job-index/consume-rows.ts'
import wranglerToml from '../../wrangler.toml?raw'
import { parseShards, shardsOf } from '../../src/job-index/index-shards.ts'
import { jobsByTime, rowsOf } from '../../src/job-index/job-index.ts'
import { batchOf } from '../support/hub/queue.ts'
import {
  EARLY,
  LATE,
  LATER,
  SHARDED,
  brokenDatabase,
  openShards,
  placesOf,
  row,
} from '../support/hub/shards.ts'

let logged: string[]
beforeAll(openShards)
beforeEach(() => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((entry) => void logged.push(JSON.stringify(entry)))
})

function rowMessage(changed: JobRow) {
  return { row: changed, listed: false }
}
function purgeMessage({ id, created, pos }: JobRow) {
  return { forgotten: { id, created, pos } }
}

async function consume(bodies: unknown[], hub: Cloudflare.Env = SHARDED) {
  const batch = batchOf(bodies, 'payment-hub-job-index')
  await consumeJobIndex(batch.batch, hub)
  return { acked: batch.acked(), retried: batch.retried() }
}

function rows() {
  return {
    early: row({ created: EARLY }),
    first: row({ created: LATE }),
    second: row({ created: LATER }),
  }
}

describe('rows of one batch', () => {
  it('each go to the shard of their time', async () => {
    const { early, first, second } = rows()
    expect(await consume([early, first, second].map(rowMessage))).toEqual({ acked: 3, retried: 0 })
    expect(await Promise.all([early, first, second].map(({ id }) => placesOf(id)))).toEqual([
      ['DB'],
      ['INDEX_1'],
      ['INDEX_2'],
    ])
    expect(await rowsOf(SHARDED, [first, early, second])).toHaveLength(3)
  })

  it('are written to the other shards while one is down, and wait for that one in the queue', async () => {
    const { early, first, second } = rows()
    const bodies = [early, first, second].map((changed) => ({ row: changed, listed: true }))
    expect(await consume(bodies, { ...SHARDED, INDEX_1: brokenDatabase() })).toEqual({ acked: 2, retried: 1 })
    expect(await Promise.all([early, first, second].map(({ id }) => placesOf(id)))).toEqual([
      ['DB'],
      [],
      ['INDEX_2'],
    ])
    expect(logged.join()).toContain('D1 DB is overloaded')
    expect(await consume(bodies)).toEqual({ acked: 3, retried: 0 })
    expect(await placesOf(first.id)).toEqual(['INDEX_1'])
  })

  it.each([
    ['DB; 2020-13: INDEX_1', 'INDEX_SHARDS cannot be read: \\"2020-13\\" is neither a month'],
    ['DB; 2020-01: INDEX_9', 'INDEX_SHARDS names INDEX_9, but wrangler.toml binds no D1 database'],
    ['DB; 2020-01: TOKENS', 'INDEX_SHARDS names TOKENS, but wrangler.toml binds no D1 database'],
  ])('all wait in the queue while INDEX_SHARDS is %j, and the log says why', async (wrong, why) => {
    const one = row({ created: EARLY })
    expect(await consume([rowMessage(one)], { ...env, INDEX_SHARDS: wrong })).toEqual({
      acked: 0,
      retried: 1,
    })
    expect(logged.join()).toContain(why)
    expect(await placesOf(one.id)).toEqual([])
  })
})

it('the row of a purged job leaves its shard, and is counted once', async () => {
  // This test has its own day, because purges are counted by day and other files purge jobs too.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 4, 5) })
  const countedRows = async () => (await purgeCounts(env.DB)).find(({ day }) => day === '2031-05-05')?.rows
  const { early, first, second } = rows()
  await consume([early, first, second].map(rowMessage))
  await consume([first, second].map(purgeMessage))
  expect(await Promise.all([early, first, second].map(({ id }) => placesOf(id)))).toEqual([['DB'], [], []])
  expect(await countedRows()).toBe(2)
  await consume([purgeMessage(first)])
  expect(await countedRows()).toBe(2)
  vi.useRealTimers()
})

it('undelivered reports are found in all shards, oldest first, and no more than requested', async () => {
  const given = [
    row({ created: EARLY, givenUpAt: 1002 }),
    row({ givenUpAt: 1001 }),
    row({ created: LATER, givenUpAt: 1003 }),
    row({ givenUpAt: 1004 }),
  ]
  await consume([...given, row(), row({ givenUpAt: 5000 })].map(rowMessage))
  const times = async (from: number, to: number, limit: number) =>
    (await jobsByTime(SHARDED, 'givenUpAt', { from, to, limit })).map(({ givenUpAt }) => givenUpAt)
  expect(await times(1000, 2000, 10)).toEqual([1001, 1002, 1003, 1004])
  expect(await times(1000, 2000, 3)).toEqual([1001, 1002, 1003])
  expect(await times(1003, 1004, 10)).toEqual([1003, 1004])
})

it('INDEX_SHARDS in wrangler.toml can be read, and names databases that are bound', () => {
  const [, INDEX_SHARDS = ''] = /^INDEX_SHARDS = "(.*)"$/m.exec(wranglerToml) ?? []
  expect(() => shardsOf({ ...env, INDEX_SHARDS }, { from: 0, to: Infinity })).not.toThrow()
})

function micros(day: string) {
  return Date.parse(`${day}T00:00:00Z`) * 1000
}

describe('INDEX_SHARDS is read', () => {
  it.each([
    ['DB', [[-Infinity, 'DB']]],
    [
      'DB;2027-01-15:DB ;\n 2028-02-29 : INDEX_1',
      [
        [micros('2028-02-29'), 'INDEX_1'],
        [micros('2027-01-15'), 'DB'],
        [-Infinity, 'DB'],
      ],
    ],
  ])('%j', (text, shards) => {
    const read = parseShards(text)
    expect(read.ok && read.value.map(({ from, name }) => [from, name])).toEqual(shards)
  })

  it.each([
    ['', '"" names no D1 binding'],
    ['DB;', '"" names no D1 binding'],
    ['DB; 2027-01: ', '"2027-01:" names no D1 binding'],
    ['DB; 2027-01: INDEX_1 INDEX_2', '"2027-01: INDEX_1 INDEX_2" names no D1 binding'],
    ['DB; 2027-01: 1INDEX', '"2027-01: 1INDEX" names no D1 binding'],
    ['DB; 2027-01-01T10:00: INDEX_1', '"2027-01-01T10:00: INDEX_1" names no D1 binding'],
    ['DB; 2027: INDEX_1', '"2027" is neither a month such as 2027-01'],
    ['DB; 2027-02-29: INDEX_1', '"2027-02-29" is neither a month'],
    ['DB; INDEX_1', '"INDEX_1" must begin later'],
    ['2027-01: DB', '"2027-01: DB" must begin later'],
    ['DB; 2028-01: A; 2027-01: B', '"2027-01: B" must begin later'],
    ['DB; 2027-01: A; 2027-01-01: B', '"2027-01-01: B" must begin later'],
  ])('%j is refused: %s', (text, error) => {
    const read = parseShards(text)
    expect(read.ok ? '' : read.error).toContain(`INDEX_SHARDS cannot be read: ${error}`)
  })
})

describe('the shards of a span, newest first, are', () => {
  const change = micros('2020-01-01')
  it.each([
    ['the first one before the next one begins', 0, change, ['DB']],
    ['all that the span touches', 0, change + 1, ['INDEX_1', 'DB']],
    ['the one that begins with the span', change, change + 1, ['INDEX_1']],
    ['two if the span begins just before the second', change - 1, change + 1, ['INDEX_1', 'DB']],
    ['all', -Infinity, Infinity, ['INDEX_2', 'INDEX_1', 'DB']],
  ])('%s', (_, from, to, names) => {
    const databases = new Map<D1Database, string>([
      [env.DB, 'DB'],
      [env.INDEX_1, 'INDEX_1'],
      [env.INDEX_2, 'INDEX_2'],
    ])
    expect(shardsOf(SHARDED, { from, to }).map((database) => databases.get(database))).toEqual(names)
  })
})
