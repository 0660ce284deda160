import { describe, expect, it } from 'vitest'
import { judge, judgeReport } from '../support/openapi/judge.ts'
import { TABLE, answerValidator } from './compile.ts'

const validate = answerValidator()
const ID = '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e'
const URL_OF_REFUNDS = `https://hub.example.com/v2/paymentjobs/${ID}/refunds`

const REFUND = {
  refund: ID,
  paymentJob: ID,
  created: '2026-11-21T10:00:00.000000Z',
  currency: 'EUR',
  amount: '5.00',
  description: 'A shirt came back',
  status: 'PENDING',
  error: null,
}
const HEADERS = {
  'content-type': 'application/json',
  'x-signature': 'a'.repeat(128),
  'x-request-id': 'till-3',
}
const PROBLEM = {
  type: 'https://hub.example.com/docs/errors#rate-limited',
  code: 'rate-limited',
  title: 'Too many requests',
  status: 429,
  detail: 'At most 120 requests in 60 seconds.',
  error: 'At most 120 requests in 60 seconds.',
  field: '',
}
const OF_PROBLEM = { ...HEADERS, 'content-type': 'application/problem+json' }
const LIMITED = {
  ...OF_PROBLEM,
  'retry-after': '60',
  'ratelimit-policy': '"create";q=1;w=60',
  ratelimit: '"create";r=0;t=60',
}
const NOWHERE = 'https://hub.example.com/nowhere'

type Changes = {
  method?: string
  url?: string
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

function judged({
  method = 'POST',
  url = URL_OF_REFUNDS,
  status = 201,
  headers = HEADERS,
  body = REFUND,
}: Changes): string {
  return judge(TABLE, validate, {
    method,
    url,
    status,
    headers: new Headers(headers),
    body: JSON.stringify(body),
  }).join()
}

/** Headers without one. */
function without(name: string, headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
}

describe('an answer', () => {
  it.each<[string, Changes]>([
    ['as documented', {}],
    ['at an address with a slash at its end', { url: `${URL_OF_REFUNDS}/` }],
    ['that is a documented problem', { status: 429, headers: LIMITED, body: PROBLEM }],
    ['to a HEAD, which has no body', { method: 'HEAD', status: 200, body: null }],
    ['of an address that is no operation', { url: 'https://hub.example.com/pay/1', status: 200, body: {} }],
    [
      'that sends plain http on',
      { method: 'GET', url: URL_OF_REFUNDS.replace('https', 'http'), status: 308 },
    ],
  ])('%s is promised', (_, changes) => {
    expect(judged(changes)).toBe('')
  })

  const limited = (headers: Record<string, string>, body: object = PROBLEM) => ({
    status: 429,
    headers,
    body,
  })
  it.each<[string, Changes, string]>([
    ['of another status', { status: 200 }, 'createRefund does not document 200'],
    ['of another type', { headers: { ...HEADERS, 'content-type': 'text/plain' } }, 'text/plain with 201'],
    ['without its signature', { headers: without('x-signature', HEADERS) }, 'it has no X-Signature'],
    ['without the request', { headers: without('x-request-id', HEADERS) }, 'it has no X-Request-Id'],
    ['with a signature of another form', { headers: { ...HEADERS, 'x-signature': 'a' } }, 'X-Signature is a'],
    ['without a member', { body: { ...REFUND, amount: undefined } }, "must have required property 'amount'"],
    ['with a member more', { body: { ...REFUND, fee: '0.10' } }, 'must NOT have additional properties'],
    ['with a value of another type', { body: { ...REFUND, amount: 5 } }, 'must be string'],
    ['without Retry-After', limited(without('retry-after', LIMITED)), 'it has no Retry-After'],
    ['of a limit, without it', limited({ ...OF_PROBLEM, 'retry-after': '1' }), 'it has no RateLimit-Policy'],
    [
      'of another code',
      limited(LIMITED, { ...PROBLEM, code: 'job-not-found' }),
      'not document job-not-found',
    ],
    [
      'that is no problem',
      { url: NOWHERE, status: 404, headers: OF_PROBLEM, body: {} },
      'its body is no Problem',
    ],
  ])('%s is not', (_, changes, wrong) => {
    expect(judged(changes)).toContain(wrong)
  })
})

it('a report without its Standard Webhooks headers is not as documented', () => {
  const wrong = judgeReport(TABLE, validate, new Headers(HEADERS), '{}')
  expect(wrong).toContain('it has no webhook-signature')
  expect(wrong.join()).toContain('its body is no PaymentJob')
})
