import { type Answer, HubError, isPassing, readAnswer } from './hub-error.ts'
import { backoff, either, pause, whenAborted } from './pause.ts'
import type { CallOptions, HubOptions } from './types.ts'

/** A request as an operation makes it. It is the same in each try. */
export type Request = {
  method: 'GET' | 'POST'
  path: string
  body?: string
  headers?: Record<string, string>
}

/** The way to a hub. */
export type Way = {
  /**
   * Does a request with retries. What it is given is safe to send again: reads, writes with an
   * Idempotency-Key, cancels. It is sent again when the network fails, and on 429 and 5xx, after a
   * pause that grows, or the one that the hub asks for.
   */
  call: (request: Request, options?: CallOptions) => Promise<Answer>
  /** Does a request once. What fails is a `HubError`, also when the signal aborts. */
  once: (request: Request, signal: AbortSignal) => Promise<Answer>
}

const TIMEOUT = 30_000
/** How long (ms) the hub may take to answer one try, or one call waits for another's new token. */
const PATIENCE = 20_000
const MOST_TRIES = 6
/** How long (ms) a new token is used at least. */
const LEAST_LIFE = 60 * 60_000

export function wayTo({ baseUrl, apiKey, fetch: given, timeout: usual = TIMEOUT }: HubOptions): Way {
  const origin = new URL(baseUrl).href.replace(/\/+$/, '')
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
      // The signal counts also where a `fetch` does not heed it.
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

  /** Sends with a token. One that the hub has ended is renewed, once. */
  const sendKnown = async (request: Request, signal: AbortSignal): Promise<Answer> => {
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
      // The hub's log has all tries under one id.
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

type Send = (request: Request, bearer: string, signal: AbortSignal) => Promise<Answer>

async function issueToken(send: Send, apiKey: string): Promise<Token> {
  const request: Request = { method: 'GET', path: '/v1/guardian' }
  const { body } = await send(request, apiKey, AbortSignal.timeout(PATIENCE))
  const { token, expiration }: { token?: unknown; expiration?: unknown } = Object(body)
  if (typeof token !== 'string') {
    throw new HubError({ code: 'answer-unreadable', message: 'The hub gave no access token.' })
  }
  // By a clock that is a day ahead every token would be old, and be asked for anew. The hub says by
  // a 401 when one is.
  return { token, expires: Math.max(Number(expiration) * 1000 || 0, Date.now() + LEAST_LIFE) }
}

/** Tries until `end` (ms), or until the caller's signal aborts: then its reason is thrown. */
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
  return new HubError({ code: 'timed-out', message: 'The time of the call was over.', cause })
}

/** An access token, and when it expires (ms). */
type Token = { token: string; expires: number }

/** How long (ms) before its end a token is renewed. Meanwhile the old one is used. */
const EARLY = 10 * 60_000
const LOOK_EVERY = 20

/** A renewal that is under way, and how it ended. */
type Renewal = { since: number; end?: { token: Token } | { error: unknown } }

/**
 * The token of a client: got once and shared by all calls. One renewal is made at a time. Others
 * look for its end instead of awaiting its promise: in Cloudflare Workers a promise of one request
 * is never fulfilled for another once that request is over.
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
