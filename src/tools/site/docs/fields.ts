import { type Schema, nameOf } from './openapi-types.ts'

/** A table in Markdown, or nothing when it has no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/**
 * A description of the OpenAPI document as VitePress takes it: outside of code, `<` begins no
 * element.
 */
export function prose(text: string | undefined): string {
  return (text ?? '').replaceAll(/(`[^`]*`)|</g, (_, code: string | undefined) => code ?? '&lt;')
}

type Field = { name: string; schema: Schema; isRequired: boolean }

/**
 * The fields of an object, those of objects within it under the name of both: `payments.status`.
 */
function fieldsOf({ properties = {}, required = [] }: Schema, before = ''): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    [{ name: before + name, schema, isRequired: required.includes(name) }].concat(
      fieldsOf(schema, `${before}${name}.`),
      schema.items ? fieldsOf(schema.items, `${before}${name}[].`) : [],
    ),
  )
}

/** A table of the fields of an object: what each may be, and what it means. */
export function fieldsTable(schema: Schema): string {
  return table(
    ['field', 'what it is'],
    fieldsOf(schema).map(({ name, schema: field, isRequired }) => [
      isRequired ? `\`${name}\`` : `\`${name}\`<br>may be missing`,
      described(kindOf(field), field.description),
    ]),
  )
}

/** What a value is, and what it means, in one cell. */
export function described(kind: string, description: string | undefined): string {
  return description === undefined ? kind : `${kind}.<br>${prose(description)}`
}

/** What values a schema takes, in words: `text, at most 64 characters`. */
export function kindOf(schema: Schema): string {
  if (schema.$ref !== undefined) return componentLink(nameOf(schema.$ref))
  if (schema.anyOf) return schema.anyOf.map(kindOf).join(' or ')
  if (schema.items) return `list of ${kindOf(schema.items)}${limitsOf(schema)}`
  if (schema.enum) return valuesOf(schema.enum)
  if (schema.const !== undefined) return valuesOf([schema.const])
  const types = [schema.type ?? 'anything'].flat()
  return types.map((type) => WORDS[type] ?? type).join(' or ') + limitsOf(schema)
}

/** A link to the paragraph of a component, which is on the same page. */
export function componentLink(name: string): string {
  return `[${name}](#${name})`
}

/** Longer lists, such as that of the currencies, are only counted. */
const MOST_VALUES = 12

function valuesOf(values: readonly unknown[]): string {
  if (values.length > MOST_VALUES) return `one of ${values.length} values`
  return values.map((value) => `\`${String(value)}\``).join(', ')
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
}

const FORMATS: Readonly<Record<string, string>> = { uuid: 'a UUID', uri: 'an address', date: 'a date' }

/** Larger numbers are limits of the form, which the description tells in words. */
const TOLD = 1e9

function limitsOf(schema: Schema): string {
  const { minLength = 0, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const limits = [
    FORMATS[schema.format ?? ''],
    maxLength !== undefined && `${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    exclusiveMaximum !== undefined && exclusiveMaximum <= TOLD && `less than ${exclusiveMaximum}`,
    schema.maxItems !== undefined && `at most ${schema.maxItems}`,
  ]
  return limits.flatMap((limit) => (limit ? `, ${limit}` : [])).join('')
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e',
  uri: 'https://shop.example.com/thanks',
  date: '2026-11-21',
  'date-time': '2026-11-21T10:00:00Z',
}

/**
 * A value that a schema takes, made of the examples in it: for a body that the document has no
 * example of.
 */
export function exampleOf(schema: Schema, components: Readonly<Record<string, Schema>>): unknown {
  if (schema.$ref !== undefined) return exampleOf(components[nameOf(schema.$ref)] ?? {}, components)
  const [first] = schema.examples ?? schema.enum ?? []
  if (first !== undefined) return first
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, components)
  const [type] = [schema.type ?? 'object'].flat()
  if (type === 'array') return schema.items ? [exampleOf(schema.items, components)] : []
  if (type === 'object') {
    const { properties = {}, required = Object.keys(properties) } = schema
    const shown = Object.entries(properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, components)]))
  }
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return false
  return type === 'null' ? null : (BY_FORMAT[schema.format ?? ''] ?? '…')
}
