import { type Json, type JsonSchema, type Schemas, nameOf } from './json-schema.ts'

/** The parts of the OpenAPI document that the reference's pages need. */
export type OpenApi = Json & {
  paths: Readonly<Record<string, PathItem>>
  webhooks?: Readonly<Record<string, PathItem>>
  components: {
    schemas: Schemas
    headers: Readonly<Record<string, { description?: string }>>
    parameters: Readonly<Record<string, Parameter>>
  } & Json
}

type Reference = { $ref: string }

export type PathItem = {
  parameters?: readonly (Reference | Parameter)[]
  get?: Operation
  post?: Operation
}

export type Content = Readonly<Record<string, { schema: JsonSchema; example?: unknown }>>

export type Response = {
  description: string
  headers?: Readonly<Record<string, Reference>>
  content?: Content
}

export type Operation = {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly (Reference | Parameter)[]
  requestBody?: { required: boolean; content: Content }
  responses: Readonly<Record<string, Response>>
  'x-problem-codes'?: Readonly<Record<string, readonly string[]>>
}

export type Parameter = {
  name: string
  in: string
  description?: string
  required?: boolean
  schema?: JsonSchema
  example?: unknown
}

/** An operation with its address, and the parameters of both. */
export type Listed = { method: string; path: string; operation: Operation; parameters: Parameter[] }

/** Lists the operations of addresses (or of webhooks), in order. */
export function operationsOf({ components }: OpenApi, items: OpenApi['paths']): Listed[] {
  return Object.entries(items).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].flatMap((parameter) =>
        'name' in parameter ? parameter : (components.parameters[nameOf(parameter.$ref)] ?? []),
      )
      return { method: method.toUpperCase(), path, operation, parameters }
    }),
  )
}
