import type { AnswerRule, AnswerTable, OperationRule } from './answer-table.ts'

/** What a validator of a schema found: nothing, or its errors as text. */
export type Validate = (schema: string, body: unknown) => string | null

/** A request and its answer, as far as they are judged; `body` is null where there is no JSON. */
type Exchange = { method: string; url: string; status: number; headers: Headers; body: string | null }

const PROBLEM = 'application/problem+json'

/** Why an answer is not one that the document promises; an empty list when it is. */
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

/** Why a report is not as the document promises it. */
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

/** The router takes any number of slashes at the end, and answers a HEAD as a GET. */
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
      // An empty part stands for a parameter, which is never empty itself. The first is what is
      // before the first slash.
      operation.path.every((part, at) => (part === '' && at > 0 ? path[at] !== '' : path[at] === part)),
  )
}

/** Plain http is sent on to https, wherever it asks. */
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
