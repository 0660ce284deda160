import { sha256 } from '../crypto/hash.ts'
import { signingSecret } from '../crypto/signing.ts'
import { refuse } from '../domain/result.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { addApiKey, nextSigningVersion, profileById, revokeOlderKeys } from '../storage/d1/points-of-sale.ts'
import { publishPos } from '../storage/kv/refresh-profile.ts'
import { revokeTokens } from '../storage/kv/profile-cache.ts'
import { newApiKey } from './api-key.ts'
import type { ApiKeyAdded, ApiKeysRevoked, SigningSecretRotated } from './contract.ts'

/** `POST /operator/v1/pos/{id}/keys`: one more API key, shown once. The older ones stay live until they are revoked. */
export const addKey: Handler<{ id: string }> = async (request, { env, params: { id } }) => {
  if (!(await profileById(env.DB, id))) return noPos(id)
  const apiKey = newApiKey()
  await addApiKey(env.DB, id, await sha256(apiKey), Date.now())
  return json({ id, apiKey } satisfies ApiKeyAdded, { status: 201 })
}

/** `POST /operator/v1/pos/{id}/keys/revoke`: ends all API keys but the newest, and every token. */
export const revokeKeys: Handler<{ id: string }> = async (request, { env, params: { id } }) => {
  if (!(await profileById(env.DB, id))) return noPos(id)
  const revoked = await revokeOlderKeys(env.DB, id, Date.now())
  await revokeTokens(env.TOKENS, id)
  return json({ id, revoked } satisfies ApiKeysRevoked)
}

/** `POST /operator/v1/pos/{id}/secret`: a new signing secret. Reports are signed with the one before it too. */
export const rotateSecret: Handler<{ id: string }> = async (request, { env, params: { id } }) => {
  const version = await nextSigningVersion(env.DB, id)
  if (version === null) return noPos(id)
  await publishPos(env, id)
  return json({
    id,
    signingSecret: await signingSecret(env.SIGNING_ROOT, id, version),
  } satisfies SigningSecretRotated)
}

export const noPos = (id: string) =>
  refuse({ refused: 'not-found', detail: `There is no point of sale ${id}.` })
