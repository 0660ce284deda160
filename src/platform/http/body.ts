import { type Result, ok, refuse } from '../../contract/result.ts'
import { isRecord } from '../stored.ts'
import type { Refusal } from './refusal.ts'

export const BODY_LIMIT = 64 * 1024
/** The limit for operations with `isLarge`: restores and imports of operators. */
export const LARGE_BODY_LIMIT = 8 * 1024 * 1024

type BodySource = Pick<Request, 'headers' | 'body' | 'arrayBuffer'>

/** Reads a body as UTF-8 text, of at most `limit` bytes. Refuses a compressed one. */
export async function readText(request: BodySource, limit = BODY_LIMIT): Promise<Result<string, Refusal>> {
  return request.body && isEncoded(request) ? noEncoding : readPlainText(request, limit)
}

/**
 * Reads the text of a notification. Its sender cannot be corrected, so a body that is labelled as
 * compressed, but is not, counts.
 */
export async function readNotifiedText(request: BodySource): Promise<Result<string, Refusal>> {
  const text = await readPlainText(request, BODY_LIMIT)
  return !text.ok && isEncoded(request) ? noEncoding : text
}

/**
 * Tells whether a body has a content coding (RFC 9110, section 8.4). Some clients send the charset in
 * this header, which is harmless.
 */
function isEncoded({ headers }: BodySource): boolean {
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(',')
  return codings.some((coding) => !['', 'identity', 'utf-8', 'utf8'].includes(coding.trim()))
}

/** Reads a body as UTF-8 text, whatever its `Content-Encoding` says. */
async function readPlainText(request: BodySource, limit: number): Promise<Result<string, Refusal>> {
  const announced = Number(request.headers.get('content-length') ?? NaN)
  if (announced > limit) return refuse({ code: 'body-too-large', limit })
  if (!request.body) return ok('')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    const text =
      announced <= limit
        ? await readAtOnce(limit, request, decoder)
        : await readUpTo(limit, request.body, decoder)
    return text === null ? refuse({ code: 'body-too-large', limit }) : ok(text)
  } catch {
    return malformed('The body could not be read as UTF-8 text.')
  }
}

/** Reads a body of known length, at a third of the cost of reading it in pieces. */
async function readAtOnce(limit: number, request: BodySource, decoder: TextDecoder): Promise<string | null> {
  const bytes = await request.arrayBuffer()
  return bytes.byteLength > limit ? null : decoder.decode(bytes)
}

/** Reads a body of unknown length up to the limit; null if the body is longer. */
async function readUpTo(
  limit: number,
  body: ReadableStream<Uint8Array>,
  decoder: TextDecoder,
): Promise<string | null> {
  let text = ''
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > limit) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** `source` is the number as the client wrote it (JSON.parse source text access). */
export type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

export type JsonObject = Record<string, unknown>

/** Reads a JSON object (RFC 8259). `reviver` may keep what parsing would lose. */
export async function readJsonObject(
  request: Request,
  reviver?: Reviver,
  limit = BODY_LIMIT,
): Promise<Result<JsonObject, Refusal>> {
  if (!isJson(request.headers.get('content-type'))) return noJson
  const text = await readText(request, limit)
  return text.ok ? parseObject(text.value, reviver) : text
}

/** Reads a JSON object. An empty body, with any Content-Type, is an empty object. */
export async function readOptionalJsonObject(
  request: BodySource,
  reviver?: Reviver,
): Promise<Result<JsonObject, Refusal>> {
  const text = await readText(request)
  if (!text.ok) return text
  if (text.value === '') return ok({})
  return isJson(request.headers.get('content-type')) ? parseObject(text.value, reviver) : noJson
}

/**
 * Reads a page's form, which must be `application/x-www-form-urlencoded`. The platform's `formData()`
 * has no limit, and a form of megabytes would stall the isolate.
 */
export async function readForm(request: Request): Promise<Result<URLSearchParams, Refusal>> {
  const expected = 'application/x-www-form-urlencoded'
  if (typeOf(request.headers.get('content-type')).type !== expected)
    return refuse({ code: 'content-type-unsupported', expected })
  const text = await readText(request)
  return text.ok ? ok(new URLSearchParams(text.value)) : text
}

function parseObject(text: string, reviver: Reviver | undefined): Result<JsonObject, Refusal> {
  try {
    const parsed: unknown = JSON.parse(text, reviver)
    if (isRecord(parsed)) return ok(parsed)
  } catch {
    return malformed('The body is not valid JSON.')
  }
  return malformed('The body must be a JSON object.')
}

const noEncoding = refuse({ code: 'content-encoding-unsupported' })
const noJson = refuse({ code: 'content-type-unsupported', expected: 'application/json' })

function malformed(detail: string): Result<never, Refusal> {
  return refuse({ code: 'body-malformed', detail, field: 'body' })
}

function isJson(contentType: string | null): boolean {
  const { type, parameters } = typeOf(contentType)
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return type === 'application/json' && (!charset || /^charset="?utf-?8"?$/.test(charset))
}

function typeOf(contentType: string | null): { type: string; parameters: string[] } {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return { type, parameters }
}
