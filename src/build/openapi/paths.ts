import type * as v from 'valibot'
import type { Operation } from '../../contract/operation.ts'
import { HEALTH_OPERATIONS, POS_OPERATIONS } from '../../contract/pos-operations.ts'
import { OPERATOR_OPERATIONS } from '../../contract/operator-operations.ts'
import { headersOf } from './headers.ts'
import {
  type JsonSchema,
  type Schemas,
  type Content,
  type Operation as Described,
  type Parameter,
  type PathItem,
  ref,
  sampleOf,
} from './openapi.ts'
import { codesOf, problemsOf } from './problems.ts'
import { nameOf } from './schemas.ts'

// OpenAPI cannot describe a WebSocket.
const { listenToReports: _socket, ...overHttp } = POS_OPERATIONS

/** The readers of a document. */
export type Audience = 'shops' | 'operators'

const DOCUMENTED: Readonly<Record<Audience, Readonly<Record<string, Operation>>>> = {
  shops: { ...overHttp, ...HEALTH_OPERATIONS },
  operators: OPERATOR_OPERATIONS,
}

const IN_PATH: Readonly<Record<string, Partial<Parameter>>> = {
  id: { description: 'The id.', schema: { type: 'string' } },
  terminal: { description: "The terminal's id, which is its PSP's own.", schema: { type: 'string' } },
  day: { description: 'A day in UTC.', schema: { type: 'string', format: 'date' }, example: '2026-01-31' },
  month: {
    description: 'A month in UTC.',
    schema: { type: 'string', pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])$` },
    example: '2026-01',
  },
}

function pathParameters(path: string): Parameter[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...IN_PATH[name],
  }))
}

/** Returns the queries of operations, by names that no schema of the document has. */
export function queries(audience: Audience): Record<string, v.GenericSchema> {
  return Object.fromEntries(
    Object.entries(DOCUMENTED[audience]).flatMap(([id, { query }]) =>
      query ? [[`query of ${id}`, query]] : [],
    ),
  )
}

export function paths(audience: Audience, schemas: Schemas): Record<string, PathItem> {
  const described: Record<string, PathItem> = {}
  for (const [id, operation] of Object.entries(DOCUMENTED[audience])) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    described[path] = {
      ...(described[path] ?? { parameters: [...pathParameters(path), ref('parameters', 'RequestId')] }),
      [operation.method.toLowerCase()]: describe(id, operation, schemas),
    }
  }
  return described
}

function describe(id: string, operation: Operation, schemas: Schemas): Described {
  const { tag, summary, description, credentials, headers = [], body, answer } = operation
  const parameters = [
    ...queryParameters(schemas[`query of ${id}`]),
    ...headers.map((name) => ref('parameters', name)),
  ]
  const content = (schema: v.GenericSchema): Content => {
    const named = ref('schemas', nameOf(schema))
    return { 'application/json': { schema: named, example: sampleOf(named, schemas) } }
  }
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
          ...(answer.events
            ? { 'text/event-stream': { schema: ref('schemas', nameOf(answer.events)) } }
            : {}),
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
      ...(answer.unwell && answer.schema
        ? {
            [answer.unwell.status]: {
              description: answer.unwell.description,
              headers: headersOf(['X-Request-Id', 'Retry-After']),
              content: {
                ...content(answer.schema),
                'application/problem+json': { schema: ref('schemas', 'Problem') },
              },
            },
          }
        : {}),
    },
    'x-problem-codes': Object.fromEntries(codesOf(operation)),
  }
}

function texts(described: Readonly<Record<string, string>>): Content {
  return Object.fromEntries(
    Object.entries(described).map(([type, description]) => [
      type,
      { schema: { type: 'string', description } },
    ]),
  )
}

function queryParameters({ properties = {}, required = [] }: JsonSchema = {}): Parameter[] {
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => {
    const isRequired = required.includes(name) ? { required: true } : {}
    return Object.assign({ name, in: 'query', description, schema }, isRequired)
  })
}
