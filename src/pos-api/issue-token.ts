import { sha256 } from '../crypto/hash.ts'
import { refuse } from '../domain/result.ts'
import { formatWithOffset } from '../domain/timestamp.ts'
import { bearerOf } from '../http/bearer.ts'
import { clientNetwork } from '../http/client-network.ts'
import { countRequest } from '../http/rate-limit.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { profileByKey } from '../storage/d1/profiles.ts'
import { issueToken as issue } from '../storage/kv/access-token.ts'
import { noCredentials } from './authenticate.ts'
import { QUOTAS } from './quotas.ts'

const API_KEY = /^[0-9A-Za-z]{160}$/

/** `GET /v1/guardian`: a new access token for the API key of a point of sale. */
export const issueToken: Handler = async (request, { env }) => {
  const key = bearerOf(request)
  if (key === null) return noCredentials(request, 'the API key of the point of sale')
  const hash = await sha256(key)
  const [byAddress, byKey] = await Promise.all([
    countRequest(env.GUARDIAN_PER_ADDRESS, QUOTAS.guardianPerAddress, clientNetwork(request)),
    countRequest(env.GUARDIAN_PER_KEY, QUOTAS.guardianPerKey, hash),
  ])
  if (!byAddress.ok) return byAddress
  if (!byKey.ok) return byKey
  const profile = API_KEY.test(key) ? await profileByKey(env.DB, hash) : null
  if (!profile) return unknownKey
  const { token, expires } = await issue(env.TOKENS, profile, hash, Date.now())
  return json({ token, expiration: expires, expiration_datetime: formatWithOffset(expires) })
}

const unknownKey = refuse({
  refused: 'unauthenticated',
  detail: 'The API key is unknown, revoked, or of a disabled point of sale.',
  tokenGiven: true,
})
