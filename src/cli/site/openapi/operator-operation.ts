import { type Operation, query } from './operation.ts'

/** What the operations of the operator API have in common. */
const COMMON = { tag: 'Operator', credentials: ['operatorToken'] } as const

/** A look at something. One of an id may be a 404. */
export const get = (
  id: string,
  path: string,
  summary: string,
  schema: string,
  rest: Partial<Operation> = {},
): Operation => ({
  ...COMMON,
  id,
  method: 'get',
  path: `/operator/v1${path}`,
  summary,
  answer: { status: 200, description: 'Done.', schema },
  problems: path.includes('{id}') ? [404] : [],
  ...rest,
})

/** A change; its `status` is 200 where none is named. */
export const post = (
  id: string,
  path: string,
  summary: string,
  schema: string,
  rest: Partial<Operation> & { status?: number } = {},
): Operation => {
  const { status = 200, problems = [], ...others } = rest
  return {
    ...COMMON,
    id,
    method: 'post',
    path: `/operator/v1${path}`,
    summary,
    answer: { status, description: status === 201 ? 'It is there.' : 'Done.', schema },
    ...others,
    problems: [
      ...problems,
      ...(path.includes('{id}') ? [404] : []),
      ...(others.body ? [400, 413, 415, 422] : []),
    ],
  }
}

/** A body of a schema, which may be left out unless it is required. */
export const body = (schema: string, isRequired = true) => ({ body: { schema, isRequired } })

/** Where a page begins. */
export const AFTER = query('after', 'The `next` of the page before.', { type: 'string' })
