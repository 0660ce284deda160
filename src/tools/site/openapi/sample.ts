import type { Json } from './json.ts'

/** A value that a JSON Schema describes, made of the examples in it. `schemas` are those that it may refer to. */
export function sampleOf(schema: Json, schemas: Readonly<Record<string, Json>>): unknown {
  const of = (part: unknown): unknown => sampleOf((part ?? {}) as Json, schemas)
  if (typeof schema['$ref'] === 'string') return of(schemas[schema['$ref'].split('/').at(-1) ?? ''])
  const [example] = (schema['examples'] as unknown[] | undefined) ?? []
  if (example !== undefined) return example
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const [choice] = ((schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Json[] | undefined) ?? []
  if (choice && schema['type'] !== 'object') return of(choice)
  const type = Array.isArray(schema['type']) ? (schema['type'][0] as unknown) : schema['type']
  if (type === 'object') {
    const required = new Set((schema['required'] as string[] | undefined) ?? [])
    return Object.fromEntries(
      Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
        .filter(([name]) => required.has(name))
        .map(([name, property]) => [name, of(property)]),
    )
  }
  if (type === 'array') return [of(schema['items'])]
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1
  if (type === 'boolean') return true
  return type === 'string' ? textOf(schema) : null
}

function textOf({ format }: Json): string {
  if (format === 'uuid') return '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
  if (format === 'uri') return 'https://hub.example.com/pay/5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
  return format === 'date-time' ? '2026-01-31T10:00:00.000Z' : 'text'
}
