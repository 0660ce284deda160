import { type JsonSchema, byKind } from '../openapi/openapi.ts'

/** Makes a Markdown table, or an empty text without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** Escapes a description for VitePress: outside of code, `<` begins no element. */
export function prose(text = ''): string {
  return text.replaceAll(/(`[^`]*`)|</g, (_, code: string | undefined) => code ?? '&lt;')
}

/** Returns a row for each field of an object; nested fields are named `payments.status`. */
function rowsOf({ properties = {}, required = [] }: JsonSchema, before = ''): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const shown = `\`${before}${name}\`${required.includes(name) ? '' : '<br>may be missing'}`
    return [[shown, described(field)]].concat(
      rowsOf(field, `${before}${name}.`),
      field.items ? rowsOf(field.items, `${before}${name}[].`) : [],
    )
  })
}

export function fieldsTable(schema: JsonSchema): string {
  return table(['field', 'what it is'], rowsOf(schema))
}

export function described(schema: JsonSchema, description = schema.description): string {
  const kind = kindOf(schema)
  return description === undefined ? kind : `${kind}.<br>${prose(description)}`
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  unknown: 'anything',
}

/** Longer lists, such as that of the currencies, are only counted. */
const MOST_VALUES = 12

/** Describes a schema's values in words: `text, at most 64 characters`. */
export function kindOf(schema: JsonSchema): string {
  return byKind<string>(schema, {
    ref: componentLink,
    values: (values) =>
      values.length > MOST_VALUES
        ? `one of ${values.length} values`
        : values.map((value) => (value === '' ? 'an empty text' : `\`${String(value)}\``)).join(', '),
    oneOf: (choices) => choices.map(kindOf).join(' or '),
    list: (item) => `list of ${kindOf(item)}${limitsOf(schema)}`,
    object: () => 'object',
    plain: (type) => (WORDS[type] ?? type) + limitsOf(schema),
  })
}

export function componentLink(name: string): string {
  return `[${name}](#${name})`
}

const FORMATS: Readonly<Record<string, string>> = { uuid: 'a UUID', uri: 'an address', date: 'a date' }

/** Larger numbers are limits of the form, which the description explains. */
const TOLD = 1e9

function limitsOf(schema: JsonSchema): string {
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
