import type { JsonSchema } from './json.ts'

/** A value that a JSON Schema describes, made of the examples in it. `schemas` are those that it may refer to. */
export function sampleOf(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): unknown {
  const { $ref, examples = [], enum: values = [], anyOf: [choice] = [], type, items, required = [] } = schema
  if ($ref !== undefined) return sampleOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  if (examples.length > 0) return examples[0]
  if ('const' in schema) return schema['const']
  if (values.length > 0) return values[0]
  switch (typeof type === 'string' ? type : (type?.[0] ?? '')) {
    case 'object':
      return Object.fromEntries(
        required.map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, schemas)]),
      )
    case 'array':
      return [sampleOf(items ?? {}, schemas)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return textOf(schema)
    default:
      return choice ? sampleOf(choice, schemas) : null
  }
}

function textOf({ format }: JsonSchema): string {
  if (format === 'uuid') return '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
  if (format === 'uri') return 'https://pay.example.com/pay/5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11.c41f70'
  return 'text'
}
