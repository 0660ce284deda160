import type { Refusal } from './refusal.ts'

export const BODY_LIMIT = 64 * 1024

/** Reads a body as UTF-8 text. It stops at the limit (bytes), whatever `Content-Length` says. */
export const readText = async (request: Request, limit = BODY_LIMIT): Promise<string | Refusal> => {
  if (Number(request.headers.get('content-length')) > limit) return { refused: 'too-large', limit }
  if (!request.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength
      if (length > limit) return { refused: 'too-large', limit }
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch {
    return { refused: 'malformed', detail: 'The body could not be read as UTF-8 text.', field: 'body' }
  }
}

/** `source` is a number as it was written (ECMAScript's JSON.parse source text access, which TypeScript lacks yet). */
export type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

export type JsonObject = Record<string, unknown>

/** Reads a JSON object (RFC 8259). `reviver` may keep what parsing would lose. Wrapped: its members are the sender's. */
export const readJsonObject = async (
  request: Request,
  reviver?: Reviver,
): Promise<{ json: JsonObject } | Refusal> => {
  if (!isJson(request.headers.get('content-type'))) {
    return { refused: 'unsupported-media-type', expected: 'application/json' }
  }
  const text = await readText(request)
  if (typeof text !== 'string') return text
  try {
    const parsed: unknown = JSON.parse(text, reviver)
    if (isObject(parsed)) return { json: parsed }
  } catch {
    return { refused: 'malformed', detail: 'The body is not valid JSON.', field: 'body' }
  }
  return { refused: 'malformed', detail: 'The body must be a JSON object.', field: 'body' }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isJson = (contentType: string | null): boolean => {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='))
  return type.trim() === 'application/json' && (!charset || /^charset="?utf-?8"?$/.test(charset))
}
