import { lossOfOperatorToken, registryLost } from '../registry/lost-registry.ts'
import type { Operator } from '../contract/operation.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { HOUR, isoTime } from '../contract/timestamp.ts'
import { equalInConstantTime, randomHex, sha256, toHex } from '../platform/crypto/hash.ts'
import { hmac, isMarkedId } from '../platform/crypto/signing.ts'
import { isFromOwnOrigin, sessionOf } from '../platform/http/browser.ts'
import { bearerOf, sentBearer } from '../platform/http/headers.ts'
import { type Quota, countRequest, networksOf } from '../platform/http/rate-limit.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { log } from '../platform/log.ts'
import { heldOperatorToken, isSessionEnded } from '../registry/operator-tokens.ts'
import { operatorOfAccess } from './access.ts'

/** The limits of wrangler.toml on the operator API; a test compares the two. */
export const OPERATOR_QUOTAS = {
  operatorPerAddress: { name: 'operator-address', limit: 60, period: 60 },
  sessionsPerOperator: { name: 'operator-sessions', limit: 30, period: 60 },
} as const satisfies Record<string, Quota>

const TOKEN = /^hub_op_[A-Za-z0-9]{43}$/

/**
 * Returns the operator of a token, or null for an unknown one. The token is the secret
 * `OPERATOR_TOKEN`, or stands in D1 under a name; it may be past its end (`until`). The hub reads D1 each
 * time, so a revoked token stops working at once. A token that this hub cannot have made never reaches D1.
 */
async function operatorOfToken(env: Env, token: string): Promise<Operator | null> {
  if (env.OPERATOR_TOKEN !== '' && (await equalInConstantTime(token, env.OPERATOR_TOKEN)))
    return { name: 'OPERATOR_TOKEN', role: 'operator', via: 'secret' }
  if (!(await isOfThisHub(env, token))) return null
  const row = await heldOperatorToken(env.DB, { hash: await sha256(token) }, Date.now())
  if (row === null) return null
  const operator = { name: row.name, role: row.role, via: 'token', token: row.id } as const
  return row.expiresAt === null ? operator : { ...operator, until: row.expiresAt }
}

function isOfThisHub(env: Env, token: string): Promise<boolean> {
  return TOKEN.test(token) ? isMarkedId(env.SIGNING_ROOT, token) : Promise.resolve(false)
}

/** The refusals of unknown credentials, which the hub counts as guesses. */
const GUESSES: ReadonlySet<Refusal['code']> = new Set(['operator-token-invalid', 'access-invalid'])

/**
 * Identifies the caller by the first of these that the request carries: a Bearer token, the proof of
 * Cloudflare Access, a session of the console. If that one is invalid, refuses the request whatever
 * else it carries. The hub logs guesses, and makes an address wait after too many. It never counts
 * known callers, so nobody can lock the operator out. A request without credentials is no guess.
 * Neither is a session: its proof cannot be guessed, and a tab may outlive its session.
 */
export async function authenticateOperator(request: Request, env: Env): Promise<Result<Operator, Refusal>> {
  const networks = networksOf(request)
  const [address] = networks
  const proven = await prove(request, env)
  if (proven.ok) return isForged(request, proven.value) ? refuseForged(address, proven.value) : proven
  const { error } = proven
  if (!GUESSES.has(error.code)) return proven
  const limit = await countRequest(env.OPERATOR_PER_ADDRESS, OPERATOR_QUOTAS.operatorPerAddress, ...networks)
  if (!limit.ok) return limit
  // The detail says why a proof of Access is invalid, and quotes no part of it.
  log.warn('operator.refused', { address, code: error.code, why: 'detail' in error ? error.detail : '' })
  return proven
}

