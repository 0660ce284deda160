import { pause, whenAborted } from './pause.ts'

/** An access token, and when it expires (ms). */
export type Token = { token: string; expires: number }

/** How long (ms) before its end a token is renewed. Meanwhile the old one is used. */
const EARLY = 10 * 60_000
/** How long (ms) one call waits for the renewal of another. */
const PATIENCE = 20_000
const LOOK_EVERY = 20

/** A renewal that is under way, and how it ended. */
type Renewal = { since: number; end?: { token: Token } | { error: unknown } }

/**
 * The token of a client: got once and shared by all calls. One renewal is made at a time. Others
 * look for its end instead of awaiting its promise: in Cloudflare Workers a promise of one request
 * is never fulfilled for another once that request is over.
 */
export function tokenCache(issue: () => Promise<Token>) {
  let held: Token | null = null
  let renewal: Renewal | null = null

  const renew = async (): Promise<Token> => {
    const mine: Renewal = { since: Date.now() }
    renewal = mine
    try {
      const token = await issue()
      held = token
      mine.end = { token }
      return token
    } catch (error) {
      mine.end = { error }
      throw error
    } finally {
      if (renewal === mine) renewal = null
    }
  }

  const isStuck = ({ since }: Renewal): boolean => Date.now() - since > PATIENCE

  return {
    /** A token that is valid now. Throws what the request for one threw. */
    async get(signal?: AbortSignal): Promise<string> {
      if (held && Date.now() < held.expires) {
        const isDue = Date.now() > held.expires - EARLY && (!renewal || isStuck(renewal))
        // What is wrong with a renewal that nobody waits for shows when the old token has expired.
        if (isDue) renew().catch(() => undefined)
        return held.token
      }
      const other = renewal
      for (;;) {
        if (!other || isStuck(other)) break
        const { end } = other
        if (end && 'error' in end) throw end.error
        if (end) return end.token.token
        await pause(LOOK_EVERY, signal)
      }
      const renewing = renew()
      // Where the signal ends the wait, the renewal goes on for the others.
      renewing.catch(() => undefined)
      return (await Promise.race([renewing, whenAborted(signal)])).token
    },
    /** The hub does not honour this token any more. One that has come since stays. */
    drop(token: string): void {
      if (held?.token === token) held = null
    },
  }
}
