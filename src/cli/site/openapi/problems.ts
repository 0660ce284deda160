import { headersOf } from './headers.ts'
import { type Json, ref } from './operation.ts'

/** What each status means, whatever the operation, and the headers that it has. */
const PROBLEMS: Readonly<Record<number, { name: string; description: string; headers?: readonly string[] }>> =
  {
    400: {
      name: 'BadRequest',
      description: 'The body is not JSON, or a header is not valid. Correct the request.',
    },
    401: {
      name: 'Unauthorized',
      description:
        'The credentials are missing, unknown, expired or revoked. Get a new token, and repeat once.',
      headers: ['WWW-Authenticate'],
    },
    403: {
      name: 'Forbidden',
      description:
        'The request came over plain `http`, so others could read it. Use `https`, with new tokens and keys.',
    },
    404: { name: 'NotFound', description: 'There is no such thing, or it is not yours. Check the id.' },
    409: { name: 'Conflict', description: 'It is too late, or was done before: the problem says which.' },
    413: { name: 'ContentTooLarge', description: 'The body has more than 64 KiB.' },
    415: { name: 'UnsupportedMediaType', description: 'The `Content-Type` is not `application/json`.' },
    422: {
      name: 'UnprocessableContent',
      description:
        'A field is not valid (`errors` names each), the PSP refused, or the `Idempotency-Key` was used for something else.',
    },
    429: {
      name: 'TooManyRequests',
      description:
        'Too many requests. Wait for `Retry-After` seconds, then repeat with the same `Idempotency-Key`.',
      headers: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
    },
    500: {
      name: 'InternalServerError',
      description: 'A fault of the hub, which is in its log. Repeat with the same `Idempotency-Key`.',
    },
    503: {
      name: 'ServiceUnavailable',
      description:
        'A part of the hub or the PSP does not answer now. Wait for `Retry-After` seconds, then repeat with the same `Idempotency-Key`.',
      headers: ['Retry-After'],
    },
  }

/** What any operation may answer, besides its own. */
const ALWAYS = [401, 403, 429, 500, 503]

const ALL_HAVE = ['X-Request-Id', 'X-Signature-Once-Known']

/** The problems as components of the document. */
export const problemResponses = (): Json =>
  Object.fromEntries(
    Object.values(PROBLEMS).map(({ name, description, headers = [] }) => [
      name,
      {
        description,
        headers: headersOf([...ALL_HAVE, ...headers]),
        content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
      },
    ]),
  )

/** The problems of an operation, by status. */
export const problemsOf = (own: readonly number[]): Json =>
  Object.fromEntries(
    [...new Set([...ALWAYS, ...own])]
      .toSorted((one, other) => one - other)
      .map((status) => [status, ref('responses', PROBLEMS[status]?.name ?? '')]),
  )
