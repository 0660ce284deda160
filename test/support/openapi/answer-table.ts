type Json = Record<string, unknown>

/** A header of an answer. Its value must match `pattern`, if there is one. */
type HeaderRule = { name: string; isRequired: boolean; pattern: string | null }

/** The answer of an operation with one status; `schema` is the name of a component. */
export type AnswerRule = { contentType: string; schema: string; headers: readonly HeaderRule[] }

/** An operation. Its path is split at the slashes, and a parameter is an empty part. */
export type OperationRule = {
  id: string
  method: string
  path: readonly string[]
  answers: Readonly<Record<string, readonly AnswerRule[]>>
  codes: Readonly<Record<string, readonly string[]>>
}

/** Everything needed to judge an answer, as plain data for another runtime. */
export type AnswerTable = {
  operations: readonly OperationRule[]
  /** The rules of problems at unknown addresses, by status. */
  problems: Readonly<Record<string, AnswerRule>>
  /** The rule of a report's body and headers. */
  report: AnswerRule
}

/** Reads the table from a document that has `$ref`s in a few known places. */
export function answerTable(document: Json): AnswerTable {
  const at = (reference: string): Json =>
    reference
      .slice(2)
      .split('/')
      .reduce((part, name) => part[name] as Json, document)
  const resolved = (part: Json): Json => (typeof part['$ref'] === 'string' ? at(part['$ref']) : part)

  const ruleOf = (name: string, part: Json, contentType: string): HeaderRule => {
    const { required, schema } = part as { required?: boolean; schema: { pattern?: string } }
    const isRequired = required === true || part['x-required-with'] === contentType
    return { name, isRequired, pattern: schema.pattern ?? null }
  }

  const headersOf = (answer: Json, contentType: string): HeaderRule[] =>
    Object.entries((answer['headers'] ?? {}) as Record<string, Json>).map(([name, reference]) =>
      ruleOf(name, resolved(reference), contentType),
    )

  const rulesOf = (reference: Json): AnswerRule[] => {
    const answer = resolved(reference)
    return contentOf(answer['content']).map((content) => ({
      ...content,
      headers: headersOf(answer, content.contentType),
    }))
  }

  /** An answer without a body has no content type. Only schemas that are components are judged. */
  const contentOf = (content: unknown = { '': { schema: {} } }) =>
    Object.entries(content as Record<string, { schema: Json }>).map(([contentType, { schema }]) => ({
      contentType,
      schema: (typeof schema['$ref'] === 'string' ? schema['$ref'] : '').split('/').at(-1) ?? '',
    }))

  const reportOf = (webhooks: Json): AnswerRule => {
    const { post } = webhooks['report'] as {
      post: { parameters: (Json & { name: string })[]; requestBody: Json }
    }
    const [content = { contentType: '', schema: '' }] = contentOf(post.requestBody['content'])
    return { ...content, headers: post.parameters.map((parameter) => ruleOf(parameter.name, parameter, '')) }
  }

  const operationsOf = (path: string, item: Json): OperationRule[] =>
    Object.entries(item as Record<string, Json>).flatMap(([method, operation]) =>
      method === 'parameters'
        ? []
        : [
            {
              id: String(operation['operationId']),
              method: method.toUpperCase(),
              path: path.split('/').map((part) => (part.startsWith('{') ? '' : part)),
              answers: Object.fromEntries(
                Object.entries(operation['responses'] as Record<string, Json>).map(([status, answer]) => [
                  status,
                  rulesOf(answer),
                ]),
              ),
              codes: operation['x-problem-codes'] as Record<string, string[]>,
            },
          ],
    )

  const operations = Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
    operationsOf(path, item),
  )
  const problems = Object.fromEntries(
    operations
      .flatMap(({ answers }) =>
        Object.entries(answers).flatMap(([status, [rule]]) =>
          rule?.contentType === 'application/problem+json' ? [[status, rule] as const] : [],
        ),
      )
      // For a repeated status, the last rule counts: it is the least strict.
      .toSorted(([, one], [, other]) => requiredIn(other) - requiredIn(one)),
  )
  return { operations, problems, report: reportOf(document['webhooks'] as Json) }
}

function requiredIn({ headers }: AnswerRule): number {
  return headers.filter(({ isRequired }) => isRequired).length
}
