import { type HubAnswer, HubError, isPassing, readAnswer } from './hub-error.ts'
import { backoff, either, pause, whenAborted } from './pause.ts'
import type { CallOptions, HubOptions } from './types.ts'

/** A request of an operation, the same in each try. */
export type Request = {
  method: 'GET' | 'POST'
  path: string
  body?: string
  headers?: Record<string, string>
}

/** The two ways to send a request to a hub. */
export type Way = {
  /**
   * Sends a request with retries: when the network fails, and on 429 and 5xx, after a pause that
   * grows or that the hub asks for. Only for requests that are safe to repeat: reads, writes with
   * an Idempotency-Key, cancels.
   */
  call: (request: Request, options?: CallOptions) => Promise<HubAnswer>
  /** Sends a request once. Throws a `HubError`, also when the signal aborts. */
  once: (request: Request, signal: AbortSignal) => Promise<HubAnswer>
}

const TIMEOUT = 30_000
/** How long (ms) one try may take, or a call waits for the token that another call asked for. */
const PATIENCE = 20_000
const MOST_TRIES = 6
/** The shortest time (ms) that the client uses a new token. */
const LEAST_LIFE = 60 * 60_000

export function wayTo({ baseUrl, apiKey, fetch: given, timeout: usual = TIMEOUT }: HubOptions): Way {
  const origin = withoutSlash(new URL(baseUrl).href)
  const fetcher = given ?? ((url: string, init: RequestInit) => fetch(url, init))
  const tokens = tokenCache(() => issueToken(send, apiKey))

  const exchange = async ({ method, path, body, headers }: Request, bearer: string, signal: AbortSignal) =>
    readAnswer(
      await fetcher(origin + path, {
        method,
        redirect: 'manual',
        signal,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    )

  const send: Send = async (request, bearer, signal) => {
    try {
      // The signal also counts for a `fetch` that ignores it.
      return await Promise.race([exchange(request, bearer, signal), whenAborted(signal)])
    } catch (error) {
      if (error instanceof HubError) throw error
      throw new HubError({ code: 'no-answer', message: 'No answer came from the hub.', cause: error })
    }
  }

  const tokenNow = async (signal: AbortSignal): Promise<string> => {
    try {
      return await tokens.get(signal)
    } catch (error) {
      throw error instanceof HubError ? error : timedOut(error)
    }
  }

  /** Sends with a token. Renews the token once if the hub no longer accepts it. */
  const sendKnown = async (request: Request, signal: AbortSignal): Promise<HubAnswer> => {
    const token = await tokenNow(signal)
    try {
      return await send(request, token, signal)
    } catch (error) {
      if (!(error instanceof HubError) || error.status !== 401) throw error
      tokens.drop(token)
      return send(request, await tokenNow(signal), signal)
    }
  }

  return {
    call: async (request, { signal, timeout = usual } = {}) => {
      const end = Date.now() + timeout
      // All tries have one id in the hub's log.
      const traced = { ...request, headers: { ...request.headers, 'x-request-id': crypto.randomUUID() } }
      const once = () => {
        const time = Math.min(PATIENCE, Math.max(end - Date.now(), 1))
        return sendKnown(traced, either(AbortSignal.timeout(time), signal))
      }
      return withRetries(once, end, signal)
    },
    once: sendKnown,
  }
}

type Send = (request: Request, bearer: string, signal: AbortSignal) => Promise<HubAnswer>

async function issueToken(send: Send, apiKey: string): Promise<Token> {
  const request: Request = { method: 'GET', path: '/v1/guardian' }
  const { body } = await send(request, apiKey, AbortSignal.timeout(PATIENCE))
  const { token, expiration }: { token?: unknown; expiration?: unknown } = Object(body)
  if (typeof token !== 'string') {
    throw new HubError({ code: 'answer-unreadable', message: 'The hub gave no access token.' })
  }
  // If this clock is a day ahead, every token would look old. The hub answers 401 for an old one.
  return { token, expires: Math.max(Number(expiration) * 1000 || 0, Date.now() + LEAST_LIFE) }
}

/** Tries until `end` (ms), or until the caller's signal aborts; then throws its reason. */
async function withRetries<Done>(
  once: () => Promise<Done>,
  end: number,
  signal?: AbortSignal,
): Promise<Done> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted()
    try {
      return await once()
    } catch (error) {
      signal?.throwIfAborted()
      const failed = error instanceof HubError ? error : timedOut(error)
      const wait = Math.max(backoff(tries), (failed.retryAfter ?? 0) * 1000)
      if (Date.now() >= end && isPassing(failed)) throw timedOut(failed)
      if (!isPassing(failed) || tries === MOST_TRIES || Date.now() + wait >= end) throw failed
      await pause(wait, signal)
    }
  }
}

function timedOut(cause: unknown): HubError {
  return new HubError({ code: 'timed-out', message: 'The call took too long.', cause })
}

/** An access token, and when it expires (ms). */
type Token = { token: string; expires: number }

/** How long (ms) before its end the client renews a token. Meanwhile it uses the old one. */
const EARLY = 10 * 60_000
const LOOK_EVERY = 20

/** A renewal under way, and its result once there is one. */
type Renewal = { since: number; end?: { token: Token } | { error: unknown } }

/**
 * Caches a client's token for all calls, with one renewal at a time. Other calls poll for its end
 * instead of awaiting its promise: in Cloudflare Workers a promise of one request never resolves
 * for another once that request is over.
 */
function tokenCache(issue: () => Promise<Token>) {
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
    /** Returns a valid token. Throws the error of a failed request for one. */
    async get(signal?: AbortSignal): Promise<string> {
      if (held && Date.now() < held.expires) {
        const isDue = Date.now() > held.expires - EARLY && (!renewal || isStuck(renewal))
        // An error here shows up later, if the old token expires before a renewal succeeds.
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
      // If the signal ends the wait, the renewal goes on for the other calls.
      renewing.catch(() => undefined)
      return (await Promise.race([renewing, whenAborted(signal)])).token
    },
    /** Forgets a token that the hub no longer accepts, but not a newer one. */
    drop(token: string): void {
      if (held?.token === token) held = null
    },
  }
}

function withoutSlash(address: string): string {
  return address.endsWith('/') ? withoutSlash(address.slice(0, -1)) : address
}
