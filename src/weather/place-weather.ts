import {
  type Advice,
  type Asked,
  type Breaker,
  type Trouble,
  adviceOf,
  beginTrial,
  newBreaker,
  observe,
  patienceOfTrial,
  patienceWith,
  tryNow,
} from '../psp/breaker.ts'
import type { WeatherChange } from '../job/rules/weather-change.ts'

/** Past it the ones that were used least lately are dropped. */
const MOST_BREAKERS = 500

type Place = { sealed: string; breaker: Breaker }
/** Trouble that was seen elsewhere: by another place, or at another payment method of the account. */
type Hint = { since: number; until: number; why: Trouble }
/** An account as far as its weather goes. New credentials (`sealed`) are another account. */
export type Named = { id: string; sealed: string }

/** How an account looks from here: what to do, and since when (ms) it is in trouble. */
export type Look = { advice: Advice; trouble: { why: Trouble; since: number } | null }

/**
 * What this place remembers of the accounts that it asks, by payment method. It is lost with the isolate, which costs one wait for
 * each account that is still silent.
 */
export function placeWeather() {
  const places = new Map<string, Place>()
  const hints = new Map<string, Hint>()
  const heard = new Map<string, number>()
  const nameOf = (account: string, method: string): string => `${account} ${method}`

  const breakerOf = ({ id, sealed }: Named, method: string, now: number): Breaker => {
    const place = places.get(nameOf(id, method))
    return place?.sealed === sealed ? place.breaker : newBreaker(now)
  }
  const keep = ({ id, sealed }: Named, method: string, breaker: Breaker): void => {
    const name = nameOf(id, method)
    places.delete(name)
    const [oldest] = places.keys()
    if (oldest !== undefined && places.size >= MOST_BREAKERS) places.delete(oldest)
    places.set(name, { sealed, breaker })
  }
  /** What others saw counts until it answers here: a place that is blind by itself must not blind the rest. */
  const hintOf = (account: Named, { state, answeredAt }: Breaker, now: number): Hint | null => {
    const hint = hints.get(account.id)
    if (!hint || state.is === 'open' || now >= hint.until) return null
    return (answeredAt ?? -Infinity) < hint.since ? hint : null
  }
  const hintAt = (account: string, hint: Hint): void => {
    const known = hints.get(account)
    if (known && known.until >= hint.until) return
    const [oldest] = hints.keys()
    if (oldest !== undefined && hints.size >= MOST_BREAKERS) hints.delete(oldest)
    hints.set(account, hint)
  }

  return {
    look(account: Named, method: string, now: number): Look {
      const breaker = breakerOf(account, method, now)
      const hint = hintOf(account, breaker, now)
      if (hint) return { advice: 'last', trouble: hint }
      const { state } = breaker
      return { advice: adviceOf(breaker, now), trouble: state.is === 'open' ? state : null }
    },

    /**
     * Begins to ask an account: how long (ms) of its share it may take. `isLast`: there is no other to go to. `isHurried`: nobody waits
     * long for an account that others have waited for.
     */
    begin(
      account: Named,
      method: string,
      now: number,
      share: number,
      { isLast, isHurried }: { isLast: boolean; isHurried: boolean },
    ): number {
      const breaker = breakerOf(account, method, now)
      const { advice, trouble } = this.look(account, method, now)
      if (advice === 'try') keep(account, method, beginTrial(breaker, now))
      if (trouble?.why === 'silent' && (isHurried || !isLast)) return patienceOfTrial(breaker, share)
      return isLast ? share : patienceWith(breaker, share)
    },

    /** Takes in how a call ended; what changed by that, for other places, or null. */
    end(account: Named, method: string, asked: Asked, now: number, random: number): WeatherChange | null {
      const before = breakerOf(account, method, now)
      const after = observe(before, asked, now, random)
      keep(account, method, after)
      const { id } = account
      if (after.state.is === 'open') {
        const { why, since, until } = after.state
        if (before.state.is === 'open' && before.state.until >= until) return null
        hintAt(id, { why, since, until })
        return { account: id, method, is: why, since, until, at: now }
      }
      if (before.state.is === 'closed') return null
      hints.delete(id)
      return { account: id, method, is: 'well', since: now, until: now, at: now }
    },

    /** Hears what other places have told. It changes the order of accounts for a while, and no more. */
    hear(changes: readonly WeatherChange[], now: number): void {
      for (const { account, method, is, since, until, at } of changes) {
        const name = nameOf(account, method)
        if ((heard.get(name) ?? 0) >= at) continue
        if (heard.size >= MOST_BREAKERS) heard.clear()
        heard.set(name, at)
        const place = places.get(name)
        if (is !== 'well') {
          hintAt(account, { why: is, since, until })
        } else {
          const hint = hints.get(account)
          if (hint && hint.since < at) hints.delete(account)
          if (place?.breaker.state.is === 'open' && place.breaker.state.since < at)
            place.breaker = tryNow(place.breaker, now)
        }
      }
    },
  }
}

export type PlaceWeather = ReturnType<typeof placeWeather>

/** The memory of this isolate. */
export const weather = placeWeather()
