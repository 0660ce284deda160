import * as v from 'valibot'
import type { ProblemCode } from './problems.ts'

/**
 * What people and programs may do: `viewer` looks, `support` asks PSPs and sends reports
 * again, `operator` does everything.
 */
export const Role = v.picklist(['viewer', 'support', 'operator'])
export type Role = v.InferOutput<typeof Role>

/**
 * Who asks the operator API, and how they proved it: by the `OPERATOR_TOKEN` secret, by a token of
 * their own, by a session of the console that a token began, or by Cloudflare Access.
 */
export type Operator = {
  name: string
  role: Role
  via: 'secret' | 'token' | 'session' | 'access'
  /** The id of the token that they sent, or that began their session. */
  token?: string
  /** When their session or the proof of Access ends (ms). */
  until?: number
}

/** Each role may do what those before it may. */
export function hasRole({ role }: Pick<Operator, 'role'>, needed: Role): boolean {
  return Role.options.indexOf(role) >= Role.options.indexOf(needed)
}

/** The tags that group operations in the reference. */
export type Tag =
  | 'Access'
  | 'Payment methods'
  | 'Payment jobs'
  | 'Refunds'
  | 'Reports'
  | 'Operator'
  | 'Health'

/** What proves who asks. */
export type Credential = 'accessToken' | 'apiKey' | 'operatorToken' | 'cloudflareAccess' | 'consoleSession'

/** A header of requests; the document describes each once. */
export type RequestHeader =
  | 'IdempotencyKey'
  | 'IdempotencyKeyOfRefund'
  | 'Prefer'
  | 'IfNoneMatch'
  | 'LastEventId'

/** A header of answers; the document describes each once. */
export type AnswerHeader =
  | 'X-Signature'
  | 'X-Signature-Of-Json'
  | 'ETag'
  | 'X-Trace-Head'
  | 'Preference-Applied'
  | 'Location'
  | 'Content-Language'
  | 'Set-Cookie'

/** The limits that the router counts a request against before it reads it. */
export type CountedAs = 'create' | 'search'

type Fields = v.ObjectSchema<v.ObjectEntries, undefined>

/**
 * One operation of an API: a row of its table. The router, the OpenAPI document, the typed client,
 * the console and the CLI read it, so nothing of it is said anywhere else. Without credentials
 * anybody may ask. `problems` are those that it answers beside those of every operation. A path has
 * its parameters as `:name`.
 */
export type Operation = {
  method: 'GET' | 'POST'
  path: `/${string}`
  tag: Tag
  summary: string
  description?: string
  credentials: readonly Credential[]
  /** The least role of an operator who may. */
  role?: Role
  /** What the audit log calls a change, and which values of its query and body it keeps. */
  audit?: { action: string; keeps?: readonly string[] }
  limit?: CountedAs
  /** Path parameters that are more than a text. */
  params?: Fields
  query?: Fields
  /** Names of the query that may come more than once: their values are read with commas between. */
  repeatable?: readonly string[]
  headers?: readonly RequestHeader[]
  body?: v.GenericSchema
  isBodyOptional?: true
  /** The body may have megabytes. */
  isLarge?: true
  /** The body has amounts or ids that do not fit a double: its numbers are read as their digits. */
  keepsDigits?: true
  /** The handler reads the body: what counts as valid depends on the request. */
  isBodyReadByHandler?: true
  answer: OperationAnswer
  problems?: readonly ProblemCode[]
}

/**
 * The answer of an operation that succeeds: data of a schema; or a stream of events, a file or a
 * WebSocket, made by the handler.
 */
export type OperationAnswer = {
  status: number
  description: string
  schema?: v.GenericSchema
  headers?: readonly AnswerHeader[]
  /** What is in a file that is no JSON, by its media type. */
  files?: Readonly<Record<string, string>>
  /** What the events of a stream are like, where the client may ask for one. */
  events?: v.GenericSchema
  /** Where the client may have the body already: the headers of a 304. */
  unchanged?: readonly AnswerHeader[]
}

export type Operations = Readonly<Record<string, Operation>>

/** The parameters of a pattern: `/jobs/:id/:part?` has `id`, and `part` where it is given. */
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

/** What a client says to ask for an operation: the parameters of its path, its query, its body. */
export type InputOf<Row extends Operation> =
  ParamsOf<Row['path']> extends infer Params
    ? (object extends Params ? object : { params: Params }) & QueryOf<Row> & BodyOf<Row>
    : never

/** What an operation answers. */
export type OutputOf<Row extends Operation> = Row['answer'] extends {
  schema: infer Schema extends v.GenericSchema
}
  ? v.InferOutput<Schema>
  : never

/** The input of any operation, for what sends it. */
export type AnyInput = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | undefined>>
  body?: object
}

/** The address of an operation: its path with its parameters, and what is given of its query. */
export function addressOf(
  { path }: Pick<Operation, 'path'>,
  { params = {}, query = {} }: AnyInput = {},
): string {
  const named = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return given.length === 0 ? named : `${named}?${new URLSearchParams(given).toString()}`
}

/**
 * Shared by all operations of the operator API. Its answers give times as ISO 8601 in UTC, and
 * amounts as decimal texts.
 */
const OPERATOR = {
  tag: 'Operator',
  credentials: ['operatorToken', 'cloudflareAccess', 'consoleSession'],
} as const

/** A look at something, which anybody with a role may have. */
export const LOOK = { ...OPERATOR, method: 'GET', role: 'viewer' } as const

/** A change, which only the role `operator` makes, unless its row says otherwise. */
export const CHANGE = { ...OPERATOR, method: 'POST', role: 'operator' } as const

export function done<Schema extends v.GenericSchema>(schema: Schema) {
  return { status: 200, description: 'Done.', schema } as const
}

export function made<Schema extends v.GenericSchema>(schema: Schema) {
  return { status: 201, description: 'It is there.', schema } as const
}
