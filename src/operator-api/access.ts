import * as v from 'valibot'
import { type JWTVerifyGetKey, createRemoteJWKSet, errors, jwtVerify } from 'jose'
import type { Operator } from '../contract/operation.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { type AccessConfig, readConfig, roleOf } from '../platform/config.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { describeFault, log } from '../platform/log.ts'
import { type Call, apiClient } from '../psp/http-client.ts'

/**
 * The header that Cloudflare Access puts on each request that it lets in. The cookie of Access does
 * not count, because anyone can send one.
 */
const ASSERTION = 'cf-access-jwt-assertion'

/**
 * Returns the operator whom Cloudflare Access let in, or null if Access is off or sent no proof.
 * `ACCESS_ROLES` gives the role by group, by email address, or by the id of a service token.
 */
export async function operatorOfAccess(
  request: Request,
  env: Env,
  now: number,
): Promise<Result<Operator, Refusal> | null> {
  const assertion = request.headers.get(ASSERTION)
  if (assertion === null) return null
  const config = readConfig(env).access
  if (!config.ok) {
    // The answer gives no reason: the reason quotes roles, and anyone can send an assertion.
    log.error('access.misconfigured', { reason: config.error })
    return misconfigured
  }
  const { value: access } = config
  if (access === null) return null
  const claims = await readAssertion(assertion, access, now)
  if (!claims.ok) return claims.error === 'unavailable' ? unavailable : refused(claims.error)
  const { email, common_name: service, exp } = claims.value
  const groups = await groupsOf(claims.value, assertion, callAs(access.team, assertion))
  if (groups === 'unavailable') return unavailable
  if (groups === null) return refused('from a login that has ended')
  const name = email || service
  const own = email ? `email:${email}` : `service:${service}`
  const role = roleOf(access.roles, [...groups.map((group) => `group:${group}`), own])
  if (role !== null) return ok({ name, role, via: 'access', until: exp * 1000 })
  log.warn('operator.forbidden', { by: name, role: 'none', needed: 'viewer' })
  const detail = `${name} has no role here: ACCESS_ROLES names neither them nor any of their groups.`
  return refuse({ code: 'role-insufficient', detail })
}

/** Calls the team's API on behalf of an operator, with a deadline and a size limit, and without redirects. */
function callAs(team: string, assertion: string): Call {
  const account = { headers: { cookie: `CF_Authorization=${assertion}` }, secret: assertion }
  return apiClient({
    fetch: (request) => fetch(request),
    endpoint: originOf(team),
    authorise: () => account,
  })
}

function refused(why: string) {
  return refuse({ code: 'access-invalid', detail: `The token of Cloudflare Access is ${why}.` })
}

const misconfigured = refuse({
  code: 'hub-misconfigured',
  detail:
    'ACCESS_TEAM, ACCESS_AUD and ACCESS_ROLES do not fit together: look for access.misconfigured in the log.',
  retryAfter: 60,
})

const unavailable = refuse({
  code: 'unavailable',
  detail: 'Cloudflare Access does not answer, so the hub cannot check who you are. Try again in a moment.',
  retryAfter: 5,
})

/** The claims of an application's token: a person (`email`) or a program (`common_name`). */
const Claims = v.object({
  exp: v.number(),
  // The other type, `org`, is the token of a person's whole login and belongs to no application.
  type: v.optional(v.literal('app')),
  sub: v.optional(v.string(), ''),
  email: v.optional(v.string(), ''),
  common_name: v.optional(v.string(), ''),
  groups: v.optional(v.unknown()),
  custom: v.optional(v.object({ groups: v.optional(v.unknown()) }), {}),
})
type Claims = v.InferOutput<typeof Claims>

/** How many seconds Access's clock may be ahead of the hub's. A token does not outlive its end by this. */
const SKEW = 5

/**
 * Checks the `Cf-Access-Jwt-Assertion` that Access puts on each request that it lets in: the
 * algorithm, the signature by a key of the team, the issuer, the application and the times. The
 * error is for the log, and quotes no part of the token. `now` is in ms.
 * https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/
 */
