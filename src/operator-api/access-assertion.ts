import {
  type JWKSCacheInput,
  type JWTVerifyGetKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  jwksCache,
  jwtVerify,
} from 'jose'
import * as v from 'valibot'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import type { AccessConfig } from '../platform/config.ts'
import { describeFault, log } from '../platform/log.ts'
import { type Result, ok, refuse } from '../contract/result.ts'

/** What an application's token says of a person (`email`) or of a service token (`common_name`). */
const Claims = v.object({
  exp: v.number(),
  // `org` is the token of a person's whole login, which is for no application.
  type: v.optional(v.literal('app')),
  sub: v.optional(v.string(), ''),
  email: v.optional(v.string(), ''),
  common_name: v.optional(v.string(), ''),
  groups: v.optional(v.unknown()),
  custom: v.optional(v.object({ groups: v.optional(v.unknown()) }), {}),
})
export type Claims = v.InferOutput<typeof Claims>

/** How far (seconds) Access's clock may be ahead of ours. A token never holds longer than it says. */
const SKEW = 5

/**
 * Checks the `Cf-Access-Jwt-Assertion` that Access puts on each request that it lets in: the
 * algorithm, the signature by a key of the team, the issuer, the application and the times.
 * `why` is for the log and quotes no part of the token. `now` in milliseconds.
 * https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/
 */
export async function readAssertion(
  assertion: string,
  { team, audiences }: AccessConfig,
  now: number,
): Promise<Result<Claims, { why: string }>> {
  try {
    const { payload } = await jwtVerify(assertion, keysOf(team), {
      // Named here, never taken from the token (RFC 8725, section 3.1).
      algorithms: ['RS256'],
      issuer: originOf(team),
      audience: [...audiences],
      clockTolerance: SKEW,
      currentDate: new Date(now),
    })
    const claims = v.safeParse(Claims, payload)
    if (!claims.success) return refuse({ why: 'not the token of an application' })
    const { exp, email, common_name: service } = claims.output
    if (exp * 1000 <= now) return refuse({ why: 'expired' })
    return email || service ? ok(claims.output) : refuse({ why: 'of nobody' })
  } catch (error) {
    return refuse({ why: whyOf(error) })
  }
}

export function originOf(team: string): string {
  return `https://${team}.cloudflareaccess.com`
}

function whyOf(error: unknown): string {
  if (error instanceof KeysUnavailable) return 'unavailable'
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWKSNoMatchingKey) return 'of an unknown key'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'not signed by its key'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'not an RS256 token'
  if (error.claim === 'iss') return 'of another issuer'
  if (error.claim === 'aud') return 'for another application'
  return error.claim === 'nbf' ? 'not valid yet' : 'not the token of an application'
}

/** The team's keys cannot be read, so nobody knows whether the token is good. */
class KeysUnavailable extends Error {}

/** How long keys that were read serve where the team does not answer. */
const USABLE = 24 * HOUR

/** What finds the keys of a team, with those that this isolate has read. */
const finders = new Map<string, JWTVerifyGetKey>()

function keysOf(team: string): JWTVerifyGetKey {
  const finder = finders.get(team) ?? keyFinder(new URL(`${originOf(team)}/cdn-cgi/access/certs`))
  finders.set(team, finder)
  return finder
}

/**
 * Reads the keys again after an hour, and when a token names a key that is not among them, but then
 * at most once a minute: anybody can invent names of keys.
 */
function keyFinder(url: URL): JWTVerifyGetKey {
  const read: JWKSCacheInput = {}
  const times = { cacheMaxAge: HOUR, cooldownDuration: MINUTE }
  const remote = createRemoteJWKSet(url, { ...times, [jwksCache]: read })
  return async (header, token) => {
    try {
      return await remote(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error
      log.error('access.keys-unavailable', { error: describeFault(error) })
      if (!read.jwks || Date.now() - (read.uat ?? 0) >= USABLE) throw new KeysUnavailable()
      return createLocalJWKSet(read.jwks)(header, token).catch(() => {
        throw new KeysUnavailable()
      })
    }
  }
}
