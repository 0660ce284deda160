import type { RegistryRow, Restored } from '../contract/backup.ts'
import { type Result, refuse } from '../contract/result.ts'
import { type TakenAway, auditLog } from '../audit/audit-log.ts'
import { restoreToDirectory } from '../job-index/job-directory.ts'
import { writeRows } from '../job-index/job-index.ts'
import { isPurgedCount, restorePurgedCounts } from '../job-index/counters.ts'
import { callJob, callReadableJob } from '../job/call-job.ts'
import { auditPage, jobsPage } from '../backup/pages.ts'
import { unfitParts } from '../backup/unfit-parts.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { currentRequestId } from '../platform/request-context.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { rowOf } from '../job/core/row.ts'
import { type Refusal, invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { accountCopyOf, publishAfter } from '../registry/publish-after.ts'
import { endSessionsUntil } from '../registry/operator-tokens.ts'
import { unfitColumn } from '../backup/row-forms.ts'
import {
  GOES_ON,
  isRegistryEmpty,
  endTokens,
  registryPage,
  restoreRegistryRows,
  thereIn,
} from '../backup/registry-rows.ts'
import { asLeft } from '../backup/as-left.ts'
import { TAKING } from '../backup/taken-away.ts'
import { fingerprintOf } from './accounts.ts'
import { sessionEnd } from './authenticate.ts'
import { type OperatorHandler, changed } from './serve.ts'

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

/** Refuses a restore into a hub that has made a change of its own. `isLost`: D1 is empty; null for the other parts. */
async function refusalOf(env: Env, isLost: boolean | null): Promise<Result<never, Refusal> | null> {
  const why = await auditLog(env).refusal(isLost)
  return why === null ? null : other(why)
}

export const restoreRegistry: OperatorHandler<'restoreRegistry'> = async ({ env, body: { rows } }) => {
  const works = await refusalOf(env, await isRegistryEmpty(env.DB))
  if (works) return works
  for (const [at, row] of rows.entries()) {
    const unfit = unfitColumn(row) ?? unknownPsp(row)
    if (unfit)
      return invalidField(`rows.${at}`, `must be as an operation writes it: ${unfit.column} ${unfit.why}`)
  }
  const isLogOlder = (await auditLog(env).refusal(null)) === null
  const left = await leftOf(env, rows, isLogOlder)
  const copies = left.rows.flatMap(({ table, row }) => {
    const id = table === 'points_of_sale' ? row['id'] : row['pos']
    if (table === 'psp_accounts') return [accountCopyOf(String(row['id']))]
    return typeof id === 'string' ? [{ pos: id }] : []
  })
  const byPos = new Map(copies.map((copy) => [`${copy.pos} ${copy.account ?? ''}`, copy]))
  const total: Restored = { written: 0, there: 0, leftOut: left.leftOut }
  const conflict = await publishAfter(env, [...byPos.values()], async () => {
    for (const [table, given] of Map.groupBy(left.rows, (row) => row.table)) {
      const theirs = given.map(({ row }) => row)
      const inserted = await restoreRegistryRows(env.DB, table, theirs)
      if (inserted === null || (inserted.right < given.length && !GOES_ON.has(table))) return table
      total.written += inserted.written
      total.there += given.length - inserted.written
    }
    const now = Date.now()
    await endSessionsUntil(env.DB, sessionEnd(now), now)
    if (isLogOlder) total.leftOut.push(...(await endTokens(env.DB, now)))
    return null
  })
  if (conflict !== null) return other(`The hub has other rows in ${conflict} than the backup.`)
  const { written, leftOut } = total
  const after = { rows: written, leftOut, digest: await digestOf(rows) }
  return changed(total, { subject: 'registry', after })
}

/** Refuses an account at a PSP that this release does not know. */
function unknownPsp({ table, row }: RegistryRow) {
  const isKnown = table !== 'psp_accounts' || Object.hasOwn(ADAPTERS, String(row['psp']))
  return isKnown ? null : { column: 'psp_accounts.psp', why: 'is a PSP that this release does not know' }
}

/**
 * Returns rows as the audit log left them. A log that comes from the backup as well says nothing of credentials that
 * were replaced later.
 */
async function leftOf(
  env: Env,
  rows: readonly RegistryRow[],
  isLogOlder: boolean,
): Promise<ReturnType<typeof asLeft>> {
  const changes: TakenAway[] = []
  for (let page: TakenAway[] | null = null; page === null || page.length > 0; changes.push(...page))
    page = await auditLog(env).takenAway(TAKING, changes.at(-1)?.number ?? 0)
  const isUseful = ({ action }: TakenAway) => !(isLogOlder && action === 'psp.rekey')
  const accounts = rows.flatMap(({ table, row }) => (table === 'psp_accounts' ? [row] : []))
  const credentials = await Promise.all(
    accounts.map(async ({ id, sealed }) => {
      const account = { id: String(id), sealed: String(sealed) }
      return [account.id, await fingerprintOf(env, account)] as const
    }),
  )
  return asLeft(rows, changes.filter(isUseful), new Map(credentials), await thereIn(env.DB))
}

export const restoreAudit: OperatorHandler<'restoreAudit'> = async ({ env, body }, operator) => {
  const works = await refusalOf(env, null)
  if (works) return works
  const { entries } = body
  const { name: by, role, via, token = '' } = operator
  const told = { by, role, via, token, action: 'restore.audit', subject: 'audit', result: 'done' } as const
  const record = { ...told, request: currentRequestId(), before: null, after: null, of: null }
  const restored = await auditLog(env).restore(entries, record)
  return restored.ok
    ? reply({ written: restored.value, there: entries.length - restored.value, leftOut: [] })
    : other(`The audit log of the hub is not that of the backup: entry ${restored.error}.`)
}

/** Writes the directory first, so that the index never has a job that cannot be found again. */
export const restoreJobs: OperatorHandler<'restoreJobs'> = async ({ env, params: { day }, body }) => {
  const works = await refusalOf(env, null)
  if (works) return works
  const { counts } = body
  const read = body.jobs.map((job) => ({ ...job, unfit: unfitParts(job, day, Date.now()) }))
  const wrong = read.findIndex(({ unfit }) => unfit?.is === 'broken')
  if (wrong >= 0) return invalidField(`jobs.${wrong}.stored`, read[wrong]?.unfit?.detail ?? '')
  const count = counts.findIndex((row) => !isPurgedCount(row, day))
  if (count >= 0) return invalidField(`counts.${count}`, `must be figures of purged jobs of ${day}`)
  const jobs = read.filter(({ unfit }) => unfit === null)
  const ids = jobs.map(({ id }) => id)
  await restoreToDirectory(env, day, ids)
  const outcomes = await Promise.all(
    jobs.map(({ id, stored }) => callJob(env, id, (stub) => stub.restore(stored))),
  )
  const conflict = jobs.find((_, at) => outcomes[at] === 'other')
  if (conflict) return other(`The hub has job ${conflict.id}, and it is not that of the backup.`)
  const states = await Promise.all(jobs.map(({ id }) => callReadableJob(env, id, (stub) => stub.read())))
  const rows = states.flatMap((job) => (job === null || job === 'unreadable' ? [] : [rowOf(job)]))
  await writeRows(env, rows)
  await restorePurgedCounts(env, counts)
  const written = outcomes.filter((outcome) => outcome === 'restored').length
  const leftOut = read.flatMap(({ id, unfit }) => (unfit ? [`job ${id}: ${unfit.detail}`] : []))
  const after = { jobs: written, leftOut, digest: await digestOf(body) }
  return changed({ written, there: jobs.length - written, leftOut }, { subject: day, after })
}

function digestOf(brought: unknown): Promise<string> {
  return sha256(JSON.stringify(brought))
}

function other(detail: string): Result<never, Refusal> {
  return refuse({ code: 'restore-conflict', detail })
}
