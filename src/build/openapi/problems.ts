import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProblemCode, OF_A_BODY, PROBLEMS } from '../../contract/problems.ts'
import { PROJECT } from '../../programs/wrangler.ts'
import { headersOf } from './headers.ts'
import type { Credential, Operation } from '../../contract/operation.ts'
import { type Json, type Response, ref } from './openapi.ts'

/** The component of a status, and the headers of its answers. */
type StatusComponent = { name: string; headers?: readonly string[] }

const STATUSES: Readonly<Record<number, StatusComponent>> = {
  400: { name: 'BadRequest' },
  401: { name: 'Unauthorized', headers: ['WWW-Authenticate'] },
  403: { name: 'Forbidden', headers: ['WWW-Authenticate-Of-Rights'] },
  404: { name: 'NotFound' },
  409: { name: 'Conflict' },
  413: { name: 'ContentTooLarge' },
  415: { name: 'UnsupportedMediaType', headers: ['Accept-Encoding'] },
  422: { name: 'UnprocessableContent' },
  429: { name: 'TooManyRequests', headers: ['Retry-After', 'RateLimit-Policy', 'RateLimit'] },
  500: { name: 'InternalServerError' },
  503: { name: 'ServiceUnavailable', headers: ['Retry-After'] },
}

/** A 429 that may also mean too many watchers, which has no rate. */
const OF_WATCHERS: StatusComponent = {
  name: 'TooManyRequestsOrWatchers',
  headers: ['Retry-After', 'RateLimit-Policy-Of-Limits', 'RateLimit-Of-Limits'],
}

/** The problems of any operation with credentials; an unknown parameter is an invalid field. */
const OF_CREDENTIALS: readonly ProblemCode[] = ['credentials-missing', 'rate-limited', 'fields-invalid']

const ALWAYS: readonly ProblemCode[] = [
  'https-required',
  'internal-error',
  'hub-misconfigured',
  'stored-unreadable',
  'deploy-under-way',
  'unavailable',
]

const OF_OPERATORS: Readonly<Record<Operation['method'], readonly ProblemCode[]>> = {
  GET: ['role-insufficient'],
  POST: ['origin-refused', 'role-insufficient'],
}

const REFUSED: Readonly<Record<Credential, ProblemCode>> = {
  accessToken: 'token-invalid',
  apiKey: 'api-key-invalid',
  operatorToken: 'operator-token-invalid',
  cloudflareAccess: 'access-invalid',
  consoleSession: 'session-invalid',
}

const ALL_HAVE = ['X-Request-Id', 'X-Signature-Once-Known']

export function problemResponses(): Record<string, Json> {
  return Object.fromEntries(
    [...Object.values(STATUSES), OF_WATCHERS].map(({ name, headers = [] }) => [
      name,
      {
        description: name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '),
        headers: headersOf([...ALL_HAVE, ...headers]),
        content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
      },
    ]),
  )
}

export function codesOf(operation: Operation): ReadonlyMap<number, readonly ProblemCode[]> {
  const { credentials, problems = [], tag, method, body, right } = operation
  return Map.groupBy(
    new Set([
      ...credentials.map((one) => REFUSED[one]),
      ...(credentials.length > 0 ? OF_CREDENTIALS : []),
      ...ALWAYS,
      ...(right ? ['insufficient-scope' as const] : []),
      ...(body ? OF_A_BODY : []),
      ...(tag === 'Operator' ? OF_OPERATORS[method] : []),
      ...problems,
    ]),
    (code) => PROBLEMS[code][0],
  )
}

function pageAt(path: string): string {
  return readFileSync(join(PROJECT, 'docs', path), 'utf8')
}

/** The sections about problems that only operators meet. */
export const OF_OPERATORS_ALONE = pageAt('operating/errors.md').replace(/^[^]*?(?=^### )/m, '')

/** When each problem comes: the first paragraph about it. */
const WHEN = new Map(
  Array.from(
    (pageAt('pos/errors.md') + OF_OPERATORS_ALONE).matchAll(/^### ([\w-]+)\n\n\*\*.+?\*\* (.+)$/gm),
    ([, code = '', when = '']) => [code, when],
  ),
)

/** Returns the sentence about a problem. Throws for a code that the documents do not explain. */
function whenOf(code: ProblemCode): string {
  const when = WHEN.get(code)
  if (when === undefined) throw new Error(`docs/pos/errors.md does not explain ${code}`)
  return when
}

/** Describes the problems of an operation by status, with a sentence for each code. */
export function problemsOf(operation: Operation): Record<string, Response> {
  return Object.fromEntries(
    Array.from(codesOf(operation), ([status, codes]) => [
      status,
      {
        ...ref(
          'responses',
          codes.includes('too-many-watchers') ? OF_WATCHERS.name : (STATUSES[status]?.name ?? ''),
        ),
        description: codes.map((code) => `- \`${code}\`: ${whenOf(code)}`).join('\n'),
      },
    ]),
  )
}
