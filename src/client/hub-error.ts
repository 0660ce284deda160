import type { ErrorCode } from './types.ts'

/** The reason why a call failed, from the hub or from the client itself. */
type Failure = {
  code: ErrorCode
  message: string
  status?: number | null
  field?: string
  errors?: readonly { field: string; error: string }[]
  requestId?: string | null
  retryAfter?: number | null
  cause?: unknown
}

/** A call that failed. Decide by `code`: the message is for people, and may change. */
export class HubError extends Error {
  override readonly name = 'HubError'
  readonly code: ErrorCode
  /** The HTTP status, or null without an answer. */
  readonly status: number | null
  /** The first field that is wrong, or an empty text. */
  readonly field: string
  /** Every field that is wrong. */
  readonly errors: readonly { field: string; error: string }[]
  /** The id of the request in the hub's log, or null. */
  readonly requestId: string | null
  /** How many seconds to wait before the next request, or null. */
  readonly retryAfter: number | null

  constructor({ code, message, status, field, errors, requestId, retryAfter, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status ?? null
    this.field = field ?? ''
    this.errors = errors ?? []
    this.requestId = requestId ?? null
    this.retryAfter = retryAfter ?? null
  }
}

/** Returns true if the same request may succeed later. */
export function isPassing({ code, status }: HubError): boolean {
  return status === null ? code === 'no-answer' || code === 'timed-out' : status === 429 || status >= 500
}

/** An answer of the hub with its parsed body; null for a 304, which has none. */
export type HubAnswer = { status: number; headers: Headers; body: unknown }

/** Reads an answer. Throws a `HubError` for a problem, and for an answer that is not the hub's. */
export async function readAnswer(response: Response): Promise<HubAnswer> {
  const { status, headers } = response
  if (status === 304) return { status, headers, body: null }
  const body = parse(await response.text())
  if (status >= 200 && status < 300 && isObject(body)) return { status, headers, body }
  throw isObject(body) && status >= 400 ? problemOf(response, body) : unreadable(response)
}

/** Reads the problem of an answer (RFC 9457). */
function problemOf(response: Response, body: Record<string, unknown>): HubError {
  const { code, detail, title, field, errors } = body
  return new HubError({
    code: typeof code === 'string' ? code : 'unknown',
    message:
      [detail, title].find((text) => typeof text === 'string') ?? `The hub answered ${response.status}.`,
    ...factsOf(response),
    field: typeof field === 'string' ? field : '',
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
  })
}

function unreadable(response: Response): HubError {
  return new HubError({
    code: 'answer-unreadable',
    message: `The answer ${response.status} is not the hub's. Is the baseUrl right?`,
    ...factsOf(response),
  })
}

function factsOf({ status, headers }: Response) {
  return {
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: retryAfterOf(headers),
  }
}

/** Returns the seconds of a Retry-After, which may be a date (RFC 9110, section 10.2.3). */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFieldError(value: unknown): value is { field: string; error: string } {
  return isObject(value) && typeof value['field'] === 'string' && typeof value['error'] === 'string'
}
