import type { RegistryRow } from '../contract/backup.ts'
import { DAY, HOUR } from '../contract/timestamp.ts'
import { jobCounts } from '../registry/schema.ts'
import { insertMissing } from '../registry/rows.ts'
import { atShards, inShards } from './index-shards.ts'

type Row = RegistryRow['row']

/** Reads the counters of a day's (`2026-01-31`) purged jobs, which have no rows any more. */
export async function purgedCounts(env: Env, day: string): Promise<Row[]> {
  const from = Date.parse(`${day}T00:00:00Z`)
  return inShards(
    env,
    async (database) => {
      const found = database
        .prepare('select * from job_counts where hour >= ? and hour < ? and purged = 1')
        .bind(from / HOUR, (from + DAY) / HOUR)
      return (await found.all<Row>()).results
    },
    { from: from * 1000, to: (from + DAY) * 1000 },
  )
}

/** Writes missing counters. Counters that are there stay: they may have gone on. */
export async function restorePurgedCounts(env: Env, rows: readonly Row[]): Promise<void> {
  const placed = rows.map((row) => ({ created: Number(row['hour']) * HOUR * 1000, row }))
  await atShards(env, placed, (database, there) =>
    insertMissing(
      database,
      jobCounts,
      there.map(({ row }) => row),
    ),
  )
}
