import { sha256 } from '../platform/crypto/hash.ts'
import { formatWithOffset } from '../contract/timestamp.ts'
import { bearerOf } from '../platform/http/bearer.ts'
import { json } from '../platform/http/respond.ts'
import type { Handler } from '../platform/http/routes.ts'
import { profileByKey } from '../registry/profiles.ts'
import { issueToken as issue } from '../registry/access-token.ts'
import { countLookup, isApiKey, unknownKey } from './api-key.ts'
import { noCredentials } from './authenticate.ts'
import type { Token } from './contract/token.ts'

/** `GET /v1/guardian`: a new access token for the API key of a point of sale. */
export const issueToken: Handler = async (request, { env }) => {
  const key = bearerOf(request)
  if (key === null) return noCredentials(request, 'the API key of the point of sale', 'api-key-invalid')
  const hash = await sha256(key)
  const counted = await countLookup(request, env, hash)
  if (!counted.ok) return counted
  const profile = isApiKey(key) ? await profileByKey(env.DB, hash) : null
  if (!profile) return unknownKey
  const { token, expires } = await issue(env.TOKENS, profile, hash, Date.now())
  const answer: Token = { token, expiration: expires, expiration_datetime: formatWithOffset(expires) }
  return json(answer)
}
