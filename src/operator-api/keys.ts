import { sha256 } from '../platform/crypto/hash.ts'
import { refuse } from '../contract/result.ts'
import { addApiKey, revokeOlderKeys } from '../registry/api-keys.ts'
import { profileById } from '../registry/profiles.ts'
import { publishAfter, publishNewKey } from '../registry/publish-after.ts'
import { newApiKey } from './api-key.ts'
import { changed, type OperatorHandler } from './handler.ts'

/** `POST /operator/v1/pos/{id}/keys`: one more API key, shown once. The older ones stay live until they are revoked. */
export const addKey: OperatorHandler<'addApiKey'> = async ({ env, params: { id } }) => {
  if (!(await profileById(env.DB, id))) return noPos(id)
  const apiKey = newApiKey()
  const hash = await sha256(apiKey)
  await publishNewKey(env, id, () => addApiKey(env.DB, id, hash, Date.now()))
  return changed(
    { id, apiKey },
    {
      subject: id,
      before: null,
      after: { keysAdded: 1 },
    },
  )
}

/** `POST /operator/v1/pos/{id}/keys/revoke`: ends all API keys but the newest, and every token. */
export const revokeKeys: OperatorHandler<'revokeApiKeys'> = async ({ env, params: { id } }) => {
  if (!(await profileById(env.DB, id))) return noPos(id)
  const revoked = await publishAfter(env, [{ pos: id }], () => revokeOlderKeys(env.DB, id, Date.now()))
  return changed(
    { id, revoked },
    {
      subject: id,
      before: null,
      after: { keysRevoked: revoked },
    },
  )
}

export function noPos(id: string) {
  return refuse({ code: 'pos-not-found', detail: `There is no point of sale ${id}.` })
}
