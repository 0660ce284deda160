import { refuse } from '../contract/result.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { log } from '../platform/log.ts'
import { namedObject } from '../platform/named-object.ts'
import { hasPointsOfSale, namedPos } from './points-of-sale.ts'

/** The check looks for so many points of sale: the newest in the audit log. */
const NEWEST = 20

const WAY_BACK = 'Restore D1 with Time Travel, or with restore --only registry: docs/operating/backup.md'

/** `whole`: D1 has no point of sale left. `part`: it lacks some. */
type Loss = 'whole' | 'part'

/** A loss, in words for the operator. */
type LostRegistry = { loss: Loss; message: string }

/**
 * Returns what the audit log names and D1 lacks: D1 was lost, or went back to an earlier day. Null if
 * nothing is missing, because points of sale are never removed. Unless D1 has none at all, ignores
 * those before the newest restore: that operator knows. Keeps the result for `knownLoss`. Schedules and
 * operators may look; strangers may not, because operators' changes wait for the audit log.
 */
export async function lostRegistry(env: Env): Promise<LostRegistry | null> {
  const lost = await findLoss(env)
  await keep(env.TOKENS, lost?.loss ?? null)
  return lost
}

async function findLoss(env: Env): Promise<LostRegistry | null> {
  if (!(await hasPointsOfSale(env.DB))) {
    const made = await doneSince(env, 'pos.create', 0)
    const message = `D1 has no point of sale, but the audit log names some. ${WAY_BACK}`
    return made.length > 0 ? { loss: 'whole', message } : null
  }
  const [restored] = await doneSince(env, 'restore.registry', 0)
  const made = await doneSince(env, 'pos.create', restored?.number ?? 0)
  const ids = made.map(({ subject }) => subject)
  const there = await namedPos(env.DB, ids)
  const lost = ids.filter((id) => !there.has(id))
  const message = `D1 lacks points of sale that the audit log names: ${lost.join(', ')}. ${WAY_BACK}`
  return lost.length === 0 ? null : { loss: 'part', message }
}

/** Returns the newest changes of a kind after an entry. */
function doneSince(env: Env, action: string, after: number): Promise<{ number: number; subject: string }[]> {
  // Calls the object of the audit log directly, because its room is above this one.
  return namedObject(env, env.AUDIT_LOG, 'log').newestDone(action, after, NEWEST)
}

const KEPT = 'registry-lost'
/** The result of the last look, as this isolate read it from KV or found it. */
const known = bounded<{ loss: Loss | null }>(MINUTE)

/** Writes a result to KV if it is not there yet. Only logs a fault: the next look keeps its own result. */
async function keep(kv: KVNamespace, loss: Loss | null): Promise<void> {
  known.set(KEPT, { loss })
  try {
    const before = await kv.get(KEPT)
    if (loss === null ? before !== null : before !== loss)
      await (loss === null ? kv.delete(KEPT) : kv.put(KEPT, loss))
  } catch (error) {
    log.fault('kv.write-failed', error, { name: KEPT })
  }
}

/**
 * Returns what the last look of the schedule or of an operator found, for requests that anyone can send.
 * Reads KV at most once a minute in each isolate. Null also if KV does not answer.
 */
export async function knownLoss(env: Env): Promise<Loss | null> {
  const before = known.get(KEPT)
  if (before) return before.loss
  const found = await env.TOKENS.get(KEPT, { cacheTtl: MINUTE / 1000 }).catch((error: unknown) => {
    log.fault('kv.read-failed', error)
    return null
  })
  const loss = found === 'whole' || found === 'part' ? found : null
  known.set(KEPT, { loss })
  return loss
}

/** How long (ms) this isolate remembers the result of a look that a request caused. */
const LATELY = 1000
const lately = bounded<{ loss: Loss | null }>(LATELY)

/**
 * Looks, at most once a second in each isolate. Only for requests that prove what D1 should have: a
 * secret that this hub made, a token that KV still has, a job. Throws if the hub cannot find out.
 */
export async function lossLately(env: Env): Promise<Loss | null> {
  const before = lately.get(KEPT)
  if (before) return before.loss
  const loss = (await lostRegistry(env))?.loss ?? null
  lately.set(KEPT, { loss })
  return loss
}

/**
 * Looks for a loss on behalf of an operator token that carries this hub's mark. If D1 has its row, nothing
 * is lost and the token is no longer valid: such rows are never deleted.
 */
export async function lossOfOperatorToken(env: Env, hash: string): Promise<Loss | null> {
  const row = await env.DB.prepare('select 1 from operator_tokens where hash = ?').bind(hash).first()
  return row === null ? lossLately(env) : null
}

/** Answers a request that the hub cannot judge because its registry is lost. */
export const registryLost = refuse({
  code: 'unavailable',
  detail: 'The hub has lost its points of sale, and its operator must restore them. Try again in a minute.',
  retryAfter: 60,
})

/** Throws an outage while the registry is lost. For a token or a job whose point of sale is missing. */
export async function throwIfLost(env: Env): Promise<void> {
  if (await lossLately(env)) throw Object.assign(new Error('the registry is lost'), { retryable: true })
}
