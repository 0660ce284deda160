import type { ProblemCode } from '../../../platform/http/problem-codes.ts'
import { type Operation, query } from './operation.ts'

/** What the operations of the operator API have in common. */
const COMMON = {
  tag: 'Operator',
  credentials: ['operatorToken', 'cloudflareAccess', 'consoleSession'],
} as const

/** What a body may be refused for. */
const OF_A_BODY = ['body-malformed', 'body-too-large', 'content-type-unsupported', 'fields-invalid'] as const

/** What is at an address that has an id. */
function unknownAt(path: string): ProblemCode[] {
  if (!path.includes('{id}')) return []
  if (path.startsWith('/pos')) return ['pos-not-found']
  if (path.startsWith('/tokens')) return ['operator-token-not-found']
  return [path.startsWith('/accounts') ? 'account-not-found' : 'job-not-found']
}

/** A look at something. One of an id may be a 404. */
export function get(
  id: string,
  path: string,
  summary: string,
  schema: string,
  rest: Partial<Operation> = {},
): Operation {
  const { problems = unknownAt(path), ...others } = rest
  return {
    ...COMMON,
    id,
    method: 'get',
    path: `/operator/v1${path}`,
    summary,
    answer: { status: 200, description: 'Done.', schema },
    ...others,
    // Access lets in people who have no role here.
    problems: ['role-insufficient', ...problems],
  }
}

/** A change; its `status` is 200 where none is named. */
export function post(
  id: string,
  path: string,
  summary: string,
  schema: string,
  rest: Partial<Operation> & { status?: number; headers?: readonly string[] } = {},
): Operation {
  const { status = 200, problems = [], headers = [], ...others } = rest
  return {
    ...COMMON,
    id,
    method: 'post',
    path: `/operator/v1${path}`,
    summary,
    answer: { status, description: status === 201 ? 'It is there.' : 'Done.', schema, headers },
    ...others,
    problems: [
      'role-insufficient',
      'origin-refused',
      ...problems,
      ...unknownAt(path),
      ...(others.body ? OF_A_BODY : []),
    ],
  }
}

/** A body of a schema, which may be left out unless it is required. */
export function body(schema: string, isRequired = true) {
  return { body: { schema, isRequired } }
}

/** Where a page begins. */
export const AFTER = query('after', 'The `next` of the page before.', { type: 'string' })
