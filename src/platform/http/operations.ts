import * as v from 'valibot'
import type { Operation, OutputOf, ParamsOf } from '../../contract/operation.ts'
import { keepDigits } from '../../contract/sent-values.ts'
import { ok, type Result } from '../../contract/result.ts'
import {
  BODY_LIMIT,
  type JsonObject,
  LARGE_BODY_LIMIT,
  readJsonObject,
  readOptionalJsonObject,
  readText,
} from './body.ts'
import { advice } from '../../contract/nearest.ts'
import { invalid, invalidField, invalidFields, type Refusal } from './refusal.ts'
import type { RouteResult, Context, RouteTable } from './routes.ts'

/**
 * Each operation of an API is a row of a table in `src/contract/`, and has a handler of the same
 * name. The row declares what comes in and what goes out; the types below follow from it:
 *
 * ```ts
 * const TABLE = {
 *   showJob: {
 *     method: 'GET',
 *     path: '/jobs/:id',
 *     query: v.object({ at: v.optional(Time) }),
 *     answer: { status: 200, description: 'The job.', schema: Job },
 *     // …
 *   },
 * } as const satisfies Operations
 *
 * async function showJob({ env, params, query }: OperationRequest<typeof TABLE.showJob>) {
 *   const job = await readJob(env, params.id, query.at) // texts and times that are valid
 *   return job ? reply(job) : noJob // data of the schema, or a refusal
 * }
 * ```
 *
 * Each entrance also gives its handlers the caller: `src/pos-api/handler.ts` the point of sale,
 * `src/operator-api/serve.ts` the operator.
 */
export type OperationRequest<Row extends Operation = Operation> = Omit<Context, 'params'> & {
  request: Request
  params: Row extends { params: infer Params extends v.GenericSchema }
    ? v.InferOutput<Params>
    : ParamsOf<Row['path']>
  query: Row extends { query: infer Query extends v.GenericSchema } ? v.InferOutput<Query> : object
  body: Row extends { isBodyReadByHandler: true }
    ? JsonObject
    : Row extends { body: infer Body extends v.GenericSchema }
      ? v.InferOutput<Body>
      : undefined
}

/** The data that an operation answers with, and headers in addition to those of every answer. */
export type Reply<Data> = { data: Data; headers?: Readonly<Record<string, string>> }

/**
 * A handler returns this. If the answer is not simply data (a file, a WebSocket, a stream of events
 * or perhaps a 304), the handler makes the response itself.
 */
export type OperationResult<Row extends Operation> = Result<
  Row['answer'] extends { schema: object; events?: never } ? Reply<OutputOf<Row>> : Response,
  Refusal
>

export function reply<Data>(
  data: Data,
  headers: Readonly<Record<string, string>> = {},
): { ok: true; value: Reply<Data> } {
  return ok({ data, headers })
}

/** Makes the response to a result, unless the handler made it. `headersFor` makes more headers for its body. */
export async function respond(
  { answer }: Operation,
  result: Result<Response | Reply<unknown>, Refusal>,
  headersFor?: (body: string) => Promise<Readonly<Record<string, string>>>,
): Promise<RouteResult> {
  if (!result.ok) return result
  if (result.value instanceof Response) return ok(result.value)
  const { data, headers } = result.value
  const body = JSON.stringify(data)
  const all = { 'content-type': 'application/json', ...headers, ...(await headersFor?.(body)) }
  return ok(new Response(body, { status: answer.status, headers: all }))
}

/** Adds a table of operations to a router. `serve` answers the operation of a name by its handler. */
export function addOperations<
  Table extends Readonly<Record<keyof Table, Operation>>,
  Handlers extends Readonly<Record<keyof Table, unknown>>,
>(
  router: RouteTable,
  table: Table,
  handlers: Handlers,
  serve: <Name extends keyof Table>(
    name: Name,
    handler: Handlers[Name],
    request: Request,
    context: Context,
  ) => Promise<RouteResult>,
): void {
  for (const name in table) {
    const { method, path }: Operation = table[name]
    const add = method === 'GET' ? router.get : router.post
    add(path, (request, context) => serve(name, handlers[name], request, context))
  }
}

export async function readRequest<Row extends Operation>(
  row: Row,
  request: Request,
  context: Context,
): Promise<Result<OperationRequest<Row>, Refusal>> {
  const params = readFields(row.params, context.params)
  if (!params.ok) return params
  const sent = queryOf(row, request)
  if (!sent.ok) return sent
  const query = readFields(row.query, sent.value)
  if (!query.ok) return query
  const body = await readBody(row, request)
  if (!body.ok) return body
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas of the row have read each part
  return ok({
    ...context,
    request,
    params: params.value,
    query: query.value,
    body: body.value,
  } as OperationRequest<Row>)
}

/**
 * Returns the query by the names of its schema; clients may also send them in camel case, as answers
 * have them. Refuses an unknown name, because a search without it would find too much, and a change do
 * too much, unless the operation ignores unknown names. Refuses a name that comes twice, unless the
 * operation takes several values.
 */
function queryOf(row: Operation, request: Request): Result<Fields, Refusal> {
  const { query, repeatable = [], ignoresOtherParameters, body = {} } = row
  const ofBody = 'entries' in body ? Object.keys(body.entries ?? {}) : []
  const known = Object.keys(query?.entries ?? {})
  const sent = new URL(request.url).searchParams
  const fields: Fields = {}
  const errors = new Map<string, string>()
  for (const [name, value] of sent) {
    const field = known.find((one) => one === name || camelCase(one) === name)
    const before = fields[field ?? '']
    if (field === undefined) {
      const todo = ofBody.includes(name) ? 'send it in the body' : advice(name, known)
      if (!ignoresOtherParameters) errors.set(name, `is not a parameter here: ${todo}`)
    } else if (before === undefined) fields[field] = value
    else if (repeatable.includes(field)) fields[field] = `${before},${value}`
    else errors.set(name, 'must come once')
  }
  return errors.size === 0 ? ok(fields) : invalidFields(errors)
}

type Fields = Record<string, string>

async function readBody(operation: Operation, request: Request): Promise<Result<unknown, Refusal>> {
  const { method, audit, body, isBodyOptional, isBodyReadByHandler, isLarge, keepsDigits } = operation
  if (!body) return audit && method === 'POST' ? noBody(request) : ok(undefined)
  const reviver = keepsDigits ? keepDigits : undefined
  const limit = isLarge === true ? LARGE_BODY_LIMIT : BODY_LIMIT
  const sent =
    isBodyOptional === true
      ? await readOptionalJsonObject(request, reviver)
      : await readJsonObject(request, reviver, limit)
  return sent.ok && isBodyReadByHandler !== true ? readFields(body, sent.value) : sent
}

/** Refuses a body if the operation takes none, because the hub would ignore what it asks for. */
async function noBody(request: Request): Promise<Result<undefined, Refusal>> {
  const text = await readText(request)
  return text.ok && /^(\{\s*\})?$/.test(text.value.trim())
    ? ok(undefined)
    : invalidField('body', 'is not taken here: leave it out')
}

function readFields(schema: v.GenericSchema | undefined, sent: unknown): Result<unknown, Refusal> {
  if (!schema) return ok(sent)
  const read = v.safeParse(schema, sent)
  return read.success ? ok(read.output) : invalid(read.issues)
}

/** Turns `order_number` into `orderNumber`. */
function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
