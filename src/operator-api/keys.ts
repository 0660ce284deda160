import type { IRequest } from 'itty-router'
import { sha256 } from '../crypto/hash.ts'
import { signingSecret } from '../crypto/signing.ts'
import type { Answer } from '../http/routes.ts'
import type { Refusal } from '../http/refusal.ts'
import { addApiKey, nextSigningVersion, profileById, revokeOlderKeys } from '../storage/d1/points-of-sale.ts'
import { publishPos } from '../storage/kv/refresh-profile.ts'
import { revokeTokens } from '../storage/kv/profile-cache.ts'
import { newApiKey } from './api-key.ts'

/** `POST /operator/v1/pos/{id}/keys`: one more API key, shown once. The older ones stay live until they are revoked. */
export const addKey = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const id = String(request.params['id'])
  if (!(await profileById(env.DB, id))) return noPos(id)
  const apiKey = newApiKey()
  await addApiKey(env.DB, id, await sha256(apiKey), Date.now())
  return Response.json({ id, apiKey }, { status: 201 })
}

/** `POST /operator/v1/pos/{id}/keys/revoke`: ends all API keys but the newest, and every token. */
export const revokeKeys = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const id = String(request.params['id'])
  if (!(await profileById(env.DB, id))) return noPos(id)
  const revoked = await revokeOlderKeys(env.DB, id, Date.now())
  await revokeTokens(env.TOKENS, id)
  return Response.json({ id, revoked })
}

/** `POST /operator/v1/pos/{id}/secret`: a new signing secret. Reports are signed with the one before it too. */
export const rotateSecret = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const id = String(request.params['id'])
  const version = await nextSigningVersion(env.DB, id)
  if (version === null) return noPos(id)
  await publishPos(env, id)
  return Response.json({ id, signingSecret: await signingSecret(env.SIGNING_ROOT, id, version) })
}

export const noPos = (id: string): Refusal => ({
  refused: 'not-found',
  detail: `There is no point of sale ${id}.`,
})
