import { refuse } from '../contract/result.ts'
import { bounded } from '../platform/bounded.ts'
import { log } from '../platform/log.ts'
import { namedObject } from '../platform/named-object.ts'
import { hasPointsOfSale, namedPos } from './points-of-sale.ts'

/** How many points of sale the check looks for: the newest in the audit log. */
const NEWEST = 20

const WAY_BACK = 'Bring D1 back with Time Travel, or with restore --only registry: docs/operating/backup.md'

/** A loss, in words for the operator. `isWhole`: D1 has no point of sale left. */
type LostRegistry = { isWhole: boolean; message: string }

/**
 * Returns what D1 lacks that the audit log names: D1 was lost, or is back at an earlier day. Null
 * if nothing is missing: points of sale are never removed. Where D1 has some, ignores all before
 * the newest restore, whose operator knows.
 */
export async function lostRegistry(env: Env): Promise<LostRegistry | null> {
  if (!(await hasPointsOfSale(env.DB))) {
    const made = await doneSince(env, 'pos.create', 0)
    const message = `D1 has no point of sale, and the audit log tells of some. ${WAY_BACK}`
    return made.length > 0 ? { isWhole: true, message } : null
  }
  const [restored = 0] = await doneSince(env, 'restore.registry', 0).then((done) => done.map(([at]) => at))
  const made = (await doneSince(env, 'pos.create', restored)).map(([, subject]) => subject)
  const there = await namedPos(env.DB, made)
  const lost = made.filter((id) => !there.has(id))
  const message = `D1 lacks points of sale that the audit log tells of: ${lost.join(', ')}. ${WAY_BACK}`
  return lost.length === 0 ? null : { isWhole: false, message }
}

/** How long (ms) this isolate goes by what it found: anybody can make it look. */
const LATELY = 1000
const lately = bounded<{ lost: LostRegistry | null }>(LATELY)

/** Returns what D1 lacked within the last second; null also where that cannot be found out. */
export async function lostLately(env: Env): Promise<LostRegistry | null> {
  const known = lately.get('registry')
  if (known) return known.lost
  const lost = await lostRegistry(env).catch((error: unknown) => {
    log.fault('health.part-failed', error, { part: 'registry' })
    return null
  })
  lately.set('registry', { lost })
  return lost
}

/** Answers for what the hub would know if its registry were not lost. */
export const registryLost = refuse({
  code: 'unavailable',
  detail: 'The hub has lost its points of sale, and its operator brings them back. Try again in a minute.',
  retryAfter: 60,
})

/** Throws an outage while the registry is lost, where the point of sale of a job is missing. */
export async function throwIfLost(env: Env): Promise<void> {
  if (await lostLately(env)) throw Object.assign(new Error('the registry is lost'), { retryable: true })
}

/** Returns the newest changes of a kind after an entry: their numbers and subjects. */
async function doneSince(env: Env, action: string, after: number): Promise<[number, string][]> {
  const everything = { before: Number.MAX_SAFE_INTEGER, from: 0, to: Number.MAX_SAFE_INTEGER }
  const search = { ...everything, by: null, action, subject: null, limit: 2 * NEWEST }
  // The audit log itself: its room stands on this one.
  const { entries } = await namedObject(env, env.AUDIT_LOG, 'log').search(search)
  return entries.flatMap(({ number, subject, result }): [number, string][] =>
    result === 'done' && number > after ? [[number, subject]] : [],
  )
}
