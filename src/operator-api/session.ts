import { randomHex, toHex } from '../platform/crypto/bytes.ts'
import { equalInConstantTime, sha256 } from '../platform/crypto/hash.ts'
import { hmac } from '../platform/crypto/hmac.ts'
import type { Operator } from '../contract/operator.ts'
import { HOUR } from '../contract/timestamp.ts'
import { isSessionEnded, liveOperatorToken } from '../registry/operator-tokens.ts'

/** A session of the console, in milliseconds: a working day. It is not prolonged. */
const LIFETIME = 8 * HOUR

/** In place of a token's id: the session of the `OPERATOR_TOKEN` secret. */
const OF_SECRET = 'secret'

/** `hub_session_`, the token that began it, when it ends (ms), something random, and what proves that the hub wrote it. */
const FORM = /^hub_session_(secret|[0-9a-f]{32})\.(\d{13})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

/** Begins a session for who asks with a token. */
export async function newSession(
  env: Env,
  { token = OF_SECRET }: Operator,
  now: number,
): Promise<{ session: string; until: number }> {
  const until = now + LIFETIME
  const named = `${token}.${until}.${randomHex(32)}`
  return { session: `hub_session_${named}.${await proofOf(env, token, named)}`, until }
}

/**
 * Who a session stands for now: it has the name and the role of the token that began it. Null when the hub did not write it, when it has
 * expired or was ended, when its token was revoked, or when the `OPERATOR_TOKEN` that began it has changed.
 */
export async function operatorOfSession(env: Env, session: string, now: number): Promise<Operator | null> {
  const [, token = '', end = '', random = '', proof = ''] = FORM.exec(session) ?? []
  const until = Number(end)
  // D1 is asked for sessions of the hub's own alone: anybody can send others.
  const isOurs = await equalInConstantTime(proof, await proofOf(env, token, `${token}.${end}.${random}`))
  if (!isOurs || until <= now) return null
  const [isEnded, row] = await Promise.all([
    sha256(session).then((hash) => isSessionEnded(env.DB, hash, now)),
    token === OF_SECRET ? null : liveOperatorToken(env.DB, { id: token }),
  ])
  if (isEnded) return null
  if (token === OF_SECRET) return { name: 'OPERATOR_TOKEN', role: 'operator', via: 'session', until }
  return row && { name: row.name, role: row.role, via: 'session', token, until }
}

/** The secret is in the proof of its own sessions: they end when it changes. */
async function proofOf(env: Env, token: string, named: string): Promise<string> {
  const secret = token === OF_SECRET ? await sha256(env.OPERATOR_TOKEN) : ''
  return toHex(await hmac('SHA-256', env.SIGNING_ROOT, `operator-session:${named}:${secret}`))
}

/** Over plain http, which is the local run's alone, a cookie can be neither Secure nor of this host alone. */
function cookieName(request: Request): string {
  return request.url.startsWith('https:') ? '__Host-hub-session' : 'hub-session'
}

/**
 * The cookie of a session until it ends (ms): no script reads it, and no other site's page sends it
 * (RFC 6265bis). Without a session it takes the cookie away.
 */
export function sessionCookie(request: Request, now: number, { session = '', until = now } = {}): string {
  const seconds = Math.floor((until - now) / 1000)
  const isSecure = request.url.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(request)}=${session}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure}`
}

/** The session that a request's cookie holds, or null. */
export function sessionOf(request: Request): string | null {
  const start = `${cookieName(request)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) || null
}
