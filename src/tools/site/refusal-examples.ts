import type { ProblemCode } from '../../platform/http/problem-codes.ts'
import type { Refusal } from '../../platform/http/refusal.ts'

type Examples = { readonly [Code in ProblemCode]: Refusal & { code: Code } }

/** What a client is told, in the words of the hub: one refusal for each code. */
export const REFUSAL_EXAMPLES: Examples = {
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
  'token-invalid': {
    code: 'token-invalid',
    detail: 'The access token is unknown or has expired. Get a new one from the guardian.',
  },
  'operator-token-invalid': {
    code: 'operator-token-invalid',
    detail: 'Send the operator token as Authorization: Bearer.',
  },
  'access-invalid': { code: 'access-invalid', detail: 'The token of Cloudflare Access is expired.' },
  'session-invalid': { code: 'session-invalid', detail: 'The session has ended. Sign in again.' },
  'origin-refused': {
    code: 'origin-refused',
    detail: 'A change must come from a page of the hub itself: send its own Origin, or a Bearer token.',
  },
  'operator-token-not-found': {
    code: 'operator-token-not-found',
    detail: 'There is no operator token 0f3a6c1de9b24875a1c3e5f708192a3b.',
  },
  'operator-token-conflict': {
    code: 'operator-token-conflict',
    detail: 'There is an operator token Night desk already.',
    field: 'name',
  },
  'signature-invalid': { code: 'signature-invalid', detail: 'The notification is not signed by the PSP.' },
  'test-mode-only': {
    code: 'test-mode-only',
    detail: 'Time can be let pass for jobs in test mode alone.',
  },
  'role-insufficient': {
    code: 'role-insufficient',
    detail: 'This needs the role operator. Night desk has the role viewer.',
  },
  'pos-not-found': {
    code: 'pos-not-found',
    detail: 'There is no point of sale 0f3a6c1de9b24875a1c3e5f708192a3b.',
  },
  'account-not-found': { code: 'account-not-found', detail: 'There is no account mollie-live.' },
  'sandbox-payment-not-found': {
    code: 'sandbox-payment-not-found',
    detail: 'There is no such payment in the sandbox.',
  },
  'sandbox-action-unknown': {
    code: 'sandbox-action-unknown',
    detail:
      'There is no such action. It must be one of pay, fail, cancel, expire, underway, arrive, authorize, release, late, ' +
      'pay-late, refund, fail-refund, chargeback, reverse-chargeback.',
  },
  'sandbox-action-impossible': {
    code: 'sandbox-action-impossible',
    detail: 'Only an open payment can be paid. This one is expired.',
  },
  'too-many-listeners': {
    code: 'too-many-listeners',
    detail: 'This point of sale has 10 listeners already. End one of them.',
  },
  'idempotency-key-malformed': {
    code: 'idempotency-key-malformed',
    detail: 'The Idempotency-Key must have 1 to 255 visible ASCII characters.',
    field: 'Idempotency-Key',
  },
  'refund-too-much': {
    code: 'refund-too-much',
    errors: [{ field: 'amount', error: 'must be at most 12.50' }],
  },
  'refund-refused': {
    code: 'refund-refused',
    detail: 'Mollie refused the refund: Unprocessable Entity: The specified amount cannot be refunded',
  },
  'account-conflict': {
    code: 'account-conflict',
    detail: 'There is an account mollie-live already.',
    field: 'id',
  },
  'upgrade-required': {
    code: 'upgrade-required',
    detail: 'Reports are listened to over a WebSocket (Upgrade: websocket).',
  },
  'too-many-watchers': { code: 'too-many-watchers', limit: 250, retryAfter: 60 },
  'hub-misconfigured': {
    code: 'hub-misconfigured',
    detail: 'Set these secrets to at least 32 characters: SIGNING_ROOT.',
    retryAfter: 60,
  },
  'psp-unavailable': {
    code: 'psp-unavailable',
    detail: 'The payment service provider does not answer. Try again.',
    retryAfter: 10,
  },
}
