/**
 * Every problem that the hub answers with: its code, status and title. A code is stable: it is never taken away, and never gets
 * another meaning or status. `problem-help.ts` says when each comes and what to do.
 */
export const PROBLEMS = {
  'credentials-missing': [401, 'No credentials were sent'],
  'token-invalid': [401, 'The access token is not valid'],
  'api-key-invalid': [401, 'The API key is not valid'],
  'operator-token-invalid': [401, 'The operator token is not valid'],
  'signature-invalid': [401, 'The notification is not signed by the PSP'],
  'https-required': [403, 'Plain http is refused'],
  'address-unknown': [404, 'There is nothing at this address'],
  'job-not-found': [404, 'There is no such payment job'],
  'pos-not-found': [404, 'There is no such point of sale'],
  'account-not-found': [404, 'There is no such PSP account'],
  'sandbox-payment-not-found': [404, 'The sandbox has no such payment'],
  'sandbox-action-unknown': [404, 'The sandbox has no such action'],
  'method-not-allowed': [405, 'The address has other methods'],
  'refund-unpaid': [409, 'Nothing was paid'],
  'refund-nothing-left': [409, 'Nothing is left to refund'],
  'refund-limit': [409, 'The payment has too many refunds'],
  'cancel-too-late': [409, 'It is too late to cancel'],
  'sandbox-action-impossible': [409, 'This cannot happen to the payment now'],
  'idempotency-key-used-up': [409, 'The job of this Idempotency-Key was deleted'],
  'body-too-large': [413, 'The body is too large'],
  'content-type-unsupported': [415, 'The Content-Type is not supported'],
  'body-malformed': [400, 'The body cannot be read'],
  'idempotency-key-malformed': [400, 'The Idempotency-Key cannot be read'],
  'fields-invalid': [422, 'Some fields are not valid'],
  'refund-too-much': [422, 'More than is left to refund'],
  'refund-refused': [422, 'The PSP refused the refund'],
  'idempotency-key-reused': [422, 'The Idempotency-Key was used for something else'],
  'account-conflict': [422, 'The PSP account does not allow this'],
  'rate-limited': [429, 'Too many requests'],
  'too-many-watchers': [429, 'Too many wait for this payment'],
  'internal-error': [500, 'The hub met a fault'],
  'hub-misconfigured': [503, 'The hub is not set up'],
  'stored-unreadable': [503, 'A newer release of the hub wrote this'],
  'deploy-under-way': [503, 'A new release is being deployed'],
  unavailable: [503, 'A part of the hub does not answer'],
  'psp-unavailable': [503, 'The PSP does not answer'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemCode = keyof typeof PROBLEMS
