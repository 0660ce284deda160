import { type Origin, type RegistryRow, type Restored, jobLines } from '../contract/backup.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { type TakenAway, auditLog } from '../audit/audit-log.ts'
import { restoreToDirectory } from '../job-index/job-directory.ts'
import { writeRows } from '../job-index/job-index.ts'
import { isPurgedCount, restorePurgedCounts } from '../job-index/counters.ts'
import { callJob, callReadableJob } from '../job/call-job.ts'
import { auditPage, jobsPage } from '../backup/pages.ts'
import { unfitParts } from '../backup/unfit-parts.ts'
import { START, isHandedOut, pageAt, signatureOf, signed } from '../backup/origin.ts'
import { isoTime } from '../contract/timestamp.ts'
import { VERSION } from '../platform/version.ts'
import { unconfirmed } from './unconfirmed.ts'
import { equalInConstantTime, sha256 } from '../platform/crypto/hash.ts'
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

/** What the name of a part of jobs begins with: `jobs-2026-01-31`. */
const JOBS = 'jobs-'

/** Which page of a backup a request means: the first without `after`. */
type PageQuery = { after?: string | undefined; begun?: string | undefined }

/** Reads a page of a part, and signs its lines. Refuses an unknown `after`. */
async function handOut<Read extends { next: string | null }>(
  { SIGNING_ROOT: root }: Env,
  part: string,
  { after, begun = isoTime(Date.now()) }: PageQuery,
  read: (cursor: string | null) => Promise<Read | null>,
  linesOf: (page: Read) => readonly object[],
) {
  const first = { begun, part, cursor: null, from: START }
  const at = after === undefined ? first : await pageAt(root, part, after)
  const page = at && (await read(at.cursor))
  if (!page) return invalidField('after', 'must be the `next` of the page before')
  return ok({ ...page, ...(await signed(root, at, linesOf(page), page.next)) })
}

export const backUpRegistry: OperatorHandler<'backUpRegistry'> = async ({ env, query }) => {
  const read = (cursor: string | null) => registryPage(env.DB, cursor)
  const page = await handOut(env, 'registry', query, read, ({ rows }) => rows)
  return page.ok
    ? changed(page.value, { subject: 'registry', after: { rows: page.value.rows.length } })
    : page
}

export const backUpAudit: OperatorHandler<'backUpAudit'> = async ({ env, query }) => {
  const read = (cursor: string | null) => auditPage(env, cursor ?? '0')
  const page = await handOut(env, 'audit', query, read, ({ entries }) => entries)
  return page.ok
    ? changed(page.value, { subject: 'audit', after: { entries: page.value.entries.length } })
    : page
}

export const backUpJobs: OperatorHandler<'backUpJobs'> = async ({ env, params: { day }, query }) => {
  const read = (cursor: string | null) => jobsPage(env, day, cursor)
  const page = await handOut(env, JOBS + day, query, read, jobLines)
  return page.ok ? changed(page.value, { subject: day, after: { jobs: page.value.jobs.length } }) : page
}

export const signBackup: OperatorHandler<'signBackup'> = async ({ env, body: { parts } }) => {
  const signature = await signatureOf(env.SIGNING_ROOT, VERSION, parts)
  if (signature === null)
    return other('The hub did not hand out each of these parts to its end in that backup.')
  return changed(
    { release: VERSION, parts, signature },
    { subject: 'backup', after: { parts: parts.length } },
  )
}

export const checkBackup: OperatorHandler<'checkBackup'> = async ({ env, body }) => {
  const own = await signatureOf(env.SIGNING_ROOT, body.release, body.parts)
  return reply({ isOwn: own !== null && (await equalInConstantTime(own, body.signature)) })
}

/**
 * Refuses a restore into a hub that has made a change of its own, and lines that this hub did not hand out as their
 * `origin` says. Without one, nobody says where they come from. `isLost`: D1 is empty; null for the other parts.
 */
async function refusalOf(
  env: Env,
  isLost: boolean | null,
  part: string,
  lines: readonly object[],
  origin: Origin | undefined,
): Promise<Result<never, Refusal> | null> {
  const why = await auditLog(env).refusal(isLost)
  if (why !== null) return other(why)
  if (!origin || (await isHandedOut(env.SIGNING_ROOT, part, lines, origin))) return null
  return other(`These lines of ${part} are not what the hub handed out in the backup of ${origin.begun}.`)
}

export const restoreRegistry: OperatorHandler<'restoreRegistry'> = async ({
  env,
  body: { rows, origin },
}) => {
  const refused = await refusalOf(env, await isRegistryEmpty(env.DB), 'registry', rows, origin)
  if (refused) return refused
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
  const after = { rows: written, leftOut, digest: await digestOf(rows), isSigned: origin !== undefined }
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
  const { entries, origin } = body
  const refused = await refusalOf(env, null, 'audit', entries, origin)
  if (refused) return refused
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
  const { counts, origin } = body
  const refused = await refusalOf(env, null, JOBS + day, jobLines(body), origin)
  if (refused) return refused
  const read = body.jobs.map((job) => ({ ...job, unfit: unfitParts(job, day, Date.now()) }))
  const wrong = read.findIndex(({ unfit }) => unfit?.is === 'broken')
  if (wrong >= 0) return invalidField(`jobs.${wrong}.stored`, read[wrong]?.unfit?.detail ?? '')
  const count = counts.findIndex((row) => !isPurgedCount(row, day))
  if (count >= 0) return invalidField(`counts.${count}`, `must be figures of purged jobs of ${day}`)
  const whole = read.filter(({ unfit }) => unfit === null)
  const unproven = origin ? new Map<string, string>() : await unconfirmed(env, whole)
  const jobs = whole.filter(({ id }) => !unproven.has(id))
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
  const leftOut = read.flatMap(({ id, unfit }) => {
    const why = unfit?.detail ?? unproven.get(id)
    return why === undefined ? [] : [`job ${id}: ${why}`]
  })
  const after = { jobs: written, leftOut, digest: await digestOf(body), isSigned: origin !== undefined }
  return changed({ written, there: jobs.length - written, leftOut }, { subject: day, after })
}

function digestOf(brought: unknown): Promise<string> {
  return sha256(JSON.stringify(brought))
}

function other(detail: string): Result<never, Refusal> {
  return refuse({ code: 'restore-conflict', detail })
}
