import { sha256 } from '../platform/crypto/hash.ts'
import { formatWithOffset } from '../contract/timestamp.ts'
import { bearerOf } from '../platform/http/bearer.ts'
import { reply } from '../platform/http/operations.ts'
import { profileByKey } from '../registry/profiles.ts'
import { issueToken as issue } from '../registry/access-token.ts'
import { countLookup, isApiKey, unknownKey, noCredentials } from './authenticate.ts'
import type { PosHandler } from './handler.ts'

/** `GET /v1/guardian`: a new access token for the API key of a point of sale. */
export const issueToken: PosHandler<'createToken'> = async ({ request, env }) => {
  const key = bearerOf(request)
  if (key === null) return noCredentials(request, 'the API key of the point of sale', 'api-key-invalid')
  const hash = await sha256(key)
  const counted = await countLookup(request, env, hash)
  if (!counted.ok) return counted
  const profile = isApiKey(key) ? await profileByKey(env.DB, hash) : null
  if (!profile) return unknownKey
  const { token, expires } = await issue(env.TOKENS, profile, hash, Date.now())
  return reply({ token, expiration: expires, expiration_datetime: formatWithOffset(expires) })
}
