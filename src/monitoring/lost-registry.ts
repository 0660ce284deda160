import { auditLog } from '../audit/audit-log.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { hasPointsOfSale, namedPos } from '../registry/points-of-sale.ts'

/** How many points of sale the check looks for: the newest in the audit log. */
const NEWEST = 20

const WAY_BACK = 'Bring D1 back with Time Travel, or with restore --only registry: docs/operating/backup.md'

/**
 * Returns what D1 lacks that the audit log names: D1 was lost, or is back at an earlier day. Null
 * if nothing is missing: points of sale are never removed. Where D1 has some, ignores all before
 * the newest restore, whose operator knows.
 */
export async function lostRegistry(env: Env): Promise<string | null> {
  if (!(await hasPointsOfSale(env.DB))) {
    const [made] = await doneSince(env, 'pos.create', 0)
    return made ? `D1 has no point of sale, and the audit log tells of some. ${WAY_BACK}` : null
  }
  const [restored = 0] = await doneSince(env, 'restore.registry', 0).then((done) => done.map(([at]) => at))
  const made = (await doneSince(env, 'pos.create', restored)).map(([, subject]) => subject)
  const there = await namedPos(env.DB, made)
  const lost = made.filter((id) => !there.has(id))
  return lost.length === 0
    ? null
    : `D1 lacks points of sale that the audit log tells of: ${lost.join(', ')}. ${WAY_BACK}`
}

/** Returns the newest changes of a kind after an entry: their numbers and subjects. */
async function doneSince(env: Env, action: string, after: number): Promise<[number, string][]> {
  const everything = { before: Number.MAX_SAFE_INTEGER, from: 0, to: Number.MAX_SAFE_INTEGER }
  const search = { ...everything, by: null, action, subject: null, limit: 2 * NEWEST }
  const { entries } = await auditLog(env).search(search)
  return entries.flatMap(({ number, subject, result }): [number, string][] =>
    result === 'done' && number > after ? [[number, subject]] : [],
  )
}

const EMPTY = 'empty'
/** Caches the finding for a minute. */
const known = bounded<boolean>(MINUTE)
/** How long (ms) a caller waits for D1. */
const LONGEST = 2000

/** Returns whether D1 has no point of sale although some were created. False if that is unknown. */
export async function isRegistryEmpty(env: Env): Promise<boolean> {
  const found = known.get(EMPTY)
  if (found !== undefined) return found
  const isEmpty = (await within(LONGEST, lookForOne(env))) ?? false
  known.set(EMPTY, isEmpty)
  return isEmpty
}

async function lookForOne(env: Env): Promise<boolean> {
  try {
    return !(await hasPointsOfSale(env.DB)) && (await lostRegistry(env)) !== null
  } catch (error) {
    log.fault('health.part-failed', error, { part: 'registry' })
    return false
  }
}
