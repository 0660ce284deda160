import { bounded } from '../../platform/bounded.ts'
import { retryAfterOf } from '../../platform/http/headers.ts'
import type { Account } from '../../registry/profile.ts'
import { adapterOf } from '../adapters.ts'
import { HELD_BACK } from '../http-client.ts'
import { IDLE, type Pace, afterTooMany, afterWish } from './pace.ts'
import { ASSUMED_REQUESTS, type Fetch } from '../port.ts'

/** The paces of this isolate, by account. Each isolate knows only what it sends itself. */
export const paces = bounded<Pace>()

/** What the hub does for no shop, such as a check of an account, counts as one more shop. */
export const HUB = ''

/**
 * Makes the function that sends the requests of one operation of a shop to an account. If the account gets
 * too many, it throws `HELD_BACK` instead of the first one. An operation that has begun goes on.
 */
export function pacedFetch({ id, psp, mode }: Account, pos: string): Fetch {
  const limit = (adapterOf(psp)?.requestsPerSecond ?? ASSUMED_REQUESTS)[mode]
  let isBegun = false
  return async (request) => {
    const began = Date.now()
    const { isSent, ...pace } = afterWish(paces.get(id) ?? IDLE, { pos, limit, now: began, isBegun })
    paces.set(id, pace)
    if (!isSent) throw HELD_BACK
    isBegun = true
    const response = await fetch(request)
    const now = Date.now()
    if (response.status === 429)
      paces.set(id, afterTooMany(paces.get(id) ?? IDLE, began, retryAfterOf(response.headers, now) ?? 0, now))
    return response
  }
}

/** Returns whether the PSP has answered 429 since a time (ms): it is there, and gets too many requests. */
export function saidTooMany({ id }: Account, since: number): boolean {
  return (paces.get(id) ?? IDLE).refusedAt >= since
}
