import * as v from 'valibot'
import { Access } from '../registry/access.ts'
import { DAY } from '../contract/timestamp.ts'
import { CLOSED, ListenAs, LONGEST_SILENCE } from '../contract/report-frames.ts'

/** How many listeners a point of sale may have at once. */
export const MOST_LISTENERS = 10
/** How long (ms) a listener may stay: as long as an access token is valid. */
const LONGEST_STAY = DAY

/** Live keys of a point of sale that a socket can remember: the platform gives it some 2 KB. */
const MOST_KEYS = 100
/** Characters of a generation that tell it from the others of its point of sale. */
const KEY_LENGTH = 8

/**
 * What a socket remembers of its listener, also while its object is not in memory. `keys` are the generations that were live when it
 * came, shortened; null for more of them than it can remember.
 */
export const Listener = v.object({
  as: ListenAs,
  since: v.number(),
  access: v.exactOptional(
    v.object({ ...v.omit(Access, ['generations']).entries, keys: v.nullable(v.array(v.string())) }),
  ),
})
export type Listener = v.InferOutput<typeof Listener>

/** A listener that comes now (ms), with what is known of its point of sale. */
export function newListener(as: ListenAs, access: Access | undefined, now: number): Listener {
  if (access === undefined) return { as, since: now }
  const { generations, ...known } = access
  const keys = generations.length > MOST_KEYS ? null : generations.map((one) => one.slice(0, KEY_LENGTH))
  return { as, since: now, access: { ...known, keys } }
}

/** How a socket is closed. */
type Close = { code: number; reason: string }

/**
 * Why a listener is let go, or null where it stays: it is silent, it has stayed for a day, or a key was revoked or all tokens were
 * ended since it came (`access` is what is known of the point of sale now). It may have come with that key: whoever has a good one
 * connects again. Times are in milliseconds, `lastPing` is null before the first.
 */
export function whyGone(
  listener: Listener,
  lastPing: number | null,
  access: Access | undefined,
  now: number,
): Close | null {
  if (now - Math.max(lastPing ?? 0, listener.since) > LONGEST_SILENCE) return { code: 1001, reason: 'silent' }
  const isStale = now - listener.since > LONGEST_STAY || hasLostKey(listener.access, access)
  return isStale ? { code: CLOSED.authenticateAgain, reason: 'connect again' } : null
}

/** A copy of the profile that is older than what the listener came with says nothing of it. */
function hasLostKey(then: Listener['access'], now: Access | undefined): boolean {
  if (then === undefined || now === undefined || now.asOf <= then.asOf) return false
  if (now.tokensSince !== then.tokensSince || then.keys === null) return true
  return then.keys.some((key) => !now.generations.some((generation) => generation.startsWith(key)))
}
