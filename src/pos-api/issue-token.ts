import { sha256 } from '../crypto/hash.ts'
import { formatWithOffset } from '../domain/timestamp.ts'
import { bearerOf } from '../http/bearer.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { profileByKey } from '../storage/d1/profiles.ts'
import { issueToken as issue } from '../storage/kv/access-token.ts'
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
