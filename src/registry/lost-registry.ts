import type { AuditEntry } from '../contract/audit.ts'
import { refuse } from '../contract/result.ts'
import { bounded } from '../platform/bounded.ts'
import { log } from '../platform/log.ts'
import { namedObject } from '../platform/named-object.ts'
import { hasPointsOfSale, namedPos } from './points-of-sale.ts'

/** The check looks for so many points of sale: the newest in the audit log. */
const NEWEST = 20

const WAY_BACK = 'Restore D1 with Time Travel, or with restore --only registry: docs/operating/backup.md'

/** A loss, in words for the operator. `isWhole`: D1 has no point of sale left. */
type LostRegistry = { isWhole: boolean; message: string }

/**
 * Returns what the audit log names and D1 lacks: D1 was lost, or went back to an earlier day. Null if
 * nothing is missing, because points of sale are never removed. Unless D1 has none at all, ignores
 * those before the newest restore: that operator knows.
 */
export async function lostRegistry(env: Env): Promise<LostRegistry | null> {
  if (!(await hasPointsOfSale(env.DB))) {
    const made = await doneSince(env, 'pos.create', 0)
    const message = `D1 has no point of sale, but the audit log names some. ${WAY_BACK}`
    return made.length > 0 ? { isWhole: true, message } : null
  }
  const [restored] = await doneSince(env, 'restore.registry', 0)
  const since = await doneSince(env, 'pos.create', restored?.number ?? 0)
  const made = since.map(({ subject }) => subject)
  const there = await namedPos(env.DB, made)
  const lost = made.filter((id) => !there.has(id))
  const message = `D1 lacks points of sale that the audit log names: ${lost.join(', ')}. ${WAY_BACK}`
  return lost.length === 0 ? null : { isWhole: false, message }
}

/** How long (ms) this isolate remembers the result: anyone can make it look. */
const LATELY = 1000
const lately = bounded<{ lost: LostRegistry | null }>(LATELY)

/** Returns what D1 lacked within the last second; null also if the hub cannot find that out. */
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

/** Answers a request that the hub cannot judge because its registry is lost. */
export const registryLost = refuse({
  code: 'unavailable',
  detail: 'The hub has lost its points of sale, and its operator must restore them. Try again in a minute.',
  retryAfter: 60,
})

/** Throws an outage while the registry is lost. For a job whose point of sale is missing. */
export async function throwIfLost(env: Env): Promise<void> {
  if (await lostLately(env)) throw Object.assign(new Error('the registry is lost'), { retryable: true })
}

/** Returns the newest changes of a kind after an entry. */
async function doneSince(env: Env, action: string, after: number): Promise<AuditEntry[]> {
  const everything = { before: Number.MAX_SAFE_INTEGER, from: 0, to: Number.MAX_SAFE_INTEGER }
  const search = { ...everything, by: null, action, subject: null, limit: 2 * NEWEST }
  // Calls the object of the audit log directly, because its room is above this one.
  const { entries } = await namedObject(env, env.AUDIT_LOG, 'log').search(search)
  return entries.filter(({ number, result }) => result === 'done' && number > after)
}
