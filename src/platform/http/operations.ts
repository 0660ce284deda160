import * as v from 'valibot'
import type { Operation, Operations, OutputOf, ParamsOf } from '../../contract/operation.ts'
import { camelCase } from '../../contract/values.ts'
import { ok, type Result } from '../../contract/result.ts'
import {
  BODY_LIMIT,
  type JsonObject,
  LARGE_BODY_LIMIT,
  readJsonObject,
  readOptionalJsonObject,
  readText,
  type Reviver,
} from './body.ts'
import { advice } from '../../contract/nearest.ts'
import { invalid, invalidField, invalidFields, type Refusal } from './refusal.ts'
import { type Answer, type Context, type Entrance, type Guard, routes } from './routes.ts'

/** The input of a handler: the request, and its path, query and body as the schemas read them. */
export type Asked<Row extends Operation = Operation> = Omit<Context, 'params'> & {
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

export type Reply<Data> = { data: Data; headers?: Readonly<Record<string, string>> }

/** True where the handler makes the response: a stream, a file, a WebSocket, or perhaps a 304. */
type IsRaw<Row extends Operation> = Row['answer'] extends { schema: v.GenericSchema }
  ? Row['answer'] extends { events: v.GenericSchema }
    ? true
    : false
  : true

export type Replied<Row extends Operation> = Result<
  IsRaw<Row> extends true ? Response : Reply<OutputOf<Row>>,
  Refusal
>

export function reply<Data>(
  data: Data,
  headers: Readonly<Record<string, string>> = {},
): { ok: true; value: Reply<Data> } {
  return ok({ data, headers })
}

/** Answers with a reply's data, or with the response that the handler made. */
export function answered({ answer }: Operation, replied: Result<Response | Reply<object>, Refusal>): Answer {
  if (!replied.ok) return replied
  if (replied.value instanceof Response) return ok(replied.value)
  const { data, headers = {} } = replied.value
  return ok(Response.json(data, { status: answer.status, headers }))
}

type Serve<Handler> = (
  row: Operation,
  handler: Handler,
  request: Request,
  context: Context,
) => Promise<Answer>

/**
 * Makes the router of a table of operations and their handlers. `others` guards all other
 * addresses.
 */
export function entranceOf<Handler>(
  table: Operations,
  handlers: Readonly<Record<string, Handler>>,
  serve: Serve<Handler>,
  others?: { below: string; guard: Guard },
): Entrance {
  return routes((router) => {
    for (const [name, row] of Object.entries(table)) {
      const handler = handlers[name]
      if (!handler) throw new Error(`no handler for ${name}`)
      const add = row.method === 'GET' ? router.get : router.post
      add(row.path, (request, context) => serve(row, handler, request, context))
    }
    if (others) router.guard(others.below, others.guard)
  })
}

/** Reads a request by its operation's schemas. `reviver` keeps what parsing JSON would lose. */
export async function readAsked(
  row: Operation,
  request: Request,
  context: Context,
  reviver?: Reviver,
): Promise<Result<Asked, Refusal>> {
  const params = readFields(row.params, context.params)
  if (!params.ok) return params
  const sent = queryOf(row, request)
  if (!sent.ok) return sent
  const query = readFields(row.query, sent.value)
  if (!query.ok) return query
  const body = await readBody(row, request, reviver)
  if (!body.ok) return body
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas of the row have read each part
  return ok({ ...context, request, params: params.value, query: query.value, body: body.value } as Asked)
}

/**
 * Returns the query by the names of its schema; clients may also send them in camel case, as
 * answers have them. Refuses an unknown name, because a search without it would find too much,
 * unless the operation ignores it; also then one of a body that may be left out, because a refund
 * without its amount would give back all. Refuses a name that comes twice, unless the operation
 * takes several values.
 */
function queryOf(row: Operation, request: Request): Result<Fields, Refusal> {
  const { query, repeatable = [], ignoresOtherParameters, isBodyOptional, body = {} } = row
  const ofBody = isBodyOptional && 'entries' in body ? Object.keys(body.entries ?? {}) : []
  const known = Object.keys(query?.entries ?? {})
  const sent = new URL(request.url).searchParams
  const fields: Fields = {}
  const errors = new Map<string, string>()
  for (const [name, value] of sent) {
    const field = known.find((one) => one === name || camelCase(one) === name)
    const before = fields[field ?? '']
    if (field === undefined) {
      if (ofBody.includes(name)) errors.set(name, 'is no parameter here: send it in the body')
      else if (!ignoresOtherParameters) errors.set(name, noParameter(name, known))
    } else if (before === undefined) fields[field] = value
    else if (repeatable.includes(field)) fields[field] = `${before},${value}`
    else errors.set(name, 'must come once')
  }
  return errors.size === 0 ? ok(fields) : invalidFields(errors)
}

type Fields = Record<string, string>

function noParameter(name: string, known: readonly string[]): string {
  return `is no parameter here: ${advice(name, known)}`
}

async function readBody(
  { method, audit, body, isBodyOptional, isBodyReadByHandler, isLarge }: Operation,
  request: Request,
  reviver?: Reviver,
): Promise<Result<unknown, Refusal>> {
  if (!body) return audit && method === 'POST' ? noBody(request) : ok(undefined)
  const limit = isLarge === true ? LARGE_BODY_LIMIT : BODY_LIMIT
  const sent =
    isBodyOptional === true
      ? await readOptionalJsonObject(request, reviver)
      : await readJsonObject(request, reviver, limit)
  return sent.ok && isBodyReadByHandler !== true ? readFields(body, sent.value) : sent
}

/** Refuses a body where the operation takes none, because the hub would ignore what it asks for. */
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
