import * as v from 'valibot'
import { described } from './values.ts'

/**
 * Every problem that the hub answers with: its code, status and title. A code is stable: it is
 * never taken away, and never gets another meaning or status. `PROBLEM_HELP` says when each comes
 * and what to do.
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
  'role-insufficient': [403, 'The role does not allow this'],
  'origin-refused': [403, 'The change does not come from the hub itself'],
  'address-unknown': [404, 'There is nothing at this address'],
  'job-not-found': [404, 'There is no such payment job'],
  'pos-not-found': [404, 'There is no such point of sale'],
  'account-not-found': [404, 'There is no such PSP account'],
  'operator-token-not-found': [404, 'There is no such operator token'],
  'sandbox-payment-not-found': [404, 'The sandbox has no such payment'],
  'sandbox-action-unknown': [404, 'The sandbox has no such action'],
  'method-not-allowed': [405, 'The address has other methods'],
  'refund-unpaid': [409, 'Nothing was paid'],
  'refund-nothing-left': [409, 'Nothing is left to refund'],
  'refund-limit': [409, 'The payment has too many refunds'],
  'cancel-too-late': [409, 'It is too late to cancel'],
  'sandbox-action-impossible': [409, 'This cannot happen to the payment now'],
  'too-many-listeners': [409, 'The point of sale has too many listeners'],
  'operator-token-conflict': [409, 'An operator token has this name'],
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
  'upgrade-required': [426, 'The address wants a WebSocket'],
  'rate-limited': [429, 'Too many requests'],
  'too-many-watchers': [429, 'The payment has enough watchers'],
  'internal-error': [500, 'The hub met a fault'],
  'hub-misconfigured': [503, 'The hub is not set up'],
  'stored-unreadable': [503, 'A newer release of the hub wrote this'],
  'deploy-under-way': [503, 'A new release is being deployed'],
  unavailable: [503, 'A part of the hub does not answer'],
  'psp-unavailable': [503, 'The PSP does not answer'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemCode = keyof typeof PROBLEMS

/** What a body may be refused for. */
export const OF_A_BODY = [
  'body-malformed',
  'body-too-large',
  'content-type-unsupported',
  'fields-invalid',
] as const

export const InvalidField = v.pipe(
  v.object({
    field: described('The name of the field.', 'amount'),
    error: described('What is wrong with it.', 'must be more than zero'),
  }),
  v.title('Invalid field'),
)

export const Problem = v.pipe(
  v.object({
    type: described(
      'The address of the page that explains this `code`.',
      'https://payment-hub.example.com/docs/errors#fields-invalid',
    ),
    title: described('What the problem is, the same for each of its `code`.', 'Some fields are not valid'),
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
      v.description('What a program decides by. A code keeps its meaning for ever; more codes may come.'),
      v.examples(['fields-invalid']),
      v.metadata({ 'x-extensible-enum': Object.keys(PROBLEMS) }),
    ),
    detail: described('What went wrong, for people. It may change.', 'amount must be more than zero'),
    error: described(
      '`detail` without the name of the field in front, so that `field: error` reads well.',
      'must be more than zero',
    ),
    field: described('The first field or header that is wrong; an empty text where it is none.', 'amount'),
    errors: v.exactOptional(
      v.pipe(
        v.array(InvalidField),
        v.minLength(1),
        v.description('Every invalid field, where fields are invalid.'),
      ),
    ),
  }),
  v.title('Problem'),
  v.description('Why a request was not served (RFC 9457).'),
)
export type Problem = v.InferOutput<typeof Problem>

/**
 * When each problem comes, and what to do then: its paragraph in `/docs/errors`. In Markdown. The
 * Worker does not read it.
 */
