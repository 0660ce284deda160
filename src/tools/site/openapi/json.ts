/** A JSON Schema, or any other part of the document. */
export type Json = Record<string, unknown>

/** A reference to a component of the document. */
export function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of a JSON Schema that the document is made by. */
export type JsonSchema = Json & {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  minimum?: number
  format?: string
}
