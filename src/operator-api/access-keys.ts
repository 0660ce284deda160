import { readKeySet } from '../platform/crypto/jwt.ts'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { describeFault, log } from '../platform/log.ts'
import type { Call } from '../psp/http-client.ts'

/** The keys of a team that this isolate has read: when it read them, and when it asked for them last, in vain or not. */
type Ring = { keys: ReadonlyMap<string, CryptoKey>; readAt: number; askedAt: number; failed: boolean }

const rings = new Map<string, Ring>()
const NONE: Ring = { keys: new Map(), readAt: -Infinity, askedAt: -Infinity, failed: false }

/** Keys are read anew after an hour, and used for a day where they cannot be. */
const FRESH = HOUR
const USABLE = 24 * HOUR
/** Between two requests for keys. Ids of keys that nobody has may be sent without end. */
const PAUSE = MINUTE
/** Between two while there are no keys at all. */
const FIRST_PAUSE = MINUTE / 12

/**
 * The key of a team that has this id: null when the team has none, `unavailable` when its keys cannot be read now. `now` in
 * milliseconds. https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/
 */
export async function accessKey(
  team: string,
  id: string,
  call: Call,
  now: number,
): Promise<CryptoKey | 'unavailable' | null> {
  const ring = rings.get(team) ?? NONE
  const age = now - ring.readAt
  const usable = age < USABLE ? ring.keys.get(id) : undefined
  if (usable && age < FRESH) return usable
  const isFirst = ring.readAt === -Infinity
  if (now - ring.askedAt < (isFirst ? FIRST_PAUSE : PAUSE))
    return usable ?? (ring.failed ? 'unavailable' : null)
  // Requests that come meanwhile do not ask too, unless they have nothing to go by.
  if (!isFirst) rings.set(team, { ...ring, askedAt: now, failed: true })
  const keys = await readKeys(call)
  rings.set(
    team,
    keys ? { keys, readAt: now, askedAt: now, failed: false } : { ...ring, askedAt: now, failed: true },
  )
  return (keys ? keys.get(id) : usable) ?? (keys ? null : 'unavailable')
}

async function readKeys(call: Call): Promise<Ring['keys'] | null> {
  const answer = await call('GET', '/cdn-cgi/access/certs')
  try {
    const keys = answer.is === 'answered' && answer.status === 200 ? await readKeySet(answer.body) : null
    if (keys && keys.size > 0) return keys
    log.error('access.keys-unavailable', { status: answer.is === 'answered' ? answer.status : null })
  } catch (error) {
    log.error('access.keys-unavailable', { status: null, error: describeFault(error) })
  }
  return null
}
