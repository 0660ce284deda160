import { beforeAll, expect, it } from 'vitest'
import { writeRows } from '../../src/job-index/job-index.ts'
import { announceCounts } from '../../src/job-index/weather.ts'
import { EARLY, LATE, SHARDED, openShards, posAt, row } from '../support/shards.ts'

beforeAll(openShards)

function hourOf(micros: number): number {
  return Math.floor(micros / 3_600_000_000)
}

it('how orders were taken is counted over all shards of its hours', async () => {
  const account = `counted-${crypto.randomUUID().slice(0, 8)}`
  const rows = [
    row({ account, pos: posAt(0), announcedIn: 200 }),
    row({ account, pos: posAt(1), announcedIn: 300, paymentMethod: 'IDEAL' }),
    row({ account, pos: posAt(0), announcedIn: 200, created: EARLY, updated: EARLY }),
  ]
  await writeRows(SHARDED, rows)
  const countsOf = async (hour: number) =>
    (await announceCounts(SHARDED, hour, hour + 1)).filter((counts) => counts.account === account)
  const late = await countsOf(hourOf(LATE))
  expect(late).toHaveLength(1)
  for (const counts of late)
    expect(counts).toMatchObject({ method: 'ideal', missed: 0, lastHour: hourOf(LATE) })
  const times = late.map((counts) => counts.times)
  expect(times.flat().reduce((sum, count) => sum + count, 0)).toBe(2)
  expect(await countsOf(hourOf(EARLY))).toHaveLength(1)
  expect(await countsOf(hourOf(LATE) + 1)).toEqual([])
})
