/** The OpenAPI document, as far as the reference shows it. */
export type OpenApi = {
  paths: Readonly<Record<string, PathItem>>
  webhooks: Readonly<Record<string, PathItem>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    headers: Readonly<Record<string, { description?: string }>>
    parameters: Readonly<Record<string, Parameter>>
  }
}

type Reference = { $ref: string }
type PathItem = { parameters?: readonly (Reference | Parameter)[] } & Partial<Record<Method, Operation>>

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]

export type Content = Readonly<Record<string, { schema?: Schema; example?: unknown }>>

export type Response = {
  description?: string
  headers?: Readonly<Record<string, { $ref?: string; description?: string }>>
  content?: Content
}

export type Operation = {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  security?: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly (Reference | Parameter)[]
  requestBody?: { required?: boolean; content: Content }
  responses: Readonly<Record<string, Response>>
  'x-problem-codes'?: Readonly<Record<string, readonly string[]>>
}

export type Parameter = {
  name: string
  in: string
  description?: string
  required?: boolean
  schema?: Schema
  example?: unknown
}

/** A JSON Schema. */
export type Schema = {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  examples?: readonly unknown[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  maxItems?: number
}

/** An operation with its address, and the parameters of the address beside its own. */
export type Listed = { method: string; path: string; operation: Operation; parameters: Parameter[] }

/** The operations of addresses (or of webhooks) in their order. */
export function operationsOf({ components }: OpenApi, items: Readonly<Record<string, PathItem>>): Listed[] {
  return Object.entries(items).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].flatMap((parameter) =>
        'name' in parameter ? parameter : (components.parameters[nameOf(parameter.$ref)] ?? []),
      )
      return { method: method.toUpperCase(), path, operation, parameters }
    }),
  )
}

/** The last part of a `$ref`, which is the name of a component. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}
