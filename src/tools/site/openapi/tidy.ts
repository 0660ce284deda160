import type { Json } from './json.ts'

/**
 * A schema as people and generators read it best: a text or null is one type, not a choice of two;
 * an empty `required` says nothing; and a list of values that may grow is told as such, and allows
 * others.
 */
export function tidy(schema: unknown): Json {
  const { 'x-more-values-may-come': mayGrow, ...rest } = tidyMembers(schema)
  if (mayGrow === true && Array.isArray(rest['enum'])) {
    const { enum: values, ...others } = rest
    return { ...others, examples: values, 'x-extensible-enum': values }
  }
  if (Array.isArray(rest['required']) && rest['required'].length === 0) delete rest['required']
  const { anyOf, ...others } = rest
  const nullable = Array.isArray(anyOf) ? nullableOf(anyOf) : null
  return nullable ? { ...nullable, ...others } : rest
}

function tidyMembers(schema: unknown): Json {
  return isJson(schema)
    ? Object.fromEntries(
        Object.entries(schema).map(([name, value]) => [name, name === 'examples' ? value : tidyValue(value)]),
      )
    : {}
}

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => (isJson(one) ? tidy(one) : one))
  return isJson(value) ? tidy(value) : value
}

function nullableOf(choices: readonly unknown[]): Json | null {
  const [one, none] = choices
  return choices.length === 2 &&
    isJson(one) &&
    isJson(none) &&
    none['type'] === 'null' &&
    typeof one['type'] === 'string'
    ? {
        ...one,
        type: [one['type'], 'null'],
        ...(Array.isArray(one['enum']) ? { enum: [...(one['enum'] as unknown[]), null] } : {}),
      }
    : null
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
