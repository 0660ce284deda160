import type { Unavailable } from './answer.ts'
import { withDeadline } from '../platform/deadline.ts'
import { retryAfterOf } from '../platform/http/headers.ts'
import type { Fetch } from './port.ts'

/** How long a PSP may take to answer, in milliseconds. */
export const DEADLINE = 8000

/**
 * What names the account in a request: its headers, and the credential in them. The hub removes that from
 * answers, because a PSP may quote it, and the shop reads the PSP's words.
 */
export type Authorised = { headers: Readonly<Record<string, string>>; secret: string }

/** What all requests of an account have in common, and how its PSP differs from others. */
type Api = {
  fetch: Fetch
  /** The address of the PSP's API, without a slash at its end. */
  endpoint: string
  /**
   * Returns what names the account in the next request. An adapter may fetch a token for it, by the request's
   * deadline, and keep that; if it gets none, the answer is that of the request. `refused`: what the PSP has just
   * answered with 401. If something else comes back, the request is repeated once.
   */
  authorise: (deadline: AbortSignal, refused?: Authorised) => Authorised | Promise<Authorised | CallResult>
  /** The header of idempotency keys; missing if the PSP has none. */
  keyHeader?: string
  /** Returns whether another request with this idempotency key is being processed, as a 409 always says. */
  isUnderWay?: (answer: HttpAnswer) => boolean
  /** Returns whether the PSP says that it repeats an earlier answer for the same idempotency key. */
  isReplayed?: (headers: Headers) => boolean
  /** Reads the text of an answer, by default as JSON. Throws for nonsense. */
  parse?: (text: string) => unknown
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The options of one request. `URLSearchParams` are sent as a form, any other body as JSON. */
export type Options = { body?: object; idempotencyKey?: string; deadline?: AbortSignal }

export type HttpAnswer = { is: 'answered'; status: number; body: unknown }
/** `replayed`: see `isReplayed`. */
type NoAnswer = Unavailable & { replayed?: true }
export type CallResult = HttpAnswer | NoAnswer

/** Sends a request to a path of the API. */
export type Call = (method: Method, path: string, options?: Options) => Promise<CallResult>

export function unavailable(message: string, retryAfter: number | null = null): Unavailable {
  return { is: 'unavailable', message, ...(retryAfter === null ? {} : { retryAfter }) }
}

const LATE = 'The payment service provider did not answer in time.'
const UNREADABLE = 'The payment service provider could not be reached, or its answer could not be read.'
const UNDER_WAY = 'The payment service provider has the same request under way.'
export const HELD_BACK = new Error('The hub is sending too many requests to the account at once.')
const TOO_LONG = 'The payment service provider answered with more than 1 MiB.'

/** The pause (ms) before the hub repeats a request that is being processed elsewhere. */
const ASKED_AGAIN_AFTER = 300

/**
 * Makes the function that calls a PSP's API. It never throws: no answer by the deadline (by default
 * eight seconds), a 5xx, a 429, a 408, more than 1 MiB, or a body that is not JSON is `unavailable`. It
 * follows no redirects. While the PSP processes the same request elsewhere, it repeats the request until
 * it gets the answer.
 */
export function apiClient(api: Api): Call {
  const { fetch, endpoint, authorise, keyHeader, isUnderWay, isReplayed, parse = JSON.parse } = api
  return (method, path, options = {}) => {
    const send = async (account: Authorised, signal: AbortSignal): Promise<CallResult> => {
      const request = {
        method,
        redirect: 'manual',
        signal,
        ...contentOf(account, keyHeader, options),
      } as const
      const response = await fetch(new Request(endpoint + path, request))
      const answer = await readAnswer(response, { secret: account.secret, parse }, signal)
      const isRepeated = answer.is === 'unavailable' && isReplayed?.(response.headers)
      return isRepeated ? { ...answer, replayed: true } : answer
    }
    const once = async (signal: AbortSignal): Promise<CallResult> => {
      try {
        const account = await authorise(signal)
        if ('is' in account) return account
        const answer = await send(account, signal)
        if (answer.is === 'unavailable' || answer.status !== 401) return answer
        const renewed = await authorise(signal, account)
        if (renewed === account) return answer
        return 'is' in renewed ? renewed : await send(renewed, signal)
      } catch (error) {
        if (error === HELD_BACK) return unavailable(HELD_BACK.message)
        return unavailable(signal.aborted ? LATE : UNREADABLE)
      }
    }
    const ask = async (signal: AbortSignal): Promise<CallResult> => {
      for (;;) {
        const answer = await once(signal)
        if (options.idempotencyKey === undefined || answer.is !== 'answered') return answer
        if (answer.status !== 409 && !isUnderWay?.(answer)) return answer
        if (signal.aborted) return unavailable(UNDER_WAY)
        await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_AFTER))
      }
    }
    return options.deadline ? ask(options.deadline) : withDeadline(DEADLINE, ask)
  }
}

function contentOf(
  { headers }: Authorised,
  keyHeader: string | undefined,
  { body, idempotencyKey }: Options,
): { headers: Record<string, string>; body?: string } {
  const isForm = body instanceof URLSearchParams
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    headers: {
      ...headers,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(keyHeader === undefined || idempotencyKey === undefined ? {} : { [keyHeader]: idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: isForm ? body.toString() : JSON.stringify(body) }),
  }
}

async function readAnswer(
  response: Response,
  { secret, parse }: Pick<Authorised, 'secret'> & Required<Pick<Api, 'parse'>>,
  signal: AbortSignal,
): Promise<CallResult> {
  const { status, headers, body } = response
  if (status >= 500 || status === 429 || status === 408) {
    await body?.cancel()
    const message = `The payment service provider answered ${status}.`
    return unavailable(message, retryAfterOf(headers, Date.now()))
  }
  const text = body ? await readLimited(body, signal, ANSWER_LIMIT) : ''
  if (text === null) return unavailable(TOO_LONG)
  // "Accepted" and "No Content" need no body: https://www.rfc-editor.org/rfc/rfc9110#section-15.3
  if ((status === 202 || status === 204) && text === '') return { is: 'answered', status, body: null }
  try {
    return { is: 'answered', status, body: parse(text.replaceAll(secret, '…')) }
  } catch {
    return unavailable(UNREADABLE)
  }
}

/** The most bytes of an answer that the hub reads. */
const ANSWER_LIMIT = 1024 * 1024

/** Reads a text; null for more than `most` bytes, whatever its headers say. Throws after the deadline. */
export async function readLimited(
  body: ReadableStream<Uint8Array>,
  deadline: AbortSignal,
  most: number,
): Promise<string | null> {
  const reader = body.getReader()
  // The deadline of a request does not end its body, so this cancels it.
  const stop = () => void reader.cancel(deadline.reason).catch(() => {})
  deadline.addEventListener('abort', stop)
  try {
    const decoder = new TextDecoder()
    let text = ''
    let length = 0
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.byteLength
      if (length > most) {
        stop()
        return null
      }
      text += decoder.decode(part.value, { stream: true })
    }
    deadline.throwIfAborted()
    return text + decoder.decode()
  } finally {
    deadline.removeEventListener('abort', stop)
  }
}
