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
  /** How many seconds to wait before the next request, a day at most, or null. */
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
  // A refusal may break off: its status and its Retry-After count all the same.
  const body = parse(await (status < 400 ? response.text() : response.text().catch(() => '')))
  if (status >= 200 && status < 300 && isObject(body)) return { status, headers, body }
  throw errorOf(response, isObject(body) ? body : {})
}

/** Reads the problem of an answer (RFC 9457), if the answer is the hub's. */
function errorOf({ status, headers }: Response, body: Record<string, unknown>): HubError {
  const { code, detail, title, field, errors } = body
  const isHubs = status >= 400 && typeof code === 'string'
  return new HubError({
    code: isHubs ? code : 'answer-unreadable',
    message: isHubs
      ? ([detail, title].find((text) => typeof text === 'string') ?? code)
      : `The answer ${status} is not the hub's. Is the baseUrl right?`,
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: retryAfterOf(headers),
    field: typeof field === 'string' ? field : '',
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
  })
}

/** The three forms of an HTTP date (RFC 9110, section 5.6.7). `Date.parse` also takes `-5` and `soon 2099`. */
const HTTP_DATE = /^\w+,? (\d\d[ -]\w{3}[ -]\d{2,4}|\w{3} [ \d]\d) \d\d:\d\d:\d\d( GMT| \d{4})$/

/** Returns the seconds that a Retry-After asks to wait, a day at most (RFC 9110, section 10.2.3), or null. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? ''
  // A date goes by the clock that wrote it.
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const date = HTTP_DATE.test(text) ? Date.parse(text.replace(/( GMT)?$/, ' GMT')) : Number.NaN
  const seconds = /^\d+$/.test(text) ? Number(text) : (date - now) / 1000
  return seconds > 0 ? Math.min(Math.ceil(seconds), 86_400) : null
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
