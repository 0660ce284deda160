/** A JSON object: a JSON Schema, or any other part of the OpenAPI document. */
export type Json = Record<string, unknown>

export function ref(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}

export function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

/** Returns the names of the schemas that a part of the document refers to, directly or not. */
export function schemasIn(part: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name) || !schemas[name]) continue
    found.add(name)
    schemasIn(schemas[name], schemas, found)
  }
  return found
}

/** The members of JSON Schema that the hub's schemas have. */
export type JsonSchema = Json & {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Schemas
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
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

export type Schemas = Readonly<Record<string, JsonSchema>>

/** The function for each kind of schema. */
type Kinds<Made> = {
  ref: (name: string) => Made
  values: (values: readonly unknown[]) => Made
  oneOf: (choices: readonly JsonSchema[]) => Made
  list: (item: JsonSchema) => Made
  object: (properties: Schemas, required: readonly string[]) => Made
  /** `string`, `number`, `integer`, `boolean`, `null`, or `unknown` for any value. */
  plain: (type: string) => Made
}

/** Finds the kind of a schema, and calls its function in `kinds`. */
export function byKind<Made>(schema: JsonSchema, kinds: Kinds<Made>): Made {
  const { $ref, anyOf, items, properties, required = [], type = 'unknown' } = schema
  if ($ref !== undefined) return kinds.ref(nameOf($ref))
  if (schema.enum) return kinds.values(schema.enum)
  if ('const' in schema) return kinds.values([schema.const])
  if (anyOf) return kinds.oneOf(anyOf)
  if (typeof type !== 'string') {
    return kinds.oneOf(type.map((one) => (one === 'null' ? { type: one } : { ...schema, type: one })))
  }
  if (items) return kinds.list(items)
  return properties ? kinds.object(properties, required) : kinds.plain(type)
}

const SAMPLE_TEXTS: Readonly<Record<string, string>> = {
  uuid: '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11',
  uri: 'https://pay.example.com/pay/5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11.c41f70',
}

/** Makes a valid value of a schema, from the examples in it and in `schemas`. */
export function sampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const { examples: [example] = [], format = '', minimum = 1 } = schema
  if (example !== undefined) return example
  const sample = (part: JsonSchema = {}) => sampleOf(part, schemas)
  const plain: Readonly<Record<string, unknown>> = {
    string: SAMPLE_TEXTS[format] ?? 'text',
    integer: minimum,
    number: minimum,
    boolean: true,
    object: {},
  }
  return byKind(schema, {
    ref: (name) => sample(schemas[name]),
    values: ([first]) => first,
    oneOf: ([first]) => sample(first),
    list: (item) => [sample(item)],
    object: (properties, required) =>
      Object.fromEntries(required.map((name) => [name, sample(properties[name])])),
    plain: (type) => plain[type] ?? null,
  })
}

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
