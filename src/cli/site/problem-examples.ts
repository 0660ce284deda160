import { PROBLEMS, type ProblemCode } from '../../http/problem-codes.ts'
import { PROBLEM_HELP } from '../../http/problem-help.ts'
import { type Refusal, problem } from '../../http/refusal.ts'
import { inRequest } from '../../request-context.ts'
import { HUB } from '../../site/placeholder.ts'

type Examples = { readonly [Code in ProblemCode]?: Refusal & { code: Code } }

/** What a client is told, in the words of the hub. A code without an example here is shown with when it comes. */
const EXAMPLES: Examples = {
  'credentials-missing': {
    code: 'credentials-missing',
    detail: 'Send an access token as Authorization: Bearer.',
  },
  'api-key-invalid': {
    code: 'api-key-invalid',
    detail: 'The API key is unknown, revoked, or of a disabled point of sale.',
  },
  'https-required': {
    code: 'https-required',
    detail: 'Use https: what is sent over http can be read.',
  },
  'address-unknown': { code: 'address-unknown', detail: 'There is nothing at this address.' },
  'job-not-found': { code: 'job-not-found', detail: 'There is no payment job with this id.' },
  'method-not-allowed': { code: 'method-not-allowed', allow: ['GET', 'HEAD'] },
  'refund-unpaid': { code: 'refund-unpaid', detail: 'Nothing was paid, so nothing can be refunded.' },
  'refund-nothing-left': {
    code: 'refund-nothing-left',
    detail: 'All that was paid has gone back, or is on its way back.',
  },
  'refund-limit': { code: 'refund-limit', detail: 'A payment can have 100 refunds at most.' },
  'cancel-too-late': {
    code: 'cancel-too-late',
    detail: 'It is too late to cancel: the payment job is SUCCESS.',
  },
  'idempotency-key-used-up': {
    code: 'idempotency-key-used-up',
    detail:
      'This Idempotency-Key was used before, and its job was deleted after its time. Take a new key for a new payment.',
    field: 'Idempotency-Key',
  },
  'body-too-large': { code: 'body-too-large', limit: 65_536 },
  'content-type-unsupported': { code: 'content-type-unsupported', expected: 'application/json' },
  'body-malformed': { code: 'body-malformed', detail: 'The body is not valid JSON.', field: 'body' },
  'fields-invalid': {
    code: 'fields-invalid',
    errors: [
      { field: 'amount', error: 'must be more than zero' },
      { field: 'order_id', error: 'must have digits only' },
    ],
  },
  'idempotency-key-reused': {
    code: 'idempotency-key-reused',
    detail: 'This Idempotency-Key was used before, for another order.',
    field: 'Idempotency-Key',
  },
  'rate-limited': { code: 'rate-limited', name: 'guardian-key', limit: 120, period: 60 },
  'internal-error': { code: 'internal-error', id: '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e' },
  'deploy-under-way': {
    code: 'deploy-under-way',
    detail: 'A new release of the hub is being deployed. Try again in a minute.',
    retryAfter: 60,
  },
  'stored-unreadable': {
    code: 'stored-unreadable',
    detail: 'This is stored in a form that this release of the hub cannot read.',
    retryAfter: 300,
  },
  unavailable: {
    code: 'unavailable',
    detail: 'A part of the hub does not answer now. Try again in a moment.',
    retryAfter: 2,
  },
  'psp-unavailable': {
    code: 'psp-unavailable',
    detail: 'The payment service provider does not answer. Try again.',
    retryAfter: 10,
  },
}

/** An answer with a problem, as the hub itself writes it: its status, its headers and its body. */
export const problemExample = async (code: ProblemCode): Promise<string> => {
  const response = inRequest(() => problem(exampleOf(code)), { origin: HUB })
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  const body = JSON.stringify(await response.json(), null, 2)
  return [`HTTP/1.1 ${response.status}`, ...headers, '', body].join('\n')
}

const exampleOf = (code: ProblemCode): Refusal => {
  const known = EXAMPLES[code]
  if (known) return known
  const detail = PROBLEM_HELP[code].when.replaceAll('`', '')
  const retryAfter = PROBLEMS[code][0] === 503 ? { retryAfter: 10 } : {}
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each code that stands above has more than these
  return { code, detail, ...retryAfter } as Refusal
}
