import * as v from 'valibot'
import { Access } from '../domain/access.ts'
import { DAY } from '../domain/timestamp.ts'
import { CLOSED, ListenAs, LONGEST_SILENCE } from './frames.ts'

/** How many listeners a point of sale may have at once. */
export const MOST_LISTENERS = 10
/** How long (ms) a listener may stay: as long as an access token is valid. */
const LONGEST_STAY = DAY

/** What a socket remembers of its listener, also while its object is not in memory. */
export const Listener = v.object({ as: ListenAs, since: v.number(), access: v.exactOptional(Access) })
export type Listener = v.InferOutput<typeof Listener>

/** How a socket is closed. */
export type Close = { code: number; reason: string }

/**
 * Why a listener is let go, or null where it stays: it is silent, it has stayed for a day, or a key was revoked or all tokens were
 * ended since it came (`access` is what is known of the point of sale now). It may have come with that key: whoever has a good one
 * connects again. Times are in milliseconds, `lastPing` is null before the first.
 */
export const whyGone = (
  listener: Listener,
  lastPing: number | null,
  access: Access | undefined,
  now: number,
): Close | null => {
  if (now - Math.max(lastPing ?? 0, listener.since) > LONGEST_SILENCE) return { code: 1001, reason: 'silent' }
  const isStale = now - listener.since > LONGEST_STAY || hasLostKey(listener.access, access)
  return isStale ? { code: CLOSED.authenticateAgain, reason: 'connect again' } : null
}

/** A copy of the profile that is older than what the listener came with says nothing of it. */
const hasLostKey = (then: Access | undefined, now: Access | undefined): boolean =>
  then !== undefined &&
  now !== undefined &&
  now.asOf > then.asOf &&
  then.generations.some((generation) => !now.generations.includes(generation))
