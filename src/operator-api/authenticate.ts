import type { Operator } from '../contract/operator.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { equalInConstantTime, sha256 } from '../platform/crypto/hash.ts'
import { bearerOf, sentBearer } from '../platform/http/headers.ts'
import { clientNetwork, countRequest } from '../platform/http/rate-limit.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { log } from '../platform/log.ts'
import { liveOperatorToken } from '../registry/operator-tokens.ts'
import { operatorOfAccess } from './access.ts'
import { randomLetters } from './keys.ts'
import { isFromOwnOrigin, operatorOfSession, sessionOf } from './sessions.ts'
import { OPERATOR_QUOTAS } from './quotas.ts'

/** The beginning makes a token easy to find where it should not be. 43 letters are 256 bits. */
export function newOperatorToken(): string {
  return `hub_op_${randomLetters(43)}`
}

const FORM = /^hub_op_[A-Za-z0-9]{43}$/

/** Hashes of tokens that lived when this isolate asked last, in half an hour. */
const known = bounded<true>(30 * MINUTE)

/**
 * Whose a token is: the operator's, who holds the Worker's `OPERATOR_TOKEN`, or that of a name.
 * Null for one that nobody has. D1 is asked each time, so a revoked token ends at once; but
 * `too-many` for a stranger who has tried too often, so that D1 is not theirs to keep busy.
 */
async function operatorOfToken(
  env: Env,
  token: string,
  isStranger: boolean,
): Promise<Operator | 'too-many' | null> {
  if (env.OPERATOR_TOKEN !== '' && (await equalInConstantTime(token, env.OPERATOR_TOKEN)))
    return { name: 'OPERATOR_TOKEN', role: 'operator', via: 'secret' }
  if (!FORM.test(token)) return null
  const hash = await sha256(token)
  if (isStranger && !known.get(hash)) return 'too-many'
  const row = await liveOperatorToken(env.DB, { hash })
  if (!row) {
    known.delete(hash)
    return null
  }
  known.set(hash, true)
  return { name: row.name, role: row.role, via: 'token', token: row.id }
}

const QUOTA = OPERATOR_QUOTAS.operatorPerAddress
/** Why somebody is not known: each is a guess, as far as the hub can tell. */
const UNKNOWN: ReadonlySet<Refusal['code']> = new Set([
  'credentials-missing',
  'operator-token-invalid',
  'access-invalid',
  'session-invalid',
])
/** Addresses that have tried too often. */
const strangers = bounded<true>(QUOTA.period * 1000)

/**
 * Says who asks, by the first of these that a request has: a Bearer token, the proof of Cloudflare
 * Access, a session of the console. One that is not valid is refused, whatever else is there.
 * Refusals are logged, and who tries too often from one address is told to wait; who is known is
 * never counted, so nobody can lock the operator out.
 */
export async function authenticateOperator(request: Request, env: Env): Promise<Result<Operator, Refusal>> {
  const address = clientNetwork(request)
  const proven = await prove(request, env, address)
  if (proven.ok) return isForged(request, proven.value) ? refuseForged(address, proven.value) : proven
  const { error } = proven
  if (!UNKNOWN.has(error.code)) return proven
  const limit = await countRequest(env.OPERATOR_PER_ADDRESS, QUOTA, address)
  if (!limit.ok) {
    strangers.set(address, true)
    return limit
  }
  // Why an assertion of Access does not count is in its detail, which tells nothing of the
  // assertion.
  log.warn('operator.refused', { address, code: error.code, why: 'detail' in error ? error.detail : '' })
  return proven
}

async function prove(request: Request, env: Env, address: string): Promise<Result<Operator, Refusal>> {
  const now = Date.now()
  if (sentBearer(request)) {
    const operator = await operatorOfToken(env, bearerOf(request) ?? '', strangers.get(address) ?? false)
    if (operator === 'too-many') return refuse({ code: 'rate-limited', ...QUOTA })
    return operator ? ok(operator) : refuse({ code: 'operator-token-invalid', detail: SEND_TOKEN })
  }
  const byAccess = await operatorOfAccess(request, env, now)
  if (byAccess) return byAccess
  const session = sessionOf(request)
  if (session === null) return refuse({ code: 'credentials-missing', detail: SEND_TOKEN })
  const operator = await operatorOfSession(env, session, now)
  return operator
    ? ok(operator)
    : refuse({ code: 'session-invalid', detail: 'The session has ended. Sign in again.' })
}

const SEND_TOKEN = 'Send the operator token as Authorization: Bearer.'

/**
 * A browser adds the cookie of a session and the proof of Access by itself, also when another
 * site's page makes it send the request. So what may change something must come from the hub's own
 * pages. Nothing but who means it sends a Bearer token.
 */
function isForged(request: Request, { via }: Operator): boolean {
  return (via === 'session' || via === 'access') && request.method !== 'GET' && !isFromOwnOrigin(request)
}

function refuseForged(address: string, { name }: Operator) {
  log.warn('operator.refused', { address, code: 'origin-refused', by: name })
  const detail = 'A change must come from a page of the hub itself: send its own Origin, or a Bearer token.'
  return refuse({ code: 'origin-refused', detail })
}