export const PROBLEM_HELP: Readonly<Record<ProblemCode, { when: string; whatToDo: string }>> = {
  'credentials-missing': {
    when: 'The request has no `Authorization: Bearer` header, or one of another scheme.',
    whatToDo: 'Send the access token, or the API key, as `Authorization: Bearer`.',
  },
  'token-invalid': {
    when: 'The access token is unknown, has expired after its 24 hours, or was ended by the operator.',
    whatToDo: 'Get a new token from the guardian and repeat the request.',
  },
  'api-key-invalid': {
    when: 'The API key is unknown or revoked, or its point of sale is disabled.',
    whatToDo: 'Check that the whole key was copied. If it was, ask the operator of the hub for a new one.',
  },
  'operator-token-invalid': {
    when: 'A request to the operator API has a token that is neither the `OPERATOR_TOKEN` of the hub nor an operator token that lives.',
    whatToDo:
      'Take the `OPERATOR_TOKEN` that the hub was deployed with, or have a token made: `token create`.',
  },
  'access-invalid': {
    when: 'The `Cf-Access-Jwt-Assertion` is not one that Cloudflare Access made for this hub, or its time is over.',
    whatToDo:
      'Sign in again. If it stays, the operator compares `ACCESS_TEAM` and `ACCESS_AUD` with the Access application.',
  },
  'session-invalid': {
    when: 'The session of the console has expired or was ended, or the token that began it was revoked.',
    whatToDo: 'Sign in again.',
  },
  'signature-invalid': {
    when: 'A notification does not have the signature that the account at the PSP makes.',
    whatToDo: 'Give the hub the key of the webhook: `psp rekey`.',
  },
  'https-required': {
    when: 'The request came over `http`, where its token and body can be read on the way.',
    whatToDo: 'Send it to the `https` address. Treat the token and key that were sent as known to others.',
  },
  'test-mode-only': {
    when: 'The key or token is of a live point of sale, and the operation plays with payments.',
    whatToDo: 'Take the key of a point of sale in test mode.',
  },
  'role-insufficient': {
    when: 'You are known, but what you asked for needs another role: `viewer` looks, `support` also pulls payments and sends reports again, `operator` does everything.',
    whatToDo: 'Ask somebody with the role, or have a token of that role made: `token create`.',
  },
  'origin-refused': {
    when: 'A change with the cookie of a session, or by Cloudflare Access, does not come from a page of the hub.',
    whatToDo:
      'Make it from the console. A script sends a Bearer token, or beside its service token of Access the `Origin` of the hub.',
  },
  'address-unknown': {
    when: 'The hub has no operation at this path.',
    whatToDo: 'Check the path against the reference.',
  },
  'job-not-found': {
    when: 'No payment job has this id, it belongs to another point of sale, or it was deleted after its time.',
    whatToDo: 'Check the id, and that the token is of the point of sale that created the job.',
  },
  'pos-not-found': {
    when: 'No point of sale has this id.',
    whatToDo: 'Look the id up: `pos list`.',
  },
  'account-not-found': {
    when: 'No PSP account has this id.',
    whatToDo: 'Look the id up: `psp list`.',
  },
  'operator-token-not-found': {
    when: 'No operator token has this id.',
    whatToDo: 'Look the id up: `token list`.',
  },
  'sandbox-payment-not-found': {
    when: 'No payment of the sandbox has this reference.',
    whatToDo: 'Take the last part of the address that `payUrl` leads to.',
  },
  'sandbox-action-unknown': {
    when: 'The action of a sandbox payment is not one that the sandbox knows.',
    whatToDo: 'Choose one of those that the answer names.',
  },
  'method-not-allowed': {
    when: 'The path is right, but not the HTTP method.',
    whatToDo: 'Use a method that the `Allow` header lists.',
  },
  'refund-unpaid': {
    when: 'A refund was asked for, and the payment job is not paid.',
    whatToDo: 'Read the job. One that is `PENDING` can be cancelled instead.',
  },
  'refund-nothing-left': {
    when: 'All that was paid has gone back, or is on its way back.',
    whatToDo: 'Nothing. `GET …/refunds` shows where the money went.',
  },
  'refund-limit': {
    when: 'The payment has 100 refunds already.',
    whatToDo: 'Ask the operator to refund the rest at the PSP.',
  },
  'cancel-too-late': {
    when: 'The payment job is paid or has ended otherwise, or its money is on the way.',
    whatToDo: 'Read the job. What is paid can be refunded.',
  },
  'sandbox-action-impossible': {
    when: 'A sandbox payment is in a state in which the action cannot happen.',
    whatToDo: 'See in the answer how the payment stands, and choose another action.',
  },
  'too-many-listeners': {
    when: 'As many programs as the hub takes listen to the reports of this point of sale already.',
    whatToDo: 'End one of them, then try again.',
  },
  'operator-token-conflict': {
    when: 'An operator token that was not revoked has this name already.',
    whatToDo: 'Take another name, or revoke that token first.',
  },
  'idempotency-key-used-up': {
    when: 'The `Idempotency-Key` was used before, with the same order, for a job that was deleted after its time.',
    whatToDo: 'Take a new key if it is a new payment.',
  },
  'body-too-large': {
    when: 'The body has more bytes than the limit.',
    whatToDo: 'Send a smaller body.',
  },
  'content-type-unsupported': {
    when: 'The body has another `Content-Type` than `application/json`, or another charset than UTF-8.',
    whatToDo: 'Send JSON, with `Content-Type: application/json`.',
  },
  'body-malformed': {
    when: 'The body is not UTF-8 text, not JSON, or not an object.',
    whatToDo: 'Send one JSON object.',
  },
  'idempotency-key-malformed': {
    when: 'The `Idempotency-Key` is empty, longer than 255 characters, or has other characters than visible ASCII.',
    whatToDo: 'Send a key of 1 to 255 visible ASCII characters, such as a UUID.',
  },
  'fields-invalid': {
    when: 'One or more fields are missing or not valid.',
    whatToDo: 'Correct the fields that `errors` names. Each has its reason beside it.',
  },
  'refund-too-much': {
    when: 'A refund is larger than what was paid and has not gone back yet.',
    whatToDo: 'Refund at most the amount that the answer names.',
  },
  'refund-refused': {
    when: 'The PSP does not make this refund: for its method, its time, or the balance of the account.',
    whatToDo: 'The answer has the words of the PSP. Ask the operator of the hub if they do not help.',
  },
  'idempotency-key-reused': {
    when: 'The `Idempotency-Key` was used before, with another body.',
    whatToDo: 'Take a new key for each new payment or refund. For a retry send the same body.',
  },
  'account-conflict': {
    when: 'There is an account of this id already, or the account is still in use.',
    whatToDo: 'Do what the answer says, or take another id.',
  },
  'upgrade-required': {
    when: 'Reports are to be listened to, and the request is no WebSocket.',
    whatToDo: 'Open a WebSocket (`Upgrade: websocket`).',
  },
  'rate-limited': {
    when: 'More requests came than the limit allows. `RateLimit-Policy` names the limit.',
    whatToDo: 'Wait as many seconds as `Retry-After` says. Repeat a create with the same `Idempotency-Key`.',
  },
  'too-many-watchers': {
    when: 'A payment job has 250 watchers, or 200 customers who watch it.',
    whatToDo: 'Read the job without waiting, or wait as many seconds as `Retry-After` says.',
  },
  'internal-error': {
    when: 'A fault of the hub itself.',
    whatToDo:
      'Repeat the request, a create with the same `Idempotency-Key`. If it stays, give the operator the id in the answer.',
  },
  'hub-misconfigured': {
    when: 'A secret of the hub is missing or too short, so it serves nothing.',
    whatToDo: 'The operator sets the secrets that the answer names.',
  },
  'stored-unreadable': {
    when: 'What was asked for is stored in a form that this release of the hub cannot read. It was not changed.',
    whatToDo: 'Try again later. If it stays, tell the operator.',
  },
  'deploy-under-way': {
    when: 'A part of the hub is still of the release before.',
    whatToDo: 'Repeat the request after `Retry-After` seconds.',
  },
  unavailable: {
    when: 'A part of the platform that the hub needs does not answer now. Nothing that was acknowledged is lost.',
    whatToDo: 'Repeat the request after `Retry-After` seconds, a create with the same `Idempotency-Key`.',
  },
  'psp-unavailable': {
    when: 'The PSP has to be asked, and does not answer now.',
    whatToDo: 'Repeat the request after `Retry-After` seconds.',
  },
}
