import type { ProblemCode } from '../../../platform/http/problem-codes.ts'

/** A JSON Schema, or any other part of the document. */
export type Json = Record<string, unknown>

export type Tag = 'Access' | 'Payment methods' | 'Payment jobs' | 'Refunds' | 'Operator' | 'Health'
export type Credential = 'accessToken' | 'apiKey' | 'operatorToken' | 'cloudflareAccess' | 'consoleSession'

/** One answer of an operation: `schema` names a component, `headers` those of `headers.ts`. One that is JSON has a schema. */
export type OperationAnswer = {
  status: number
  description: string
  schema?: string
  /** What is in a file that is no JSON, by its media type. */
  files?: Readonly<Record<string, string>>
  headers?: readonly string[]
  /** What the events of a stream are like, where the client may ask for one. */
  events?: string
  /** Where the client may have the body already: the headers of a 304. */
  unchanged?: readonly string[]
}

/**
 * One operation of the hub. Without credentials, anybody may ask. `path` has its parameters in braces; `problems` are the codes of the problems that it answers
 * beside those of every operation. A body may be left out unless it is required.
 */
export type Operation = {
  id: string
  method: 'get' | 'post'
  path: string
  tag: Tag
  summary: string
  description?: string
  credentials: readonly Credential[]
  parameters?: readonly Json[]
  body?: { schema: string; isRequired: boolean }
  answer: OperationAnswer
  problems: readonly ProblemCode[]
}

export function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

/** A parameter of the query, which may be left out. */
export function query(name: string, description: string, schema: Json): Json {
  return {
    name,
    in: 'query',
    description,
    schema,
  }
}
