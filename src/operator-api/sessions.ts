import type { Operator } from '../contract/operator.ts'
import { refuse } from '../contract/result.ts'
import { HOUR } from '../contract/timestamp.ts'
import { randomHex, toHex, equalInConstantTime, sha256 } from '../platform/crypto/hash.ts'
import { hmac } from '../platform/crypto/signing.ts'
import { reply } from '../platform/http/operations.ts'
import { isSessionEnded, liveOperatorToken, endSession } from '../registry/operator-tokens.ts'
import { type OperatorHandler, changed } from './handler.ts'

/** A session of the console, in milliseconds: a working day. It is not prolonged. */
const LIFETIME = 8 * HOUR

/** In place of a token's id: the session of the `OPERATOR_TOKEN` secret. */
const OF_SECRET = 'secret'

/**
 * `hub_session_`, the token that began it, when it ends (ms), something random, and what proves
 * that the hub wrote it.
 */
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
 * Who a session stands for now: it has the name and the role of the token that began it. Null when
 * the hub did not write it, when it has expired or was ended, when its token was revoked, or when
 * the `OPERATOR_TOKEN` that began it has changed.
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

/**
 * Over plain http, which is the local run's alone, a cookie can be neither Secure nor of this host
 * alone.
 */
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

/** `GET /operator/v1/me`: who asks, what they may do, and until when. */
export const showMe: OperatorHandler<'showMe'> = async (_, { name, role, via, until }) =>
  reply({
    name,
    role,
    via,
    until: until === undefined ? null : new Date(until).toISOString(),
  })

/**
 * `POST /operator/v1/sessions`: a session for a browser, in the answer and as its cookie. It begins
 * with a token: a session cannot prolong itself, and who comes by Access needs none.
 */
export const beginSession: OperatorHandler<'beginSession'> = async ({ request, env }, operator) => {
  if (operator.via !== 'secret' && operator.via !== 'token') {
    const detail = 'A session begins with a token: send it as Authorization: Bearer.'
    return refuse({ code: 'credentials-missing', detail })
  }
  const now = Date.now()
  const begun = await newSession(env, operator, now)
  const until = new Date(begun.until).toISOString()
  return changed(
    { session: begun.session, until },
    { subject: operator.name, before: null, after: { until } },
    { 'set-cookie': sessionCookie(request, now, begun) },
  )
}

/**
 * `POST /operator/v1/sessions/end`: the session that asks ends, for everybody who has its cookie.
 */
export const endThisSession: OperatorHandler<'endSession'> = async (
  { request, env },
  { name, via, until },
) => {
  const now = Date.now()
  const session = via === 'session' ? sessionOf(request) : null
  if (session !== null && until !== undefined)
    await endSession(env.DB, { hash: await sha256(session), expiresAt: until }, now)
  const ended = session !== null
  return changed(
    { ended },
    { subject: name, before: null, after: { ended } },
    { 'set-cookie': sessionCookie(request, now) },
  )
}

/**
 * Whether a browser sent a request from a page of the hub itself. `Sec-Fetch-Site` says so where
 * there is one: scripts cannot set it (https://www.w3.org/TR/fetch-metadata/). Older browsers send
 * `Origin` with each request that may change something. A request with neither is from no page.
 */
export function isFromOwnOrigin({ url, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  return site === null ? headers.get('origin') === new URL(url).origin : site === 'same-origin'
}
