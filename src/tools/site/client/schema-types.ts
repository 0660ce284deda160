import { type JsonSchema, type Schemas, byKind } from '../openapi/json-schema.ts'

/** Longer lists of values, such as that of the currencies, are only a text. */
const MOST_VALUES = 12

/**
 * The schemas of these names as types of TypeScript, with their descriptions: for a program that
 * has no Valibot.
 */
export function schemaTypes(names: readonly string[], schemas: Schemas): string {
  const commentOf = (schema: JsonSchema): string => {
    const text = schema.description ?? schemas[schema.$ref?.split('/').at(-1) ?? '']?.description
    return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`
  }

  const typeOf = (schema: JsonSchema, indent: string): string => {
    const { 'x-extensible-enum': known } = schema
    return byKind<string>(Array.isArray(known) ? { enum: known } : schema, {
      ref: (name) => name,
      values: (values) =>
        values.length > MOST_VALUES ? 'string' : values.map((value) => JSON.stringify(value)).join(' | '),
      oneOf: (choices) => [...new Set(choices.map((choice) => typeOf(choice, indent)))].join(' | '),
      list: (item) => {
        const type = typeOf(item, indent)
        return /^\w+$/.test(type) ? `${type}[]` : `(${type})[]`
      },
      object: (properties, required) => {
        const inner = `${indent}  `
        const members = Object.entries(properties).map(([name, member]) => {
          const comment = commentOf(member).replace(/^(?=.)/, inner)
          return `${comment}${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(member, inner)}\n`
        })
        return `{\n${members.join('')}${indent}}`
      },
      plain: (type) => (type === 'integer' ? 'number' : type),
    })
  }

  return names
    .map((name) => {
      const schema = schemas[name] ?? {}
      return `${commentOf(schema)}export type ${name} = ${typeOf(schema, '')}\n`
    })
    .join('\n')
}
