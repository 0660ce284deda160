import { ok } from '../contract/result.ts'
import type { PartHealth } from '../contract/hub-health.ts'
import { databaseOf, shardNames } from '../job-index/index-shards.ts'
import { bringRows } from '../job-index/release-rows.ts'
import { callJob } from '../job/call-job.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { type Handler, routes } from '../platform/http/routes.ts'
import type { Health } from '../contract/pos-operations.ts'
import { backupAge, backupBucket, lastBackup } from '../backup/bucket.ts'
import { knownLoss, lostRegistry } from '../registry/lost-registry.ts'
import { VERSION } from '../platform/version.ts'

/** The newest file in `migrations/`. A database without it lacks tables that this release reads. */
export const NEWEST_MIGRATION = '0012_payouts_returned.sql'

export function newestMigrationOf(database: D1Database): Promise<string | null> {
  return database.prepare('select name from d1_migrations order by id desc limit 1').first<string>('name')
}

/** A part that takes longer than this (ms) is failing; one that takes longer than `SLOW` is slow. */
const DEADLINE = 3000
const SLOW = 1000
/** A queue is slow if its oldest message is older than this (ms). */
const OLD_MESSAGE = 10 * 60_000

type PartState = Pick<PartHealth, 'message'> & { state?: PartHealth['state'] }

const FINE: PartState = { message: null }
const FAILED: PartState = {
  state: 'failing',
  message: 'answered with an error: look for health.part-failed in the log',
}

/** Returns what a look at a part finds. If that throws, the log says why, and `otherwise` counts. */
async function foundOr<Found>(otherwise: Found, part: string, look: () => Promise<Found>): Promise<Found> {
  try {
    return await look()
  } catch (error) {
    log.fault('health.part-failed', error, { part })
    return otherwise
  }
}

/** Checks a part within a deadline (ms). Never throws: a fault is the part's state. */
export async function lookAt(
  part: string,
  look: () => Promise<PartState>,
  deadline = DEADLINE,
): Promise<PartHealth> {
  const start = Date.now()
  const found = (await within(deadline, foundOr(FAILED, part, look))) ?? {
    state: 'failing',
    message: `did not answer within ${deadline / 1000} seconds`,
  }
  const milliseconds = Date.now() - start
  const state = found.state ?? (milliseconds > SLOW ? 'slow' : 'working')
  return { part, state, milliseconds, message: found.message }
}

const QUEUES = [
  'REPORTS',
  'REPORTS_DEAD',
  'JOB_INDEX',
  'COPIES',
  'SWEEPS',
  'BOOKS',
  'ALERTS',
  'BACKUPS',
] as const

/** Looks at all parts. Calls `onLost` with whether the registry is lost, unless D1 does not answer. */
export function lookAtParts(env: Env, onLost?: (isLost: boolean) => void): Promise<PartHealth>[] {
  const bucket = backupBucket(env)
  return [
    lookAt('KV', async () => {
      await env.TOKENS.get('health')
      return FINE
    }),
    // No job has this id, so the read writes nothing.
    lookAt('payment jobs', async () => {
      await callJob(env, 'health', (stub) => stub.read())
      return FINE
    }),
    lookAt('registry', async () => {
      const lost = await lostRegistry(env)
      onLost?.(lost !== null)
      return lost ? { state: 'failing', message: lost.message } : FINE
    }),
    ...databasesOf(env).map((name) => lookAt(`D1 ${name}`, () => lookAtDatabase(env, name))),
    ...(bucket ? [lookAt('backups', () => lookAtBackups(bucket))] : []),
    ...QUEUES.map((name) => lookAt(`queue ${name}`, () => lookAtQueue(env[name]))),
  ]
}

/** Looks at the rows of the index, and begins to bring them to this release if no schedule has yet. */
export function lookAtRows(env: Env): Promise<PartHealth> {
  return lookAt('index', async () => {
    const day = await bringRows(env, Date.now())
    return day === null ? FINE : { message: `writes the rows of stored payments for this release: at ${day}` }
  })
}

function databasesOf(env: Env): string[] {
  const names = shardNames(env)
  return [...new Set(['DB', ...(names.ok ? names.value : [])])]
}

async function lookAtDatabase(env: Env, name: string): Promise<PartState> {
  const newest = await newestMigrationOf(databaseOf(env, name))
  if (newest === null || newest < NEWEST_MIGRATION) {
    const message = `its newest migration is ${newest ?? 'none'}, and this release needs ${NEWEST_MIGRATION}: deploy again`
    return { state: 'failing', message }
  }
  const names = shardNames(env)
  return name === 'DB' && !names.ok ? { state: 'failing', message: names.error } : FINE
}

async function lookAtBackups(bucket: R2Bucket): Promise<PartState> {
  const { isLate, message } = await backupAge(bucket, Date.now())
  return isLate ? { state: 'failing', message } : { message }
}

/** Reads a queue's backlog and its age from Cloudflare. The local run knows neither. */
async function lookAtQueue(queue: Queue): Promise<PartState> {
  if (typeof queue.metrics !== 'function')
    return { state: 'unknown', message: 'this runtime does not report on its queues' }
  const { backlogCount, oldestMessageTimestamp: oldest } = await queue.metrics()
  if (backlogCount === 0) return { message: 'no messages wait' }
  const message = `${backlogCount} messages wait${oldest ? `, the oldest since ${oldest.toISOString()}` : ''}`
  const isOld = oldest !== undefined && Date.now() - oldest.getTime() > OLD_MESSAGE
  return isOld ? { state: 'slow', message } : { message }
}

/** A request to `/healthz` waits this long (ms) for storage. */
const LONGEST = 2000

const lastBackups = bounded<{ found: Date | null }>(MINUTE)

/** Looks at most once a minute, because anyone may ask. Null if that fails or takes too long. */
async function lastBackupSeldom(bucket: R2Bucket): Promise<Date | null> {
  const before = lastBackups.get('last')
  if (before) return before.found
  const look = foundOr<Date | null>(null, 'backups', () => lastBackup(bucket, Date.now()))
  const found = await within(LONGEST, look)
  lastBackups.set('last', { found })
  return found
}

/** Answers with the hub's state, its release, and the time of its last backup. */
const showHealth: Handler = async (_, { env }) => {
  const bucket = backupBucket(env)
  const [lost, backup] = await Promise.all([
    within(LONGEST, knownLoss(env)),
    bucket && lastBackupSeldom(bucket),
  ])
  const health: Health = {
    status: lost ? 'failing' : 'ok',
    version: VERSION,
    ...(lost ? { registry: 'lost' } : {}),
    ...(backup === null ? {} : { lastBackup: backup.toISOString() }),
  }
  return ok(Response.json(health, lost ? { status: 503, headers: { 'retry-after': '60' } } : {}))
}

export const health = routes((table) => table.get('/healthz', showHealth))
