import { profileRefreshMessage } from '../../domain/messages.ts'
import { log } from '../../log.ts'
import { type CurrentProfile, profileById } from '../d1/profiles.ts'
import { publishProfile } from './profile-cache.ts'

/** Seconds until a copy is written once more: by then the change is done, or cut off. */
const SECOND_LOOK = 90
/** Messages that a queue takes at once. */
const BATCH = 100
/** Copies that are written before the operator is answered; the queue writes the others, some seconds later. */
const AT_ONCE = 50
/** KV takes one write of a key a second (ms). */
const BETWEEN_WRITES = 1100
const MOST_WRITES = 3

/**
 * Makes a change in D1, and brings what D1 has then of these points of sale to KV: one write each, which also ends, changes
 * and lets live all their tokens. The messages of the second look go first: should this be cut off anywhere, or two
 * changes reach KV in the wrong order, the copy is written again.
 */
export const publishAfter = async <Result>(
  env: Env,
  pointsOfSale: readonly string[],
  change: () => Promise<Result>,
): Promise<Result> => {
  try {
    await queueRefreshes(env, pointsOfSale, SECOND_LOOK)
  } catch (error) {
    // A shop must be stopped even while the queue takes nothing.
    log.fault('queue.send-failed', error, { messages: pointsOfSale.length })
  }
  const result = await change()
  await queueRefreshes(env, pointsOfSale.slice(AT_ONCE), 0)
  await Promise.all(pointsOfSale.slice(0, AT_ONCE).map((pos) => refreshProfile(env, pos)))
  return result
}

const queueRefreshes = async (
  env: Env,
  pointsOfSale: readonly string[],
  delaySeconds: number,
): Promise<void> => {
  for (let start = 0; start < pointsOfSale.length; start += BATCH) {
    const messages = pointsOfSale
      .slice(start, start + BATCH)
      .map((pos) => ({ body: profileRefreshMessage.write({ pos }), delaySeconds }))
    await env.EDGE.sendBatch(messages)
  }
}

/**
 * Writes the copy of a point of sale from D1. Whoever has written it looks whether D1 has changed meanwhile, for another
 * change may have been written before this one. A disabled one's copy stays: its jobs are still finished.
 */
export const refreshProfile = async (env: Env, pos: string): Promise<void> => {
  for (let writes = 1; ; writes++) {
    const found = await profileById(env.DB, pos)
    if (!found) return
    const written = await tryToPublish(env, found.profile, writes === MOST_WRITES)
    if (written) {
      const now = await profileById(env.DB, pos)
      if (!now || contentsOf(now.profile) === contentsOf(found.profile)) return
    }
    if (writes === MOST_WRITES) return
    await scheduler.wait(BETWEEN_WRITES)
  }
}

/** False when KV did not take it; the last time that is an error. */
const tryToPublish = async (env: Env, profile: CurrentProfile, isLast: boolean): Promise<boolean> => {
  try {
    await publishProfile(env.TOKENS, profile)
    return true
  } catch (error) {
    if (isLast) throw error
    log.fault('kv.write-failed', error, { pos: profile.pos })
    return false
  }
}

/** All of a profile but when it was read. */
const contentsOf = (profile: CurrentProfile): string =>
  JSON.stringify({ ...profile, access: { ...profile.access, asOf: 0 } })
