import * as v from 'valibot'
import { amount, currency, described, documented } from './values.ts'

/**
 * Every problem that the hub answers with: its code, status and title, and the data that its refusals
 * have in addition to a sentence. A code is stable: it stays, with its meaning and status. docs/pos/errors.md and
 * docs/operating/errors.md say when each comes and what to do.
 */
export const PROBLEMS = {
  'credentials-missing': [401, 'No credentials were sent'],
  'token-invalid': [401, 'The access token is not valid'],
  'api-key-invalid': [401, 'The API key is not valid'],
  'operator-token-invalid': [401, 'The operator token is not valid'],
  'access-invalid': [401, 'The token of Cloudflare Access is not valid'],
  'session-invalid': [401, 'The session is not valid'],
  'signature-invalid': [401, 'The notification is not signed by the PSP'],
  'https-required': [403, 'Plain http is refused'],
  'test-mode-only': [403, 'This is for points of sale in test mode'],
  'insufficient-scope': [403, 'The API key has no right to this'],
  'refund-pin-missing': [403, 'The refund needs a PIN'],
  'refund-pin-wrong': [403, 'The PIN is wrong'],
  'role-insufficient': [403, 'The role does not allow this'],
  'origin-refused': [403, 'The request does not come from a page of the hub'],
  'address-unknown': [404, 'There is nothing at this address'],
  'job-not-found': [404, 'There is no such payment job'],
  'payout-not-found': [404, 'There is no such payout'],
  'pos-not-found': [404, 'There is no such point of sale'],
  'account-not-found': [404, 'There is no such PSP account'],
  'terminal-not-found': [404, 'There is no such terminal'],
  'operator-token-not-found': [404, 'There is no such operator token'],
  'session-not-found': [404, 'There is no such session'],
  'sandbox-payment-not-found': [404, 'The sandbox has no such payment'],
  'sandbox-action-unknown': [404, 'The sandbox has no such action'],
  'method-not-allowed': [405, 'The address does not support this method'],
  'refund-unpaid': [409, 'Nothing was paid'],
  'refund-nothing-left': [409, 'Nothing is left to refund'],
  'refund-limit': [409, 'The payment has too many refunds'],
  'refund-day-limit': [409, 'The refunds of the day have reached their limit'],
  'capture-not-reserved': [409, 'No money is reserved'],
  'capture-nothing-left': [409, 'Nothing is left to capture or release'],
  'capture-limit': [409, 'The payment has too many captures'],
  'job-limit': [409, 'The payment job has reached a limit'],
  'cancel-too-late': [409, 'It is too late to cancel'],
  'announce-too-late': [409, 'It is too late to announce the payment'],
  'nothing-to-clear': [409, 'There is no money to clear'],
  'sandbox-action-impossible': [409, 'This cannot happen to the payment now'],
  'too-many-listeners': [409, 'The point of sale has too many listeners'],
  'operator-token-conflict': [409, 'An operator token with this name exists', 'field'],
  'books-unexplained': [409, 'The month is not explained'],
  'month-not-over': [409, 'The month is not over'],
  'month-conflict': [409, 'The month has changed, or a later one is closed'],
  'payout-conflict': [409, 'The payout is already booked differently'],
  'restore-conflict': [409, 'The hub already has something different'],
  'idempotency-key-used-up': [409, 'The job of this Idempotency-Key was deleted', 'field'],
  'body-too-large': [413, 'The body is too large'],
  'content-type-unsupported': [415, 'The Content-Type is not supported'],
  'content-encoding-unsupported': [415, 'The Content-Encoding is not supported'],
  'body-malformed': [400, 'The body cannot be read', 'field'],
  'idempotency-key-malformed': [400, 'The Idempotency-Key cannot be read', 'field'],
  'fields-invalid': [422, 'Some fields are not valid', 'errors'],
  'refund-too-much': [422, 'More than is left to refund', 'errors'],
  'refund-refused': [422, 'The PSP refused the refund'],
  'capture-too-much': [422, 'More than is left to capture', 'errors'],
  'capture-refused': [422, 'The PSP refused the capture'],
  'release-refused': [422, 'The PSP refused to release the money'],
  'idempotency-key-reused': [422, 'The Idempotency-Key was used for something else', 'field'],
  'account-conflict': [422, 'The PSP account does not allow this', 'field'],
  'upgrade-required': [426, 'The address needs a WebSocket'],
  'rate-limited': [429, 'Too many requests'],
  'refund-pin-locked': [429, 'The PIN is locked'],
  'too-many-watchers': [429, 'The payment has too many watchers', 'retryAfter'],
  'internal-error': [500, 'The hub failed'],
  'hub-misconfigured': [503, 'The hub is not set up', 'retryAfter'],
  'stored-unreadable': [503, 'The hub cannot read what it stored', 'retryAfter'],
  'deploy-under-way': [503, 'A new release is being deployed', 'retryAfter'],
  unavailable: [503, 'A part of the hub does not answer', 'retryAfter'],
  'psp-unavailable': [503, 'The PSP does not answer', 'retryAfter'],
} as const satisfies Record<
  string,
  readonly [status: number, title: string, has?: 'field' | 'errors' | 'retryAfter']
>

export type ProblemCode = keyof typeof PROBLEMS

export const OF_A_BODY = [
  'body-malformed',
  'body-too-large',
  'content-type-unsupported',
  'content-encoding-unsupported',
  'fields-invalid',
] as const

export const InvalidField = v.object({
  field: described('The name of the field.', 'amount'),
  error: described('What is wrong with it.', 'must be more than zero'),
})

export const Problem = documented('Why a request was not served (RFC 9457).', {
  type: described(
    'The address of the page that explains this `code`.',
    'https://payment-hub.example.com/docs/errors#fields-invalid',
  ),
  title: described('The problem; each `code` has one title.', 'Some fields are not valid'),
  status: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(400),
    v.maxValue(599),
    v.description('The status of the answer.'),
    v.examples([422]),
  ),
  code: v.pipe(
    v.string(),
    v.description(
      'The code for programs to act on. A code keeps its meaning for ever; later releases may add codes.',
    ),
    v.examples(['fields-invalid']),
    v.metadata({ 'x-extensible-enum': Object.keys(PROBLEMS) }),
  ),
  detail: described('What went wrong, for people. The text may change.', 'amount must be more than zero'),
  error: described(
    '`detail` without the name of the field in front, so that `field: error` reads well.',
    'must be more than zero',
  ),
  field: described('The first field or header that is wrong; an empty text if there is none.', 'amount'),
  errors: v.exactOptional(
    v.pipe(v.array(InvalidField), v.minLength(1), v.description('Every invalid field, if any.')),
  ),
  refunds: v.exactOptional(
    documented('Of a `refund-day-limit`: how much you may refund in a day, and when the next one begins.', {
      currency,
      limit: amount('The most that you may refund in a day.'),
      used: amount('How much is refunded today.'),
      frees: v.pipe(v.string(), v.isoTimestamp(), v.description('When the next day begins.')),
    }),
  ),
})
export type Problem = v.InferOutput<typeof Problem>
