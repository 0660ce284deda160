import { bounded } from '../platform/bounded.ts'

/** A window (ms), and the most orders in it that an account gets: from all shops, and from one. */
const WINDOW = 10_000
const MOST = 400
const MOST_OF_A_SHOP = 200

/**
 * Limits the orders that this isolate sends to accounts. PSPs take some hundred requests a second
 * and then answer 429 to everybody (Stripe: 100 in live mode). So an account gets 40 a second, and
 * one shop at most half of them: no shop uses up what the others need.
 */
export function paceOfIsolate() {
  const counts = bounded<{ count: number }>(WINDOW)

  function isBelow(name: string, most: number): boolean {
    const window = counts.get(name) ?? { count: 0 }
    if (window.count === 0) counts.set(name, window)
    window.count += 1
    return window.count <= most
  }

  return {
    /** Returns whether the hub may ask an account now to take one more order of a shop. */
    mayAsk: (account: string, pos: string): boolean =>
      isBelow(`${account} ${pos}`, MOST_OF_A_SHOP) && isBelow(account, MOST),
  }
}

export const pace = paceOfIsolate()
