import type * as v from 'valibot'
import type { Operation } from '../../../contract/operation.ts'
import { HEALTH_OPERATIONS, POS_OPERATIONS } from '../../../contract/pos-operations.ts'
import { OPERATOR_OPERATIONS } from '../../../contract/operator-operations.ts'
import { headersOf } from './headers.ts'
import { type Json, type JsonSchema, ref } from './json.ts'
import { codesOf, problemsOf } from './problems.ts'
import { nameOf } from './schemas.ts'

// OpenAPI cannot tell of a WebSocket.
const { listenToReports: _socket, ...overHttp } = POS_OPERATIONS

/** The operations of the document, by their ids. */
export const DOCUMENTED: Readonly<Record<string, Operation>> = {
  ...overHttp,
  ...HEALTH_OPERATIONS,
  ...OPERATOR_OPERATIONS,
}

/** What the operations of an address have in their parameters, by name. */
const IN_PATH: Readonly<Record<string, Json>> = {
  id: { description: 'The id.', schema: { type: 'string' } },
  day: { description: 'A day in UTC.', schema: { type: 'string', format: 'date' }, example: '2026-01-31' },
}

function pathParameters(path: string): Json[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...IN_PATH[name],
  }))
}

/** The queries of operations, by names that no schema of the document has. */
export function queries(): Record<string, v.GenericSchema> {
  return Object.fromEntries(
    Object.entries(DOCUMENTED).flatMap(([id, { query }]) => (query ? [[`query of ${id}`, query]] : [])),
  )
}

/**
 * The addresses of the document, with what can be done at each. `schemas` are the JSON Schemas of
 * bodies and queries.
 */
export function paths(schemas: Readonly<Record<string, JsonSchema>>): Json {
  const described: Record<string, Json> = {}
  for (const [id, operation] of Object.entries(DOCUMENTED)) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    described[path] = {
      ...(described[path] ?? { parameters: [...pathParameters(path), ref('parameters', 'RequestId')] }),
      [operation.method.toLowerCase()]: describe(id, operation, schemas),
    }
  }
  return described
}

function describe(id: string, operation: Operation, schemas: Readonly<Record<string, JsonSchema>>): Json {
  const { tag, summary, description, credentials, headers = [], body, answer } = operation
  const parameters = [
    ...queryParameters(schemas[`query of ${id}`]),
    ...headers.map((name) => ref('parameters', name)),
  ]
  const content = (schema: v.GenericSchema): Json => ({
    'application/json': {
      schema: ref('schemas', nameOf(schema)),
      example: sampleOf(ref('schemas', nameOf(schema)), schemas),
    },
  })
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: credentials.map((credential) => ({ [credential]: [] })),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: !operation.isBodyOptional, content: content(body) } } : {}),
    responses: {
      [answer.status]: {
        description: answer.description,
        headers: headersOf(['X-Request-Id', ...(answer.headers ?? [])]),
        content: {
          ...(answer.schema ? content(answer.schema) : {}),
          ...texts(answer.files ?? {}),
          ...(answer.events === undefined ? {} : texts({ 'text/event-stream': answer.events })),
        },
      },
      ...(answer.unchanged
        ? {
            304: {
              description: 'You have it already: it has not changed.',
              headers: headersOf(['X-Request-Id', ...answer.unchanged]),
            },
          }
        : {}),
      ...problemsOf(operation),
    },
    'x-problem-codes': Object.fromEntries(codesOf(operation)),
  }
}

function texts(described: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(described).map(([type, description]) => [
      type,
      { schema: { type: 'string', description } },
    ]),
  )
}

function queryParameters({ properties = {}, required = [] }: JsonSchema = {}): Json[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const isRequired = required.includes(name) ? { required: true } : {}
    return Object.assign({ name, in: 'query', description, schema }, isRequired)
  })
}

/**
 * A value that a JSON Schema describes, made of the examples in it. `schemas` are those that it may
 * refer to.
 */
function sampleOf(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): unknown {
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