async function prove(request: Request, env: Env): Promise<Result<Operator, Refusal>> {
  const now = Date.now()
  if (sentBearer(request)) {
    const token = bearerOf(request) ?? ''
    const operator = await operatorOfToken(env, token)
    if (operator && (operator.until ?? Infinity) > now) return ok(operator)
    if (operator) return refuse({ code: 'operator-token-invalid', detail: expiredAt(operator.until) })
    const isLost = async () => (await lossOfOperatorToken(env, await sha256(token))) === 'whole'
    return (await isOfThisHub(env, token)) && (await isLost())
      ? registryLost
      : refuse({ code: 'operator-token-invalid', detail: SEND_TOKEN })
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

function expiredAt(until = 0): string {
  return `The operator token expired at ${isoTime(until)}.`
}

const SEND_TOKEN = 'Send the operator token as Authorization: Bearer.'

/**
 * Returns whether another site may have caused a change. Browsers add the cookie of a session and
 * the proof of Access by themselves, even to a request that another site's page makes them send, so
 * a change must come from the hub's own pages. No browser adds a Bearer token by itself.
 */
function isForged(request: Request, { via }: Operator): boolean {
  return (via === 'session' || via === 'access') && request.method !== 'GET' && !isFromOwnOrigin(request)
}

function refuseForged(address: string, { name }: Operator) {
  log.warn('operator.refused', { address, code: 'origin-refused', by: name })
  const detail = 'A change must come from a page of the hub itself: send its own Origin, or a Bearer token.'
  return refuse({ code: 'origin-refused', detail })
}

/** How long (ms) a session of the console lasts: a working day. Nothing prolongs it. */
const LIFETIME = 8 * HOUR

/** Stands for the token's id in sessions that the secret `OPERATOR_TOKEN` began. */
const OF_SECRET = 'secret'

/**
 * `hub_session_`, the id of the token that began it, its end (ms), random digits, and a proof that
 * the hub wrote it.
 */
const SESSION = /^hub_session_(secret|[0-9a-f]{32})\.(\d{13})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

/** Returns when (ms) a session that begins now expires. */
export function sessionEnd(now: number): number {
  return now + LIFETIME
}

/** Begins a session, which lasts no longer than its token. */
export async function newSession(
  env: Env,
  { token = OF_SECRET, until: tokenEnd = Infinity }: Operator,
  now: number,
): Promise<{ session: string; until: number }> {
  const until = Math.min(sessionEnd(now), tokenEnd)
  const named = `${token}.${until}.${randomHex(32)}`
  return { session: `hub_session_${named}.${await proofOf(env, token, named)}`, until }
}

/**
 * Returns the operator of a session, with the name and the role of the token that began it. Null if
 * the hub did not write the session, if it expired or was ended, if its token was revoked, or if
 * the `OPERATOR_TOKEN` that began it has changed.
 */
async function operatorOfSession(env: Env, session: string, now: number): Promise<Operator | null> {
  const [, token = '', end = '', random = '', proof = ''] = SESSION.exec(session) ?? []
  const until = Number(end)
  // Anyone can send a session, so the hub checks the proof before it reads D1.
  const isOurs = await equalInConstantTime(proof, await proofOf(env, token, `${token}.${end}.${random}`))
  if (!isOurs || until <= now) return null
  const [isEnded, row] = await Promise.all([
    sha256(session).then((hash) => isSessionEnded(env.DB, { hash, until }, now)),
    token === OF_SECRET ? null : heldOperatorToken(env.DB, { id: token }, now),
  ])
  if (isEnded) return null
  if (token === OF_SECRET) return { name: 'OPERATOR_TOKEN', role: 'operator', via: 'session', until }
  return row && { name: row.name, role: row.role, via: 'session', token, until }
}

/** Makes a session's proof. If `OPERATOR_TOKEN` began the session, a new value of it ends the session. */
async function proofOf(env: Env, token: string, named: string): Promise<string> {
  const secret = token === OF_SECRET ? await sha256(env.OPERATOR_TOKEN) : ''
  return toHex(await hmac('SHA-256', env.SIGNING_ROOT, `operator-session:${named}:${secret}`))
}
