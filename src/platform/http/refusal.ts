import { currentOrigin } from '../request-context.ts'
import { type Problem, type ProblemCode, PROBLEMS } from '../../contract/problems.ts'
import * as v from 'valibot'
import { refuse, type Result } from '../../contract/result.ts'

export type FieldError = { field: string; error: string }

/** The codes whose refusals have this kind of data, by their rows of `PROBLEMS`. */
type CodeWith<Has extends string> = {
  [Code in ProblemCode]: (typeof PROBLEMS)[Code] extends readonly [number, string, Has] ? Code : never
}[ProblemCode]

/** Why the hub does not serve a request: a code, and the data of its problem. */
export type Refusal =
  | WithData
  /** All others only need a sentence. */
  | { code: Exclude<ProblemCode, WithData['code']>; detail: string }

type WithData =
  | { code: CodeWith<'field'>; detail: string; field: string }
  | { code: CodeWith<'errors'>; errors: readonly [FieldError, ...FieldError[]] }
  | { code: CodeWith<'retryAfter'>; detail: string; retryAfter: number }
  | { code: 'refund-day-limit'; detail: string; refunds: NonNullable<Problem['refunds']> }
  | { code: 'insufficient-scope'; detail: string; right: string }
  | { code: 'method-not-allowed'; allow: readonly string[] }
  | { code: 'body-too-large'; limit: number }
  | { code: 'content-type-unsupported'; expected: string }
  | { code: 'content-encoding-unsupported' }
  | { code: 'rate-limited'; name: string; limit: number; period: number }
  | { code: 'refund-pin-locked'; detail: string; name: string; limit: number; period: number }
  | { code: 'internal-error'; id: string }

/**
 * Answers a refusal as a problem (RFC 9457), with the members `error` and `field` for clients of this
 * API. They print `field: error`, so `error` leaves out the field's name. `field` is empty if no
 * field is wrong. `type` is the address in `/docs/errors` that explains the code.
 */
export function problem(refusal: Refusal): Response {
  const { code } = refusal
  const [status, title] = PROBLEMS[code]
  const { detail, field, errors } = explain(refusal)
  const type = `${currentOrigin()}/docs/errors#${code}`
  const error = withoutName(detail, field)
  const more = {
    ...(errors ? { errors } : {}),
    ...('refunds' in refusal ? { refunds: refusal.refunds } : {}),
  }
  return Response.json(
    { type, code, title, status, detail, error, field, ...more },
    { status, headers: { 'content-type': 'application/problem+json', ...headersOf(refusal) } },
  )
}

/** Removes the field's name from the front: `amount must be …`, `The body is …`. */
function withoutName(detail: string, field: string): string {
  const named = ['', 'The ', 'This '].map((article) => `${article}${field} `)
  const name = field === '' ? undefined : named.find((start) => detail.startsWith(start))
  return detail.slice(name?.length ?? 0)
}

function explain(refusal: Refusal): { detail: string; field: string; errors?: readonly FieldError[] } {
  if ('errors' in refusal) {
    const { errors } = refusal
    const detail = errors.map(({ field, error }) => `${field} ${error}`).join('; ')
    return { detail, field: errors[0].field, errors }
  }
  return { detail: detailOf(refusal), field: fieldOf(refusal) }
}

function detailOf(refusal: Exclude<Refusal, { errors: unknown }>): string {
  if ('detail' in refusal) return refusal.detail
  switch (refusal.code) {
    case 'method-not-allowed':
      return `This address only supports ${refusal.allow.join(', ')}.`
    case 'body-too-large':
      return `The body may have at most ${refusal.limit} bytes.`
    case 'content-type-unsupported':
      return `The Content-Type must be ${refusal.expected}.`
    case 'content-encoding-unsupported':
      return 'The Content-Encoding must be identity: send the body uncompressed.'
    case 'rate-limited':
      return `The limit is ${refusal.limit} requests in ${refusal.period} seconds.`
    case 'internal-error':
      return `Something went wrong on our side. Our log has it as ${refusal.id}.`
  }
}

function fieldOf(refusal: Refusal): string {
  if (refusal.code === 'content-type-unsupported') return 'Content-Type'
  if (refusal.code === 'content-encoding-unsupported') return 'Content-Encoding'
  return 'field' in refusal ? refusal.field : ''
}

function headersOf(refusal: Refusal): Record<string, string> {
  if ('detail' in refusal && (PROBLEMS[refusal.code][0] === 401 || 'right' in refusal))
    return { 'www-authenticate': challenge(refusal) }
  if (refusal.code === 'method-not-allowed') return { allow: refusal.allow.join(', ') }
  // RFC 9110, sections 12.5.3 and 15.5.16.
  if (refusal.code === 'content-encoding-unsupported') return { 'accept-encoding': 'identity' }
  // RFC 9110, section 15.5.22.
  if (refusal.code === 'upgrade-required') return { upgrade: 'websocket', connection: 'Upgrade' }
  if ('period' in refusal) return rateLimit(refusal)
  return 'retryAfter' in refusal ? { 'retry-after': String(refusal.retryAfter) } : {}
}

/** Returns the challenge: without an error code if no credentials came (RFC 6750, section 3). */
function challenge(refusal: Extract<Refusal, { detail: string }>): string {
  const realm = 'Bearer realm="payment-hub"'
  if (refusal.code === 'credentials-missing' || refusal.code === 'signature-invalid') return realm
  const error = 'right' in refusal ? `insufficient_scope", scope="${refusal.right}` : 'invalid_token'
  return `${realm}, error="${error}", error_description="${refusal.detail}"`
}

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers for a used-up limit. */
function rateLimit({ name, limit, period }: { name: string; limit: number; period: number }) {
  return {
    'retry-after': String(period),
    'ratelimit-policy': `"${name}";q=${limit};w=${period}`,
    ratelimit: `"${name}";r=0;t=${period}`,
  }
}

/** Returns the first error of each field, in the order of the schema. */
export function errorsOf(issues: readonly v.BaseIssue<unknown>[]): Map<string, string> {
  const errors = new Map<string, string>()
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? 'body'
    // Valibot's own message for a missing member does not read well.
    if (!errors.has(field)) errors.set(field, issue.received === 'undefined' ? 'is required' : issue.message)
  }
  return errors
}

export function invalid(issues: readonly v.BaseIssue<unknown>[]): Result<never, Refusal> {
  return invalidFields(errorsOf(issues))
}

/** Makes a refusal of the fields' errors, in the order of `fields`, if given. */
export function invalidFields(
  errors: ReadonlyMap<string, string>,
  fields: readonly string[] = [...errors.keys()],
): Result<never, Refusal> {
  const [first = { field: 'body', error: 'is invalid' }, ...others] = fields.flatMap(
    (field): FieldError[] => {
      const error = errors.get(field)
      return error === undefined ? [] : [{ field, error }]
    },
  )
  return refuse({ code: 'fields-invalid', errors: [first, ...others] })
}

export function invalidField(field: string, error: string): Result<never, Refusal> {
  return invalidFields(new Map([[field, error]]))
}
