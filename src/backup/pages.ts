import type * as v from 'valibot'
import { auditLog } from '../audit/audit-log.ts'
import type { JobsBackup, StoredAuditEntry, StoredJob } from '../contract/backup.ts'
import { purgedCounts } from '../job-index/counters.ts'
import { directoryPage } from '../job-index/job-directory.ts'
import { callJob } from '../job/call-job.ts'

/** The most jobs on a page. Each is a call to its object, and a request may make a thousand calls. */
const JOBS = 200
const ENTRIES = 1000

export async function auditPage(
  env: Env,
  after: string,
): Promise<{ entries: StoredAuditEntry[]; next: string | null }> {
  const entries = await auditLog(env).backUp(Number(after), ENTRIES)
  return { entries, next: entries.length < ENTRIES ? null : String(entries.at(-1)?.number) }
}

/** Returns a page of a day's jobs. The last page has the figures of purged jobs, which have no line. */
export async function jobsPage(
  env: Env,
  day: string,
  after: string | null,
): Promise<Pick<v.InferOutput<typeof JobsBackup>, 'jobs' | 'counts' | 'next'>> {
  const { ids, next } = await directoryPage(env, day, after, JOBS)
  const all = await Promise.all(
    ids.map(async (id) => ({
      id,
      stored: await callJob<StoredJob['stored']>(env, id, async (stub) => stub.backUp()),
    })),
  )
  const counts = next === null ? await purgedCounts(env, day) : []
  return { jobs: all.filter(({ stored }) => stored.length > 0), counts, next }
}
