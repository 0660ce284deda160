import { type Answer, readAnswer } from './answer.ts'
import { HubError } from './hub-error.ts'
import { backoff, pause, whenAborted } from './pause.ts'
import { type Token, tokenCache } from './tokens.ts'
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
  once: <Read>(request: Request, signal: AbortSignal, read: Reader<Read>) => Promise<Read>
}

const TIMEOUT = 30_000
/** How long (ms) the hub may take to answer one try. */
const PATIENCE = 20_000
const MOST_TRIES = 6
/** How long (ms) a new token is used at least. */
const LEAST_LIFE = 60 * 60_000

export function wayTo({ baseUrl, apiKey, fetch: given, timeout: usual = TIMEOUT }: HubOptions): Way {
  const origin = new URL(baseUrl).href.replace(/\/+$/, '')
  const fetcher = given ?? ((url: string, init: RequestInit) => fetch(url, init))
  const tokens = tokenCache(() => issueToken(send, apiKey))

  const exchange = async <Read>(
    { method, path, body, headers }: Request,
    bearer: string,
    signal: AbortSignal,
    read: Reader<Read>,
  ): Promise<Read> =>
    read(
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

  const send: Send = async (request, bearer, signal, read) => {
    try {
      // The signal counts also where a `fetch` does not heed it.
      return await Promise.race([exchange(request, bearer, signal, read), whenAborted(signal)])
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
  const sendKnown = async <Read>(
    request: Request,
    signal: AbortSignal,
    read: Reader<Read>,
  ): Promise<Read> => {
    const token = await tokenNow(signal)
    try {
      return await send(request, token, signal, read)
    } catch (error) {
      if (!(error instanceof HubError) || error.status !== 401) throw error
      tokens.drop(token)
      return send(request, await tokenNow(signal), signal, read)
    }
  }

  return {
    call: async (request, { signal, timeout = usual } = {}) => {
      const end = Date.now() + timeout
      // The hub's log has all tries under one id.
      const traced = { ...request, headers: { ...request.headers, 'x-request-id': crypto.randomUUID() } }
      const once = () => {
        const time = Math.min(PATIENCE, Math.max(end - Date.now(), 1))
        return sendKnown(traced, either(AbortSignal.timeout(time), signal), readAnswer)
      }
      return withRetries(once, end, signal)
    },
    once: sendKnown,
  }
}

export type Reader<Read> = (response: Response) => Promise<Read>
type Send = <Read>(request: Request, bearer: string, signal: AbortSignal, read: Reader<Read>) => Promise<Read>

async function issueToken(send: Send, apiKey: string): Promise<Token> {
  const request: Request = { method: 'GET', path: '/v1/guardian' }
  const { body } = await send(request, apiKey, AbortSignal.timeout(PATIENCE), readAnswer)
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

/** Aborts with the first of both. */
export function either(one: AbortSignal, other?: AbortSignal): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one
}

/** Whether the same request may be answered otherwise in a while. */
export function isPassing({ code, status }: HubError): boolean {
  return status === null ? code === 'no-answer' || code === 'timed-out' : status === 429 || status >= 500
}
