import * as v from 'valibot'

/** A JSON Schema, as far as the reference shows it. */
export type Schema = {
  $ref?: string | undefined
  type?: string | string[] | undefined
  title?: string | undefined
  description?: string | undefined
  properties?: Record<string, Schema> | undefined
  additionalProperties?: boolean | Schema | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  anyOf?: Schema[] | undefined
  enum?: unknown[] | undefined
  const?: unknown
  examples?: unknown[] | undefined
  example?: unknown
  format?: string | undefined
  pattern?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  exclusiveMinimum?: number | undefined
  exclusiveMaximum?: number | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  default?: unknown
}

const optionalText = v.optional(v.string())
const optionalNumber = v.optional(v.number())

export const Schema: v.GenericSchema<unknown, Schema> = v.looseObject({
  $ref: optionalText,
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  title: optionalText,
  description: optionalText,
  properties: v.optional(
    v.record(
      v.string(),
      v.lazy(() => Schema),
    ),
  ),
  additionalProperties: v.optional(v.union([v.boolean(), v.lazy(() => Schema)])),
  required: v.optional(v.array(v.string())),
  items: v.optional(v.lazy(() => Schema)),
  anyOf: v.optional(v.array(v.lazy(() => Schema))),
  enum: v.optional(v.array(v.unknown())),
  examples: v.optional(v.array(v.unknown())),
  format: optionalText,
  pattern: optionalText,
  minLength: optionalNumber,
  maxLength: optionalNumber,
  minimum: optionalNumber,
  maximum: optionalNumber,
  exclusiveMinimum: optionalNumber,
  exclusiveMaximum: optionalNumber,
  minItems: optionalNumber,
  maxItems: optionalNumber,
})

const Reference = v.object({ $ref: v.string() })

const Header = v.looseObject({ description: optionalText, schema: v.optional(Schema) })

const Parameter = v.looseObject({
  name: v.string(),
  in: v.string(),
  description: optionalText,
  required: v.optional(v.boolean()),
  schema: v.optional(Schema),
  example: v.optional(v.unknown()),
})
export type Parameter = v.InferOutput<typeof Parameter>

const Content = v.record(
  v.string(),
  v.looseObject({ schema: v.optional(Schema), example: v.optional(v.unknown()) }),
)

const Response = v.looseObject({
  $ref: optionalText,
  description: optionalText,
  headers: v.optional(v.record(v.string(), v.union([Reference, Header]))),
  content: v.optional(Content),
})
export type Response = v.InferOutput<typeof Response>

const Parameters = v.optional(v.array(v.union([Reference, Parameter])), [])

export const Operation = v.looseObject({
  operationId: v.string(),
  tags: v.array(v.string()),
  summary: v.string(),
  description: optionalText,
  security: v.optional(v.array(v.record(v.string(), v.array(v.string()))), []),
  parameters: Parameters,
  requestBody: v.optional(v.looseObject({ required: v.optional(v.boolean()), content: Content })),
  responses: v.record(v.string(), Response),
  'x-problem-codes': v.optional(v.record(v.string(), v.array(v.string())), {}),
})
export type Operation = v.InferOutput<typeof Operation>

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const PathItem = v.looseObject({
  parameters: Parameters,
  ...v.entriesFromList(METHODS, v.optional(Operation)),
})
type PathItem = v.InferOutput<typeof PathItem>

/** The OpenAPI document, as far as the reference shows it. */
export const Document = v.looseObject({
  info: v.looseObject({ description: optionalText }),
  tags: v.array(v.looseObject({ name: v.string(), description: optionalText })),
  paths: v.record(v.string(), PathItem),
  webhooks: v.optional(v.record(v.string(), PathItem), {}),
  components: v.looseObject({
    schemas: v.record(v.string(), Schema),
    headers: v.optional(v.record(v.string(), Header), {}),
    parameters: v.optional(v.record(v.string(), Parameter), {}),
    securitySchemes: v.optional(v.record(v.string(), v.looseObject({ description: optionalText })), {}),
  }),
})
export type Document = v.InferOutput<typeof Document>

/** An operation with its address, and the parameters of the address beside its own. */
export type Listed = { method: string; path: string; operation: Operation; parameters: Parameter[] }

/** The operations of the addresses (or of the webhooks) in their order. */
export function operationsOf(document: Document, items: Record<string, PathItem>): Listed[] {
  return Object.entries(items).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const parameters = [...item.parameters, ...operation.parameters].map((parameter) =>
        'name' in parameter ? parameter : resolve(document.components.parameters, parameter.$ref),
      )
      return [{ method: method.toUpperCase(), path, operation, parameters }]
    }),
  )
}

/** The headers of an answer by their name. */
export function headersOf(document: Document, { headers = {} }: Response): [name: string, about: string][] {
  return Object.entries(headers).map(([name, header]) => {
    const found =
      '$ref' in header && typeof header.$ref === 'string'
        ? resolve(document.components.headers, header.$ref)
        : header
    return [name, 'description' in found && typeof found.description === 'string' ? found.description : '']
  })
}

/** The last part of a `$ref`, which is the name of a component. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function resolve<T>(components: Record<string, T>, ref: string): T {
  const found = components[nameOf(ref)]
  if (found === undefined) throw new Error(`the OpenAPI document has no ${ref}`)
  return found
}
