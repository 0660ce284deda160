import type { Restored, AuditBackup, JobsBackup, StoredJob } from '../contract/backup.ts'
import { type Result, refuse } from '../contract/result.ts'
import { auditLog } from '../audit/audit-log.ts'
import { restoreToDirectory, directoryPage } from '../job-index/job-directory.ts'
import { writeRows } from '../job-index/job-index.ts'
import { restorePurgedCounts, purgedCounts } from '../job-index/counters.ts'
import { callJob, callReadableJob, lookUp } from '../job/call-job.ts'
import { rowOf } from '../job/core/row.ts'
import { type Refusal, invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { accountCopyOf, publishAfter } from '../registry/publish-after.ts'
import { registryPage, restoreRegistryRows, unknownColumns } from '../registry/rows.ts'
import { type OperatorHandler, changed } from './serve.ts'
import type * as v from 'valibot'

const NO_PAGE = 'must be the `next` of the page before'

export const backUpRegistry: OperatorHandler<'backUpRegistry'> = async ({ env, query: { after = null } }) => {
  const page = await registryPage(env.DB, after)
  if (page === null) return invalidField('after', NO_PAGE)
  return changed(page, { subject: 'registry', after: { rows: page.rows.length } })
}

export const backUpAudit: OperatorHandler<'backUpAudit'> = async ({ env, query: { after = '0' } }) => {
  if (!/^\d{1,15}$/.test(after)) return invalidField('after', NO_PAGE)
  const page = await auditPage(env, after)
  return changed(page, { subject: 'audit', after: { entries: page.entries.length } })
}

export const backUpJobs: OperatorHandler<'backUpJobs'> = async ({ env, params: { day }, query }) => {
  const page = await jobsPage(env, day, query.after ?? null)
  return changed(page, { subject: day, after: { jobs: page.jobs.length } })
}

/** Goes on in the hub itself, too: its accounts pay out, and its jobs are purged. */
const GOES_ON = new Set(['purges', 'payouts', 'payout_lines'])

export const restoreRegistry: OperatorHandler<'restoreRegistry'> = async ({ env, body: { rows } }) => {
  for (const [at, row] of rows.entries()) {
    const [column] = unknownColumns(row)
    if (column !== undefined)
      return invalidField(`rows.${at}`, `has ${row.table}.${column}, which this release does not know`)
  }
  const copies = rows.flatMap(({ table, row }) => {
    const id = table === 'points_of_sale' ? row['id'] : row['pos']
    if (table === 'psp_accounts') return [accountCopyOf(String(row['id']))]
    return typeof id === 'string' ? [{ pos: id }] : []
  })
  const byPos = new Map(copies.map((copy) => [`${copy.pos} ${copy.account ?? ''}`, copy]))
  const total: Restored = { written: 0, there: 0 }
  const conflict = await publishAfter(env, [...byPos.values()], async () => {
    for (const [table, given] of Map.groupBy(rows, (row) => row.table)) {
      const inserted = await restoreRegistryRows(
        env.DB,
        table,
        given.map(({ row }) => row),
      )
      if (inserted === null || (inserted.right < given.length && !GOES_ON.has(table))) return table
      total.written += inserted.written
      total.there += given.length - inserted.written
    }
    return null
  })
  if (conflict !== null) return other(`The hub has other rows in ${conflict} than the backup.`)
  return changed(total, { subject: 'registry', after: { rows: total.written } })
}

export const restoreAudit: OperatorHandler<'restoreAudit'> = async ({ env, body: { entries } }) => {
  const restored = await auditLog(env).restore(entries)
  return restored.ok
    ? reply({ written: restored.value, there: entries.length - restored.value })
    : other(`The audit log of the hub is not that of the backup: entry ${restored.error}.`)
}

/** The directory first, so that the index never has a job that could not be found again. */
export const restoreJobs: OperatorHandler<'restoreJobs'> = async ({ env, params: { day }, body }) => {
  const { jobs, counts } = body
  await restoreToDirectory(
    env,
    day,
    jobs.map(({ id }) => id),
  )
  const outcomes = await Promise.all(
    jobs.map(({ id, stored }) => callJob(env, id, (stub) => stub.restore(stored))),
  )
  const conflict = jobs.find((_, at) => outcomes[at] === 'other')
  if (conflict) return other(`The hub has job ${conflict.id}, and it is not that of the backup.`)
  const states = await Promise.all(jobs.map(({ id }) => callReadableJob(env, id, (stub) => stub.read())))
  await writeRows(
    env,
    states.flatMap((job) => (job === null || job === 'unreadable' ? [] : [rowOf(job)])),
  )
  // A tombstone sets its alarm when somebody looks its job up.
  await Promise.all(jobs.flatMap(({ id }, at) => (states[at] === null ? [lookUp(env, id)] : [])))
  await restorePurgedCounts(env, counts)
  const written = outcomes.filter((outcome) => outcome === 'restored').length
  return changed({ written, there: jobs.length - written }, { subject: day, after: { jobs: written } })
}

function other(detail: string): Result<never, Refusal> {
  return refuse({ code: 'restore-conflict', detail })
}

/** Jobs of a page: each is a call to its object, of which a request may make a thousand. */
const JOBS = 200
/** Entries of the audit log on a page. */
const ENTRIES = 1000

/** The entries of the audit log after a number. */
export async function auditPage(env: Env, after: string): Promise<v.InferOutput<typeof AuditBackup>> {
  const entries = await auditLog(env).backUp(Number(after), ENTRIES)
  return { entries, next: entries.length < ENTRIES ? null : String(entries.at(-1)?.number) }
}

/** A job that is gone without a trace has no line. The last page has the figures of purged ones. */
export async function jobsPage(
  env: Env,
  day: string,
  after: string | null,
): Promise<v.InferOutput<typeof JobsBackup>> {
  const { ids, next } = await directoryPage(env, day, after, JOBS)
  const all = await Promise.all(
    [...new Set(ids)].map(async (id) => ({
      id,
      stored: await callJob<StoredJob['stored']>(env, id, async (stub) => stub.backUp()),
    })),
  )
  const counts = next === null ? await purgedCounts(env, day) : []
  return { jobs: all.filter(({ stored }) => stored.length > 0), counts, next }
}
