/** A JSON Schema, or any other part of the document. */
export type Json = Record<string, unknown>

/** A reference to a component of the document. */
export function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
