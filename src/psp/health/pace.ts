import { MINUTE } from '../../contract/timestamp.ts'

const SECOND = 1000

/**
 * The requests of this isolate to an account. A shop may use what the others leave. If shops want more
 * than the account takes, all that ask now get equal shares. All times are in milliseconds.
 */
export type Pace = {
  /** What shops wanted to send lately, also what the hub held back. */
  asks: readonly { pos: string; at: number; isSent: boolean }[]
  /** The shops that a 429 slowed: nothing until `until`, and then `rate` requests a second for two minutes. */
  slowed: ReadonlyMap<string, { until: number; rate: number }>
  /** When the PSP last answered 429. */
  refusedAt: number
}

export const IDLE: Pace = { asks: [], slowed: new Map(), refusedAt: 0 }

/** PSPs answer within this time. */
const KEPT = 10 * SECOND
const LONGEST_PAUSE = 2 * MINUTE
const EVERYONE = '*'

/** A shop's wish to send a request to an account that takes `limit` a second. `isBegun`: it must go on. */
type Wish = { pos: string; limit: number; now: number; isBegun: boolean }

/**
 * Returns the pace after a wish, and whether the hub sends the request. A shop below its share does not wait
 * for the others: until they have slowed down, the account may get twice its limit.
 */
export function afterWish(pace: Pace, { pos, limit, now, isBegun }: Wish): Pace & { isSent: boolean } {
  const [shops, sent] = [new Set([pos]), { all: 0, own: 0 }]
  for (const ask of pace.asks) {
    if (Math.abs(now - ask.at) >= SECOND) continue
    shops.add(ask.pos)
    sent.all += Number(ask.isSent)
    sent.own += Number(ask.isSent && ask.pos === pos)
  }
  const isFree = sent.all < limit || (sent.own < limit / shops.size && sent.all < 2 * limit)
  const isSlowed = sent.own >= mostOf(pace, pos, now) || mostOf(pace, EVERYONE, now) === 0
  const isSent = isBegun || (isFree && !isSlowed)
  // Of what the hub held back, the newest of each shop is enough.
  const kept = pace.asks.filter((ask) => Math.abs(now - ask.at) < KEPT && (ask.isSent || ask.pos !== pos))
  return { ...pace, asks: [...kept, { pos, at: now, isSent }], isSent }
}

/** Returns the most requests a second of a slowed shop. A far pause is of a clock that has stepped back. */
function mostOf({ slowed }: Pace, pos: string, now: number): number {
  const { until, rate } = slowed.get(pos) ?? { until: 0, rate: Infinity }
  if (Math.abs(now - until) > LONGEST_PAUSE) return Infinity
  return now < until ? 0 : rate
}

/**
 * Returns the pace after a 429 to a request that began at `began`. The shops that sent at least the average
 * wait for the `retryAfter` seconds that the PSP wants, and then send half as much. If a shop waits already,
 * and this was the only request of its second, the PSP means the account: then all wait.
 */
export function afterTooMany({ asks, slowed }: Pace, began: number, retryAfter: number, now: number): Pace {
  const sent = asks.filter(({ at, isSent }) => isSent && at > began - SECOND)
  const isOnly = sent.length === 1 && [...slowed.values()].some(({ until }) => until > began)
  const until = now + Math.min(retryAfter * SECOND, LONGEST_PAUSE)
  const shops = Map.groupBy(sent, ({ pos }) => (isOnly ? EVERYONE : pos))
  const waiting = [...shops]
    .filter(([, own]) => own.length >= sent.length / shops.size)
    .map(([shop, own]) => [shop, { until, rate: Math.max(own.length / 2, 1) }] as const)
  return { asks, slowed: new Map([...slowed, ...waiting]), refusedAt: now }
}