async function readAssertion(
  assertion: string,
  { team, audiences }: AccessConfig,
  now: number,
): Promise<Result<Claims, string>> {
  try {
    const { payload } = await jwtVerify(assertion, keysOf(team), {
      // Fixed here, never taken from the token (RFC 8725, section 3.1).
      algorithms: ['RS256'],
      issuer: originOf(team),
      audience: [...audiences],
      clockTolerance: SKEW,
      currentDate: new Date(now),
    })
    const claims = v.safeParse(Claims, payload)
    if (!claims.success) return refuse('not the token of an application')
    const { exp, email, common_name: service } = claims.output
    if (exp * 1000 <= now) return refuse('expired')
    return email || service ? ok(claims.output) : refuse('without an email address or a name')
  } catch (error) {
    return refuse(whyOf(error))
  }
}

function originOf(team: string): string {
  return `https://${team}.cloudflareaccess.com`
}

function whyOf(error: unknown): string {
  if (error instanceof KeysUnavailable) return 'unavailable'
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWKSNoMatchingKey) return 'signed by an unknown key'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'not signed by its key'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'not an RS256 token'
  if (error.claim === 'iss') return 'from another issuer'
  if (error.claim === 'aud') return 'for another application'
  return error.claim === 'nbf' ? 'not valid yet' : 'not the token of an application'
}

/** The hub cannot read the team's keys, so it cannot check the token. */
class KeysUnavailable extends Error {}

/** The key finder of each team, with the keys that this isolate has read. */
const finders = new Map<string, JWTVerifyGetKey>()

function keysOf(team: string): JWTVerifyGetKey {
  const finder = finders.get(team) ?? keyFinder(new URL(`${originOf(team)}/cdn-cgi/access/certs`))
  finders.set(team, finder)
  return finder
}

/**
 * Reads the keys again after an hour, so that a withdrawn key stops working by then. Also reads them
 * for an unknown key, but at most once a minute, because anyone can invent the name of a key.
 */
function keyFinder(url: URL): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(url, { cacheMaxAge: HOUR, cooldownDuration: MINUTE })
  return async (header, token) => {
    try {
      return await remote(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error
      log.error('access.keys-unavailable', { error: describeFault(error) })
      throw new KeysUnavailable()
    }
  }
}

const Identity = v.object({ user_uuid: v.optional(v.string()), groups: v.optional(v.unknown()) })

/** Groups by the hash of a token. A person who leaves a group stays in it here for at most a minute. */
const known = bounded<readonly string[]>(MINUTE)

/**
 * Returns the names and ids of an operator's groups: those in the token, if the identity provider
 * puts them there (`custom.groups`), otherwise those that the team's `get-identity` gives. Returns
 * `unavailable` if the team does not answer, and null if the login has ended. `call` sends the token
 * as the cookie of its login.
 */
async function groupsOf(
  claims: Claims,
  assertion: string,
  call: Call,
): Promise<readonly string[] | 'unavailable' | null> {
  const inToken = claims.custom.groups ?? claims.groups
  if (inToken !== undefined || claims.email === '') return namesIn(inToken)
  const hash = await sha256(assertion)
  const before = known.get(hash)
  if (before) return before
  const answer = await call('GET', '/cdn-cgi/access/get-identity')
  if (answer.is === 'unavailable') return 'unavailable'
  const identity = v.safeParse(Identity, answer.body)
  if (answer.status !== 200 || !identity.success) return null
  if (identity.output.user_uuid !== undefined && identity.output.user_uuid !== claims.sub) return null
  const groups = namesIn(identity.output.groups)
  known.set(hash, groups)
  return groups
}

const Group = v.union([
  v.pipe(
    v.string(),
    v.transform((name) => [name]),
  ),
  v.pipe(
    v.object({ id: v.optional(v.string()), name: v.optional(v.string()) }),
    v.transform(({ id, name }) => [id ?? '', name ?? ''].filter(Boolean)),
  ),
])

/** Reads groups: texts, or objects with an id and a name. A single group may come without a list. */
function namesIn(groups: unknown): string[] {
  return [groups].flat().flatMap((group) => {
    const read = v.safeParse(Group, group)
    return read.success ? read.output : []
  })
}
