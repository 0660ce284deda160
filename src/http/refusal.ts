/** One invalid field. Errors of several fields are told at once. */
export type FieldError = { field: string; error: string }

/** Why a request is not served. */
export type Refusal =
  | { refused: 'unauthenticated'; detail: string; tokenGiven: boolean }
  | { refused: 'malformed'; detail: string; field: string }
  | { refused: 'invalid'; errors: readonly [FieldError, ...FieldError[]] }
  | { refused: 'conflicting'; detail: string; field: string }
  | { refused: 'too-late'; detail: string }
  | { refused: 'refused-by-psp'; detail: string }
  | { refused: 'used-up'; detail: string; field: string }
  | { refused: 'forbidden'; detail: string }
  | { refused: 'not-found'; detail: string }
  | { refused: 'method-not-allowed'; allow: readonly string[] }
  | { refused: 'too-large'; limit: number }
  | { refused: 'unsupported-media-type'; expected: string }
  | { refused: 'too-many'; name: string; limit: number; period: number }
  | { refused: 'upgrade-required'; detail: string }
  | { refused: 'too-many-listeners'; detail: string }
  | { refused: 'unavailable'; detail: string; retryAfter: number }

const STATUS: Record<Refusal['refused'], [status: number, title: string]> = {
  unauthenticated: [401, 'Unauthorized'],
  malformed: [400, 'Bad Request'],
  invalid: [422, 'Unprocessable Content'],
  conflicting: [422, 'Unprocessable Content'],
  'too-late': [409, 'Conflict'],
  'refused-by-psp': [422, 'Unprocessable Content'],
  'used-up': [409, 'Conflict'],
  forbidden: [403, 'Forbidden'],
  'not-found': [404, 'Not Found'],
  'method-not-allowed': [405, 'Method Not Allowed'],
  'too-large': [413, 'Content Too Large'],
  'unsupported-media-type': [415, 'Unsupported Media Type'],
  'too-many': [429, 'Too Many Requests'],
  'upgrade-required': [426, 'Upgrade Required'],
  'too-many-listeners': [409, 'Conflict'],
  unavailable: [503, 'Service Unavailable'],
}

/**
 * A refusal as a problem (RFC 9457), with the `error` and `field` members that clients of this API read. They print
 * `field: error`, so `error` does not name the field again, and `field` is an empty text where there is none.
 */
export const problem = (refusal: Refusal): Response => {
  const [status, title] = STATUS[refusal.refused]
  const { detail, field, errors } = explain(refusal)
  return problemResponse(
    { title, status, detail, error: withoutName(detail, field), field, ...(errors ? { errors } : {}) },
    headersOf(refusal),
  )
}

/** The problem for a fault of ours: it tells nothing but the id under which the log has the rest. */
export const faultProblem = (id: string): Response => {
  const detail = `Something went wrong on our side. Our log has it as ${id}.`
  return problemResponse(
    { title: 'Internal Server Error', status: 500, detail, error: detail, field: '' },
    {},
  )
}

/** `amount must be …` and `The body is …` without the name in front. */
const withoutName = (detail: string, field: string): string => {
  const named = ['', 'The ', 'This '].map((article) => `${article}${field} `)
  const name = field === '' ? undefined : named.find((start) => detail.startsWith(start))
  return detail.slice(name?.length ?? 0)
}

type Problem = {
  title: string
  status: number
  detail: string
  error: string
  field: string
  errors?: readonly FieldError[]
}

const problemResponse = (body: Problem, headers: Record<string, string>): Response =>
  Response.json(body, {
    status: body.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })

const explain = (refusal: Refusal): { detail: string; field: string; errors?: readonly FieldError[] } => {
  switch (refusal.refused) {
    case 'invalid': {
      const [{ field }] = refusal.errors
      const detail = refusal.errors.map((invalid) => `${invalid.field} ${invalid.error}`).join('; ')
      return { detail, field, errors: refusal.errors }
    }
    case 'malformed':
    case 'conflicting':
    case 'used-up':
      return { detail: refusal.detail, field: refusal.field }
    case 'method-not-allowed':
      return { detail: `This address answers ${refusal.allow.join(', ')}.`, field: '' }
    case 'too-large':
      return { detail: `The body may have at most ${refusal.limit} bytes.`, field: '' }
    case 'unsupported-media-type':
      return { detail: `The Content-Type must be ${refusal.expected}.`, field: 'Content-Type' }
    case 'too-many':
      return { detail: `At most ${refusal.limit} requests in ${refusal.period} seconds.`, field: '' }
    case 'unauthenticated':
    case 'too-late':
    case 'refused-by-psp':
    case 'forbidden':
    case 'not-found':
    case 'upgrade-required':
    case 'too-many-listeners':
    case 'unavailable':
      return { detail: refusal.detail, field: '' }
  }
}

const headersOf = (refusal: Refusal): Record<string, string> => {
  if (refusal.refused === 'unauthenticated') return { 'www-authenticate': challenge(refusal) }
  if (refusal.refused === 'method-not-allowed') return { allow: refusal.allow.join(', ') }
  // RFC 9110, section 15.5.22.
  if (refusal.refused === 'upgrade-required') return { upgrade: 'websocket', connection: 'Upgrade' }
  if (refusal.refused === 'too-many') return rateLimit(refusal)
  if (refusal.refused === 'unavailable') return { 'retry-after': String(refusal.retryAfter) }
  return {}
}

/** RFC 6750, section 3: no error code when no credentials were given. */
const challenge = ({ detail, tokenGiven }: { detail: string; tokenGiven: boolean }): string =>
  tokenGiven
    ? `Bearer realm="payment-hub", error="invalid_token", error_description="${detail}"`
    : 'Bearer realm="payment-hub"'

/** draft-ietf-httpapi-ratelimit-headers: the quota, and that nothing of it is left until the window has passed. */
const rateLimit = ({ name, limit, period }: { name: string; limit: number; period: number }) => ({
  'retry-after': String(period),
  'ratelimit-policy': `"${name}";q=${limit};w=${period}`,
  ratelimit: `"${name}";r=0;t=${period}`,
})
