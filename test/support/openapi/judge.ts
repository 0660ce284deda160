import type { AnswerRule, AnswerTable, OperationRule } from './answer-table.ts'

/** Validates a body: null if it matches the schema, otherwise the errors as text. */
export type Validate = (schema: string, body: unknown) => string | null

/** The judged parts of a request and its answer; `body` is null if it is not JSON. */
type Exchange = { method: string; url: string; status: number; headers: Headers; body: string | null }

const PROBLEM = 'application/problem+json'

/** Lists every difference between an answer and the document; empty if they agree. */
export function judge(
  { operations, problems }: AnswerTable,
  validate: Validate,
  exchange: Exchange,
): string[] {
  const { status, headers } = exchange
  const contentType = mediaTypeOf(headers)
  const operation = operationOf(operations, exchange)
  if (!operation) {
    if (contentType !== PROBLEM) return []
    const rule = problems[status] ?? { contentType: PROBLEM, schema: 'Problem', headers: [] }
    return wrongWith(rule, validate, exchange)
  }
  if (isSentOn(exchange)) return []
  const rules = operation.answers[status]
  if (!rules) return [`${operation.id} does not document ${status}`]
  const rule = rules.find((one) => one.contentType === contentType)
  if (!rule) return [`${operation.id} does not document ${contentType} with ${status}`]
  return [...wrongWith(rule, validate, exchange), ...wrongCode(operation, exchange)]
}

/** Lists every difference between a report and the document. */
export function judgeReport(
  { report }: AnswerTable,
  validate: Validate,
  headers: Headers,
  body: string,
): string[] {
  return [
    ...(mediaTypeOf(headers) === report.contentType
      ? []
      : [`its Content-Type is ${headers.get('content-type')}`]),
    ...wrongWith(report, validate, { method: 'POST', headers, body }),
  ]
}

export function mediaTypeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The router accepts any number of trailing slashes, and answers HEAD like GET. */
function operationOf(
  operations: readonly OperationRule[],
  { method, url }: Exchange,
): OperationRule | undefined {
  const path = new URL(url).pathname.replace(/\/+$/, '').split('/')
  const asked = method === 'HEAD' ? 'GET' : method
  return operations.find(
    (operation) =>
      operation.method === asked &&
      operation.path.length === path.length &&
      // An empty part stands for a parameter, which is never empty itself. The first part is the text before
      // the first slash.
      operation.path.every((part, at) => (part === '' && at > 0 ? path[at] !== '' : path[at] === part)),
  )
}

/** The hub redirects plain http to https, whatever the address. */
function isSentOn({ url, status }: Exchange): boolean {
  return url.startsWith('http:') && status === 308
}

function wrongWith(
  rule: AnswerRule,
  validate: Validate,
  { headers, body, method }: Pick<Exchange, 'headers' | 'body' | 'method'>,
): string[] {
  const wrongHeaders = rule.headers.flatMap(({ name, isRequired, pattern }) => {
    const value = headers.get(name)
    if (value === null) return isRequired ? [`it has no ${name}`] : []
    return pattern !== null && !new RegExp(pattern, 'u').test(value) ? [`${name} is ${value}`] : []
  })
  if (method === 'HEAD' || body === null || rule.schema === '') return wrongHeaders
  const wrongBody = validate(rule.schema, JSON.parse(body))
  return wrongBody === null ? wrongHeaders : [...wrongHeaders, `its body is no ${rule.schema}: ${wrongBody}`]
}

function wrongCode({ id, codes }: OperationRule, { status, body, method, headers }: Exchange): string[] {
  if (mediaTypeOf(headers) !== PROBLEM || body === null || method === 'HEAD') return []
  const { code } = JSON.parse(body) as { code: string }
  return codes[status]?.includes(code) ? [] : [`${id} does not document ${code} with ${status}`]
}
