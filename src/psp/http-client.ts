import type { Unavailable } from './answer.ts'
import { withDeadline } from '../platform/deadline.ts'
import { retryAfterOf } from '../platform/http/headers.ts'
import type { Fetch } from './port.ts'

/** How long a PSP may take to answer, in milliseconds. */
export const DEADLINE = 8000

/** What all requests of one account at a PSP have in common. */
type Api = {
  fetch: Fetch
  /** The address of the PSP's API, without a slash at its end. */
  endpoint: string
  /** The headers that say who asks and, where the PSP wants it, for which version of its API. */
  headers: Readonly<Record<string, string>>
  /**
   * The credential in these headers. A PSP may quote it, and its words go to the shop: it is taken
   * out of answers.
   */
  secret: string
  /** Whether an answer says that the same idempotency key is in use: 409 where it is missing. */
  isUnderWay?: (answer: Answered) => boolean
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What one request has besides. `URLSearchParams` are sent as a form, any other body as JSON. */
export type Options = { body?: object; idempotencyKey?: string; deadline?: AbortSignal }

export type Answered = { is: 'answered'; status: number; body: unknown }
/**
 * `replayed`: the PSP repeats an answer that it gave before under the same idempotency key, and
 * says so.
 */
type NoAnswer = Unavailable & { replayed?: true }
export type Called = Answered | NoAnswer

/** Sends a request to a path of the API. */
export type Call = (method: Method, path: string, options?: Options) => Promise<Called>

export function unavailable(message: string, retryAfter: number | null = null): Unavailable {
  return {
    is: 'unavailable',
    message,
    ...(retryAfter === null ? {} : { retryAfter }),
  }
}

const LATE = 'The payment service provider did not answer in time.'
const UNREADABLE = 'The payment service provider could not be reached, or its answer could not be read.'
const UNDER_WAY = 'The payment service provider has the same request under way.'
const TOO_LONG = 'The payment service provider answered with more than 1 MiB.'

/**
 * How long to wait, in milliseconds, before a request that is under way elsewhere is asked for
 * again.
 */
const ASKED_AGAIN_AFTER = 300

/**
 * Makes the one way to call a PSP's API. It never throws: no answer by the deadline (eight seconds
 * unless one is given), a 5xx, a 429, a 408, more than 1 MiB or a body that is not JSON is
 * `unavailable`. Redirects are not followed. While the same request is under way elsewhere, it is
 * asked for again: once its answer is there, it is the answer to this one.
 */
export function apiClient({ fetch, endpoint, headers, secret, isUnderWay = isConflict }: Api): Call {
  return (method, path, options = {}) => {
    const request = { method, redirect: 'manual', ...contentOf(headers, options) } as const
    const once = async (signal: AbortSignal): Promise<Called> => {
      try {
        const response = await fetch(new Request(endpoint + path, { ...request, signal }))
        const answer = await readAnswer(response, secret, signal)
        return answer.is === 'unavailable' && isReplayed(response) ? { ...answer, replayed: true } : answer
      } catch {
        return unavailable(signal.aborted ? LATE : UNREADABLE)
      }
    }
    const ask = async (signal: AbortSignal): Promise<Called> => {
      for (;;) {
        const answer = await once(signal)
        const isFree = options.idempotencyKey === undefined || answer.is !== 'answered' || !isUnderWay(answer)
        if (isFree) return answer
        if (signal.aborted) return unavailable(UNDER_WAY)
        await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_AFTER))
      }
    }
    return options.deadline ? ask(options.deadline) : withDeadline(DEADLINE, ask)
  }
}

function isConflict({ status }: Answered): boolean {
  return status === 409
}

function contentOf(
  headers: Api['headers'],
  { body, idempotencyKey }: Options,
): { headers: Record<string, string>; body?: string } {
  const isForm = body instanceof URLSearchParams
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    headers: {
      ...headers,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: isForm ? body.toString() : JSON.stringify(body) }),
  }
}

/** As Stripe says it: https://docs.stripe.com/api/idempotent_requests */
function isReplayed({ headers }: Response): boolean {
  return headers.get('idempotent-replayed') === 'true'
}

async function readAnswer(response: Response, secret: string, signal: AbortSignal): Promise<Called> {
  const { status, headers, body } = response
  if (status >= 500 || status === 429 || status === 408) {
    await body?.cancel()
    const message = `The payment service provider answered ${status}.`
    return unavailable(message, retryAfterOf(headers, Date.now()))
  }
  const text = body ? await readLimited(body, signal, ANSWER_LIMIT) : ''
  if (text === null) return unavailable(TOO_LONG)
  try {
    return { is: 'answered', status, body: JSON.parse(text.replaceAll(secret, '…')) as unknown }
  } catch {
    return unavailable(UNREADABLE)
  }
}

/** How much of an answer is read, in bytes. */
const ANSWER_LIMIT = 1024 * 1024

/**
 * Reads a text, or gives null where it has more bytes than `most`, whatever `Content-Length` says.
 * Throws at the deadline.
 */
export async function readLimited(
  body: ReadableStream<Uint8Array>,
  deadline: AbortSignal,
  most: number,
): Promise<string | null> {
  const reader = body.getReader()
  // A body may go on after the deadline of its request: then it is cancelled here.
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
