import { ok } from '../contract/result.ts'
import type { PartHealth } from '../contract/hub-health.ts'
import { databaseOf, shardNames } from '../job-index/index-shards.ts'
import { callJob } from '../job/call-job.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { type Handler, routes } from '../platform/http/routes.ts'
import type { Health } from '../contract/pos-operations.ts'
import { backupAge, backupBucket, lastBackup } from '../backup/bucket.ts'
import { lostRegistry } from '../registry/lost-registry.ts'
import { VERSION } from '../platform/version.ts'

/** The newest file of `migrations/`. A database without it lacks tables that this release reads. */
export const NEWEST_MIGRATION = '0007_terminals.sql'

export function newestMigrationOf(database: D1Database): Promise<string | null> {
  return database.prepare('select name from d1_migrations order by id desc limit 1').first<string>('name')
}

/** How long (ms) a part may take to answer; from `SLOW` on it is slow. */
const DEADLINE = 3000
const SLOW = 1000
/** A queue is slow from this age (ms) of its oldest message on. */
const OLD_MESSAGE = 10 * 60_000

type Finding = Pick<PartHealth, 'message'> & { state?: PartHealth['state'] }

const FINE: Finding = { message: null }

/** Checks a part for a limited time. Returns its fault as a finding, and never throws. */
export async function lookAt(
  part: string,
  look: () => Promise<Finding>,
  deadline = DEADLINE,
): Promise<PartHealth> {
  const start = Date.now()
  const found = (await within(deadline, findOut(part, look))) ?? {
    state: 'failing',
    message: `did not answer within ${deadline / 1000} seconds`,
  }
  const milliseconds = Date.now() - start
  const state = found.state ?? (milliseconds > SLOW ? 'slow' : 'working')
  return { part, state, milliseconds, message: found.message }
}

async function findOut(part: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    log.fault('health.part-failed', error, { part })
    return { state: 'failing', message: 'answers with an error: the log has health.part-failed' }
  }
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

/** Looks at all parts. `tellLost` learns whether the registry is lost, and not just silent. */
export function partsOf(env: Env, tellLost?: (isLost: boolean) => void): Promise<PartHealth>[] {
  const bucket = backupBucket(env)
  return [
    lookAt('KV', async () => {
      await env.TOKENS.get('health')
      return FINE
    }),
    // No job has this id: reading it writes nothing.
    lookAt('payment jobs', async () => {
      await callJob(env, 'health', (stub) => stub.read())
      return FINE
    }),
    lookAt('registry', async () => {
      const lost = await lostRegistry(env)
      tellLost?.(lost !== null)
      return lost ? { state: 'failing', message: lost.message } : FINE
    }),
    ...databasesOf(env).map((name) => lookAt(`D1 ${name}`, () => lookAtDatabase(env, name))),
    ...(bucket ? [lookAt('backups', () => lookAtBackups(bucket))] : []),
    ...QUEUES.map((name) => lookAt(`queue ${name}`, () => lookAtQueue(env[name]))),
  ]
}

function databasesOf(env: Env): string[] {
  const names = shardNames(env)
  return [...new Set(['DB', ...(names.ok ? names.value : [])])]
}

async function lookAtDatabase(env: Env, name: string): Promise<Finding> {
  const newest = await newestMigrationOf(databaseOf(env, name))
  if (newest === null || newest < NEWEST_MIGRATION) {
    const message = `its newest migration is ${newest ?? 'none'}, and this release needs ${NEWEST_MIGRATION}: deploy again`
    return { state: 'failing', message }
  }
  const names = shardNames(env)
  return name === 'DB' && !names.ok ? { state: 'failing', message: names.error } : FINE
}

async function lookAtBackups(bucket: R2Bucket): Promise<Finding> {
  const { isLate, message } = await backupAge(bucket, Date.now())
  return isLate ? { state: 'failing', message } : { message }
}

/** Reads a queue's backlog and its age from Cloudflare. The local run has neither. */
async function lookAtQueue(queue: Queue): Promise<Finding> {
  if (typeof queue.metrics !== 'function')
    return { state: 'unknown', message: 'this runtime tells nothing of its queues' }
  const { backlogCount, oldestMessageTimestamp: oldest } = await queue.metrics()
  if (backlogCount === 0) return { message: 'nothing waits' }
  const message = `${backlogCount} messages wait${oldest ? `, the oldest since ${oldest.toISOString()}` : ''}`
  const isOld = oldest !== undefined && Date.now() - oldest.getTime() > OLD_MESSAGE
  return isOld ? { state: 'slow', message } : { message }
}

/** How long (ms) a monitor waits for storage. */
const LONGEST = 2000

/** Looks once a minute at most, because anyone may ask. Null if that fails or takes too long. */
function seldom<Found>(part: string, look: (env: Env) => Promise<Found>) {
  const known = bounded<{ found: Found | null }>(MINUTE)
  const lookNow = async (env: Env): Promise<Found | null> => {
    try {
      return await look(env)
    } catch (error) {
      log.fault('health.part-failed', error, { part })
      return null
    }
  }
  return async (env: Env): Promise<Found | null> => {
    const before = known.get(part)
    if (before) return before.found
    const found = await within(LONGEST, lookNow(env))
    known.set(part, { found })
    return found
  }
}

const lostSeldom = seldom('registry', lostRegistry)
const lastBackupSeldom = seldom('backups', async (env) => {
  const bucket = backupBucket(env)
  return bucket && lastBackup(bucket, Date.now())
})

/** Answers whether the hub works, its release, and its last backup. */
const showHealth: Handler = async (_, { env }) => {
  const [lost, backup] = await Promise.all([lostSeldom(env), backupBucket(env) && lastBackupSeldom(env)])
  const health: Health = {
    status: lost ? 'failing' : 'ok',
    version: VERSION,
    ...(lost ? { registry: 'lost' } : {}),
    ...(backup === null ? {} : { lastBackup: backup.toISOString() }),
  }
  return ok(Response.json(health, lost ? { status: 503, headers: { 'retry-after': '60' } } : {}))
}

export const health = routes((table) => table.get('/healthz', showHealth))
