import * as v from 'valibot'
import type { Operation, Operations, OutputOf, ParamsOf } from '../../contract/operation.ts'
import { ok, type Result } from '../../contract/result.ts'
import { type JsonObject, readJsonObject, readOptionalJsonObject, type Reviver } from './body.ts'
import { invalid, type Refusal } from './refusal.ts'
import { type Answer, type Context, type Entrance, type Guard, routes } from './routes.ts'

/** What a handler gets: the request, and its path, query and body as the schemas read them. */
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

/** Whether the handler makes the response: a stream, a file, a WebSocket, or perhaps a 304. */
type IsRaw<Row extends Operation> = Row['answer'] extends { schema: v.GenericSchema }
  ? Row['answer'] extends { events: string }
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

export type Serve = (row: Operation, name: string, request: Request, context: Context) => Promise<Answer>

/** Makes an entrance of a table of operations. `others` guards what no operation is for. */
export function entranceOf(
  table: Operations,
  serve: Serve,
  others?: { below: string; guard: Guard },
): Entrance {
  return routes((router) => {
    for (const [name, row] of Object.entries(table)) {
      const add = row.method === 'GET' ? router.get : router.post
      add(row.path, (request, context) => serve(row, name, request, context))
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
  const query = readFields(row.query, row.query ? queryOf(row, request) : {})
  if (!query.ok) return query
  const body = await readBody(row, request, reviver)
  if (!body.ok) return body
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas of the row have read each part
  return ok({ ...context, request, params: params.value, query: query.value, body: body.value } as Asked)
}

/** Of a name that comes twice the last value counts, unless the operation takes several. */
function queryOf({ repeatable = [] }: Operation, request: Request): Record<string, string> {
  const sent = new URL(request.url).searchParams
  const several = repeatable.filter((name) => sent.has(name))
  return {
    ...Object.fromEntries(sent),
    ...Object.fromEntries(several.map((name) => [name, sent.getAll(name).join(',')])),
  }
}

async function readBody(
  { body, isBodyOptional, isBodyReadByHandler }: Operation,
  request: Request,
  reviver?: Reviver,
): Promise<Result<unknown, Refusal>> {
  if (!body) return ok(undefined)
  const read = isBodyOptional === true ? readOptionalJsonObject : readJsonObject
  const sent = await read(request, reviver)
  return sent.ok && isBodyReadByHandler !== true ? readFields(body, sent.value) : sent
}

function readFields(schema: v.GenericSchema | undefined, sent: unknown): Result<unknown, Refusal> {
  if (!schema) return ok(sent)
  const read = v.safeParse(schema, sent)
  return read.success ? ok(read.output) : invalid(read.issues)
}
