import { type Json, type Parameter, ref } from './openapi.ts'

function text(description: string, schema: Json, isRequired = true): Json {
  return { description, required: isRequired, schema: { type: 'string', ...schema } }
}

const SIGNATURE =
  'The hex HMAC-SHA512 of the raw body, keyed by the signing secret of the point of sale as ' +
  'text. Check it before you parse.'
const SIGNATURE_FORM = { pattern: '^[0-9a-f]{128}$' }
const REQUEST_ID_FORM = { pattern: '^[A-Za-z0-9._:-]{1,128}$' }
const TRACE_HEAD_FORM = { pattern: '^steps=[0-9]+, sha256=[0-9a-f]{64}, signature=[0-9a-f]{128}$' }

const SECONDS: Json = { type: 'integer', minimum: 1 }

export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Signature': text(SIGNATURE, SIGNATURE_FORM),
  'X-Signature-Once-Known': text(
    `${SIGNATURE} A problem has it once the hub knows who you are: not a 401, an unknown address ` +
      'or an unsupported method.',
    SIGNATURE_FORM,
    false,
  ),
  'X-Signature-Of-Json': {
    ...text(`${SIGNATURE} A stream of events has none.`, SIGNATURE_FORM, false),
    'x-required-with': 'application/json',
  },
  ETag: {
    ...text('The tag of this body, for `If-None-Match`.', { pattern: '^"[^"]+"$' }, false),
    'x-required-with': 'application/json',
  },
  'X-Trace-Head': text(
    'The hash of the trace of the job, with a signature: keep it, and you can prove what the hub ' +
      'told you. Only with `Prefer: trace-head`.',
    TRACE_HEAD_FORM,
    false,
  ),
  'Preference-Applied': text('The `wait` that the hub applied.', { pattern: '^wait=[0-9]+$' }, false),
  'X-Request-Id': text(
    'The id of this request: your own if you sent one, otherwise one from the hub. The operator can find it in the log.',
    REQUEST_ID_FORM,
  ),
  Location: text('The address of the payment job.', { format: 'uri-reference' }),
  'Content-Language': text('The language of the names.', { examples: ['nl'] }),
  'WWW-Authenticate': text('The challenge of RFC 6750, section 3.', { pattern: '^Bearer ' }),
  'WWW-Authenticate-Of-Rights': text('The challenge, if a right of the API key is missing.', {}, false),
  'Set-Cookie': text('The cookie of the session, for browsers.', { pattern: '^(__Host-)?hub-session=' }),
  'Accept-Encoding': text(
    '`identity`, if the body was compressed: the hub takes it only uncompressed.',
    { const: 'identity' },
    false,
  ),
  'Retry-After': { description: 'Wait this many seconds, then repeat.', required: true, schema: SECONDS },
  'RateLimit-Policy': text('The limit, in the form of draft-ietf-httpapi-ratelimit-headers.', {
    examples: ['"create";q=20000;w=10'],
  }),
  'RateLimit-Policy-Of-Limits': text('The limit, if it is one of requests.', {}, false),
  'RateLimit-Of-Limits': text('What is left of the limit, and until when.', {}, false),
  RateLimit: text('What is left of the limit, and until when.', { examples: ['"create";r=0;t=10'] }),
}

/** Returns an answer's headers, by the names of their components. */
export function headersOf(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    names.map((name) => [
      name.replace(/-Once-Known|-Of-Json|-Of-Limits|-Of-Rights/, ''),
      ref('headers', name),
    ]),
  )
}

function inRequest(name: string, description: string, example: string, schema: Json = {}): Parameter {
  return { name, in: 'header', description, schema: { type: 'string', ...schema }, example }
}

function idempotencyKey(example: string): Parameter {
  return inRequest(
    'Idempotency-Key',
    'A key of your own for this one request. A repetition with the same key and the same body ' +
      'does nothing twice, and gets the ' +
      'same answer. Send one with each create, capture and refund, and never reuse a key for another.',
    example,
    { pattern: '^[!-~]{1,255}$' },
  )
}

export const REQUEST_HEADERS: Readonly<Record<string, Parameter>> = {
  IdempotencyKey: idempotencyKey('order-1001-attempt-1'),
  IdempotencyKeyOfRefund: idempotencyKey('return-77'),
  IdempotencyKeyOfCapture: idempotencyKey('parcel-1'),
  RefundPin: inRequest(
    'Refund-PIN',
    'The PIN for refunds that the operator gave the point of sale. Only a key without the right to refund needs it.',
    '482913',
  ),
  RequestId: inRequest(
    'X-Request-Id',
    'An id of your own for this request. The answer, the log and the reports have it. The hub ignores one of another form.',
    'till-3-000871',
  ),
  Prefer: inRequest(
    'Prefer',
    '`wait=N` (RFC 7240): answer when the job changes, or after N seconds, at most 55. ' +
      '`trace-head`: answer with the header `X-Trace-Head`.',
    'wait=30',
  ),
  IfNoneMatch: inRequest(
    'If-None-Match',
    'The `ETag` of the job that you have. If the job has not changed, the answer is a 304; with ' +
      '`Prefer: wait`, the hub first waits for a change.',
    '"0f343b0931126a20f133d67c2b018a3b"',
  ),
  LastEventId: inRequest(
    'Last-Event-ID',
    'With `Accept: text/event-stream`: the id of the last step that you got. The stream continues after it.',
    '1790000000000000',
  ),
}

function inReport(name: string, description: string, schema: Json): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string', ...schema } }
}

/** The headers of a report to a point of sale. */
export const REPORT_HEADERS: readonly Parameter[] = [
  inReport('X-Signature', SIGNATURE, SIGNATURE_FORM),
  inReport(
    'X-Trace-Head',
    'The hash of the trace, with a signature: keep it to prove what the hub told you.',
    TRACE_HEAD_FORM,
  ),
  inReport(
    'X-Request-Id',
    'The id of the request that caused the report, if there was one; otherwise an id of its own.',
    REQUEST_ID_FORM,
  ),
  inReport('webhook-id', 'The same in each try at a report (Standard Webhooks).', { pattern: '^msg_' }),
  inReport('webhook-timestamp', 'When this try was made, in Unix seconds.', { pattern: '^\\d+$' }),
  inReport(
    'webhook-signature',
    'HMAC-SHA256 signatures in the form of Standard Webhooks, one for each valid secret.',
    { pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  ),
]
