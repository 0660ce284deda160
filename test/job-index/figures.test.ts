import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { countedJobs } from '../../src/job-index/counters.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { EARLY, LATE, SHARDED, brokenDatabase, openShards, posAt, row } from '../support/hub/shards.ts'

const HOUR = 3_600_000_000

it('figures come from the shards with payments of the span, and no other shard is asked', async () => {
  await openShards()
  const pos = [posAt(0), posAt(1)]
  for (const database of [env.DB, env.INDEX_1, env.INDEX_2]) {
    await database
      .prepare('delete from job_counts where pos in (select value from json_each(?))')
      .bind(JSON.stringify(pos))
      .run()
  }
  await writeRows(SHARDED, [
    row({ created: EARLY, pos: posAt(0) }),
    row({ created: LATE, pos: posAt(0) }),
    row({ created: LATE, pos: posAt(1) }),
  ])
  const counted = async (from: number, to: number, hub = SHARDED) => {
    const wanted = {
      by: 'pos',
      from: from / HOUR,
      to: to / HOUR,
      pos,
      account: undefined,
      method: undefined,
    } as const
    return (await countedJobs(hub, wanted)).map(({ key, counts }) => [key, counts.created])
  }
  expect(await counted(EARLY, EARLY + HOUR)).toEqual([[posAt(0), 1]])
  const withoutEarly = { ...SHARDED, DB: brokenDatabase() }
  expect(await counted(LATE, LATE + HOUR, withoutEarly)).toEqual(pos.map((one) => [one, 1]))
  expect(await counted(EARLY, LATE + HOUR)).toEqual([
    [posAt(0), 1],
    [posAt(1), 1],
    [posAt(0), 1],
  ])
})
