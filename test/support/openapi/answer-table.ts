type Json = Record<string, unknown>

/** A header of an answer: its value must match `pattern`, where it has one. */
type HeaderRule = { name: string; isRequired: boolean; pattern: string | null }

/** What one status of an operation looks like; `schema` names a component. */
export type AnswerRule = { contentType: string; schema: string; headers: readonly HeaderRule[] }

/** An operation: its path as the parts between the slashes, a parameter as an empty one. */
export type OperationRule = {
  id: string
  method: string
  path: readonly string[]
  answers: Readonly<Record<string, readonly AnswerRule[]>>
  codes: Readonly<Record<string, readonly string[]>>
}

/** All that is needed to judge an answer, as plain data for another runtime. */
export type AnswerTable = {
  operations: readonly OperationRule[]
  /** The rules of problems at addresses that are no operation, by status. */
  problems: Readonly<Record<string, AnswerRule>>
  /** The report: its body, and its headers. */
  report: AnswerRule
}

/** Reads the table out of a document, which has `$ref`s in a few known places. */
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

  /** An answer without a body is of no type. What is no component is not judged further. */
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
      // The last of a status counts: the one that asks least.
      .toSorted(([, one], [, other]) => requiredIn(other) - requiredIn(one)),
  )
  return { operations, problems, report: reportOf(document['webhooks'] as Json) }
}

function requiredIn({ headers }: AnswerRule): number {
  return headers.filter(({ isRequired }) => isRequired).length
}
