type Json = Record<string, unknown>

/**
 * Makes a schema strict for the hub's own answers. The document allows members and values that later releases
 * add; an answer of this release must have none of them.
 */
export function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const { 'x-extensible-enum': values, examples: _, ...rest } = schema as Json
  const members = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, strict(value)]))
  return {
    ...members,
    ...(values === undefined ? {} : { enum: values }),
    ...('properties' in rest && !('additionalProperties' in rest) ? { additionalProperties: false } : {}),
  }
}
