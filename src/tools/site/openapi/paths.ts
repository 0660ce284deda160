import { headersOf } from './headers.ts'
import { type Json, type Operation, ref } from './operation.ts'
import { codesOf, problemsOf } from './problems.ts'

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

/** The addresses of the document, with what can be done at each. `examples` are by the id of the operation. */
export function pathsOf(operations: readonly Operation[], examples: Examples): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const { path, method } = operation
    paths[path] = {
      ...(paths[path] ?? { parameters: [...pathParameters(path), ref('parameters', 'RequestId')] }),
      [method]: describe(operation, examples[operation.id]),
    }
  }
  return paths
}

/** What was sent and answered in a real run. */
export type Example = { request?: unknown; answer?: unknown }
export type Examples = Readonly<Record<string, Example | undefined>>

function describe(operation: Operation, example: Example = {}): Json {
  const { id, tag, summary, description, credentials, parameters, body, answer } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: credentials.map((credential) => ({ [credential]: [] })),
    ...(parameters ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: body.isRequired,
            content: { 'application/json': content(body.schema, example.request) },
          },
        }
      : {}),
    responses: {
      [answer.status]: {
        description: answer.description,
        headers: headersOf(['X-Request-Id', ...(answer.headers ?? [])]),
        content: {
          ...(answer.schema === undefined
            ? {}
            : { 'application/json': content(answer.schema, example.answer) }),
          ...Object.fromEntries(
            Object.entries(answer.files ?? {}).map(([type, text]) => [
              type,
              { schema: { type: 'string', description: text } },
            ]),
          ),
          ...(answer.events === undefined
            ? {}
            : { 'text/event-stream': { schema: { type: 'string', description: answer.events } } }),
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

function content(schema: string, example: unknown): Json {
  return {
    schema: ref('schemas', schema),
    ...(example === undefined ? {} : { example }),
  }
}
