import * as v from 'valibot'
import type { Right } from './key-limits.ts'
import type { ProblemCode } from './problems.ts'

/**
 * The roles of operators: `viewer` reads, `support` also asks PSPs and sends reports again,
 * `operator` does everything.
 */
export const Role = v.picklist(['viewer', 'support', 'operator'])
export type Role = v.InferOutput<typeof Role>

/**
 * A caller of the operator API. `via` is the proof: the `OPERATOR_TOKEN` secret, a token of their
 * own, a session of the console that a token began, or Cloudflare Access.
 */
export type Operator = {
  name: string
  role: Role
  via: 'secret' | 'token' | 'session' | 'access'
  /** The id of the token that they sent, or that began their session. */
  token?: string
  /** When their token, their session or their proof of Access ends (ms). */
  until?: number
}

/** Tells whether a role allows what `needed` allows: each role includes those before it. */
export function hasRole({ role }: Pick<Operator, 'role'>, needed: Role): boolean {
  return Role.options.indexOf(role) >= Role.options.indexOf(needed)
}

type Tag =
  | 'Access'
  | 'Payment methods'
  | 'Terminals'
  | 'Payment jobs'
  | 'Captures'
  | 'Refunds'
  | 'Reports'
  | 'Operator'
  | 'Health'

export type Credential = 'accessToken' | 'apiKey' | 'operatorToken' | 'cloudflareAccess' | 'consoleSession'

/** A header of requests; the document describes each once. */
type RequestHeader =
  | 'IdempotencyKey'
  | 'IdempotencyKeyOfRefund'
  | 'IdempotencyKeyOfCapture'
  | 'RefundPin'
  | 'Prefer'
  | 'IfNoneMatch'
  | 'LastEventId'

/** A header of answers; the document describes each once. */
type AnswerHeader =
  | 'X-Signature'
  | 'X-Signature-Of-Json'
  | 'ETag'
  | 'X-Trace-Head'
  | 'Preference-Applied'
  | 'Location'
  | 'Content-Language'
  | 'Set-Cookie'

/** A limit that the router counts a request against before it reads the request. */
type CountedAs = 'create' | 'search'

type Fields = v.ObjectSchema<v.ObjectEntries, undefined>

/**
 * One operation of an API. The router, the OpenAPI document, the typed client, the console and the
 * CLI all read it, so nothing repeats it. Without `credentials`, anyone may call it. `problems` are
 * in addition to those of every operation. Parameters in `path` are written `:name`.
 */
export type Operation = {
  method: 'GET' | 'POST'
  path: `/${string}`
  tag: Tag
  summary: string
  description?: string
  credentials: readonly Credential[]
  /** The lowest role that may call it. */
  role?: Role
  /** The right that an API key needs to call it. */
  right?: Right
  /** Its name in the audit log, and the values of query and body that the log keeps. */
  audit?: { action: string; keeps?: readonly string[] }
  /** It cannot be undone, so the CLI and the console ask with care. */
  isFinal?: true
  limit?: CountedAs
  /** Schemas of path parameters that are not plain texts. */
  params?: Fields
  query?: Fields
  /**
   * Ignores unknown parameters, which some clients send. Only for a read of one thing: a list would get
   * longer, and a change greater, than the client meant.
   */
  ignoresOtherParameters?: true
  /** Query parameters that may come more than once: the router joins their values with commas. */
  repeatable?: readonly string[]
  headers?: readonly RequestHeader[]
  body?: v.GenericSchema
  isBodyOptional?: true
  /** The body may be megabytes long. */
  isLarge?: true
  /** The body has amounts or ids that do not fit a double, so numbers are read as their digits. */
  keepsDigits?: true
  /** The handler reads the body, because only the request decides what is valid. */
  isBodyReadByHandler?: true
  answer: OperationAnswer
  problems?: readonly ProblemCode[]
}

/**
 * The answer of an operation that succeeds: data of a schema, or a stream of events, a file or a
 * WebSocket that the handler makes.
 */
type OperationAnswer = {
  status: number
  description: string
  schema?: v.GenericSchema
  headers?: readonly AnswerHeader[]
  /** The content of a file that is not JSON, by its media type. */
  files?: Readonly<Record<string, string>>
  /** The schema of a stream's events, if the client may ask for a stream. */
  events?: v.GenericSchema
  /** The status of the same data if it is bad news. */
  unwell?: { status: 503; description: string }
  /** The headers of a 304, if the client may already have the body. */
  unchanged?: readonly AnswerHeader[]
}

export type Operations = Readonly<Record<string, Operation>>

/** The parameters of a pattern: `/jobs/:id/:part?` has `id`, and perhaps `part`. */
export type ParamsOf<Pattern extends string> = Pattern extends `${infer Part}/${infer Rest}`
  ? ParamOf<Part> & ParamsOf<Rest>
  : ParamOf<Pattern>
type ParamOf<Part extends string> = Part extends `:${infer Name}?`
  ? { [name in Name]?: string }
  : Part extends `:${infer Name}`
    ? { [name in Name]: string }
    : object

type QueryOf<Row extends Operation> = Row extends { query: infer Query extends Fields }
  ? { query?: { [Name in keyof v.InferInput<Query>]?: string | undefined } }
  : object
type BodyOf<Row extends Operation> = Row extends { body: infer Body extends v.GenericSchema }
  ? Row extends { isBodyOptional: true }
    ? { body?: v.InferInput<Body> | undefined }
    : { body: v.InferInput<Body> }
  : object

/** The input of an operation for its caller: the parameters of its path, its query, its body. */
export type InputOf<Row extends Operation> =
  ParamsOf<Row['path']> extends infer Params
    ? (object extends Params ? object : { params: Params }) & QueryOf<Row> & BodyOf<Row>
    : never

export type OutputOf<Row extends Operation> = Row['answer'] extends {
  schema: infer Schema extends v.GenericSchema
}
  ? v.InferOutput<Schema>
  : never

/** The input of any operation, for code that sends them all. */
export type AnyInput = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | undefined>> | undefined
  body?: object | undefined
}

/** Returns the address of an operation: its path with the parameters filled in, and its query. */
export function addressOf({ path }: { path: string }, { params = {}, query = {} }: AnyInput = {}): string {
  const named = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return given.length === 0 ? named : `${named}?${new URLSearchParams(given).toString()}`
}

/**
 * The members that all operations of the operator API share. Answers give times as ISO 8601 in UTC,
 * and amounts as decimal texts.
 */
const OPERATOR = {
  tag: 'Operator',
  credentials: ['operatorToken', 'cloudflareAccess', 'consoleSession'],
} as const

/** A read, for every role. */
export const LOOK = { ...OPERATOR, method: 'GET', role: 'viewer' } as const

/** A change, only for the role `operator` unless the row names another. */
export const CHANGE = { ...OPERATOR, method: 'POST', role: 'operator' } as const

/** The answer of an operation that made nothing new. The console shows its description after a change. */
export function done<Schema extends v.GenericSchema>(schema: Schema, description = 'Done.') {
  return { status: 200, description, schema } as const
}

export function made<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return { status: 201, description, schema } as const
}
