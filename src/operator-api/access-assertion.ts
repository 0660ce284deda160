import * as v from 'valibot'
import type { AccessConfig } from '../platform/config.ts'
import { isSigned, readJwt } from '../platform/crypto/jwt.ts'
import { type Result, ok, refuse } from '../platform/result.ts'
import type { Call } from '../psp/http-client.ts'
import { accessKey } from './access-keys.ts'

/** What the token of an application says of a person, who has an `email`, or of a service token, which has a `common_name`. */
const Claims = v.object({
  iss: v.string(),
  aud: v.union([v.string(), v.array(v.string())]),
  exp: v.number(),
  nbf: v.optional(v.number(), 0),
  // `org` is the token of a person's whole login, which is for no application.
  type: v.optional(v.literal('app')),
  sub: v.optional(v.string(), ''),
  email: v.optional(v.string(), ''),
  common_name: v.optional(v.string(), ''),
  groups: v.optional(v.unknown()),
  custom: v.optional(v.object({ groups: v.optional(v.unknown()) }), {}),
})
export type Claims = v.InferOutput<typeof Claims>

/** How far the clocks may be apart, in seconds. It lets nobody stay longer. */
const SKEW = 5

/**
 * Reads the `Cf-Access-Jwt-Assertion` that Access puts on each request that it lets in, and checks all of it: the algorithm, the
 * signature by a key of the team, who made it, for which application, and when. `why` is for the log, and tells no part of the token.
 */
export async function readAssertion(
  assertion: string,
  { team, audiences }: AccessConfig,
  call: Call,
  now: number,
): Promise<Result<Claims, { why: string }>> {
  const jwt = readJwt(assertion)
  if (!jwt) return refuse({ why: 'not an RS256 token' })
  const key = await accessKey(team, jwt.keyId, call, now)
  if (key === 'unavailable') return refuse({ why: 'unavailable' })
  if (key === null) return refuse({ why: 'of an unknown key' })
  if (!(await isSigned(jwt, key))) return refuse({ why: 'not signed by its key' })
  const claims = v.safeParse(Claims, jwt.claims)
  if (!claims.success) return refuse({ why: 'not the token of an application' })
  const { iss, aud, exp, nbf, email, common_name: service } = claims.output
  if (iss !== originOf(team)) return refuse({ why: 'of another issuer' })
  if (![aud].flat().some((one) => audiences.includes(one))) return refuse({ why: 'for another application' })
  if (exp * 1000 <= now) return refuse({ why: 'expired' })
  if ((nbf - SKEW) * 1000 > now) return refuse({ why: 'not valid yet' })
  return email || service ? ok(claims.output) : refuse({ why: 'of nobody' })
}

export function originOf(team: string): string {
  return `https://${team}.cloudflareaccess.com`
}
