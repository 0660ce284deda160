import { type Schema, nameOf } from './document.ts'

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e',
  uri: 'https://shop.example.com/thanks',
  date: '2026-11-21',
  'date-time': '2026-11-21T10:00:00Z',
}

/** A value that a schema takes, of the examples in it: what is shown where the document has no example of a real run. */
export function exampleOf(schema: Schema, components: Record<string, Schema>): unknown {
  if (schema.$ref !== undefined) return exampleOf(components[nameOf(schema.$ref)] ?? {}, components)
  const [first] = schema.examples ?? []
  if (first !== undefined) return first
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, components)
  const [type] = [schema.type ?? 'object'].flat()
  if (type === 'array') return schema.items ? [exampleOf(schema.items, components)] : []
  if (type === 'object') {
    const { properties = {}, required = [] } = schema
    const shown = Object.entries(properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(
      (shown.length > 0 ? shown : Object.entries(properties)).map(([name, field]) => [
        name,
        exampleOf(field, components),
      ]),
    )
  }
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return false
  if (type === 'null' || [schema.type].flat().includes('null')) return null
  return BY_FORMAT[schema.format ?? ''] ?? '…'
}
