import { auditLog } from '../audit/audit-log.ts'
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
  if (!(await hasPointsOfSale(env.DB)))
    return (await hasMadeSome(env))
      ? `D1 has no point of sale, and the audit log tells of some. ${WAY_BACK}`
      : null
  const [restored = 0] = await doneSince(env, 'restore.registry', 0).then((done) => done.map(([at]) => at))
  const made = (await doneSince(env, 'pos.create', restored)).map(([, subject]) => subject)
  const there = await namedPos(env.DB, made)
  const lost = made.filter((id) => !there.has(id))
  return lost.length === 0
    ? null
    : `D1 lacks points of sale that the audit log tells of: ${lost.join(', ')}. ${WAY_BACK}`
}

/** Tells whether D1 has no point of sale although the audit log tells of some. */
export async function isRegistryEmpty(env: Env): Promise<boolean> {
  return !(await hasPointsOfSale(env.DB)) && hasMadeSome(env)
}

async function hasMadeSome(env: Env): Promise<boolean> {
  return (await doneSince(env, 'pos.create', 0)).length > 0
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
