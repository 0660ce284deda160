import { refuse } from '../contract/result.ts'
import { HOUR } from '../contract/timestamp.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { signingSecret } from '../platform/crypto/signing.ts'
import { addApiKey, revokeOlderKeys } from '../registry/api-keys.ts'
import { profileById } from '../registry/profiles.ts'
import { publishAfter, publishNewKey } from '../registry/publish-after.ts'
import { nextSigningSecret } from '../registry/points-of-sale.ts'
import { type OperatorHandler, changed } from './handler.ts'

const LENGTH = 160
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits: each letter is as likely as the next, about six bits. */
export function randomLetters(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // Bytes beyond the last whole round of letters are thrown away.
      if (byte < 256 - (256 % LETTERS.length) && text.length < length) text += LETTERS[byte % LETTERS.length]
    }
  }
  return text
}

/**
 * A new API key: 160 random letters and digits. Clients in the field refuse keys shorter than 150.
 */
export function newApiKey(): string {
  return randomLetters(LENGTH)
}

/**
 * `POST /operator/v1/pos/{id}/keys`: one more API key, shown once. The older ones stay live until
 * they are revoked.
 */
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

/**
 * `POST /operator/v1/pos/{id}/secret`: a new signing secret. Reports are signed with the one before
 * it too. Whoever did not get the answer calls again, and gets the same secret.
 */
export const rotateSecret: OperatorHandler<'rotateSigningSecret'> = async ({ env, params: { id }, body }) => {
  const { overlapHours, again } = body
  const now = Date.now()
  const formerUntil = overlapHours === undefined ? undefined : now + Math.round(overlapHours * HOUR)
  const newest = await publishAfter(env, [{ pos: id }], () =>
    nextSigningSecret(env.DB, id, { now, formerUntil, again }),
  )
  if (newest === null) return noPos(id)
  const until = newest.formerUntil ?? 0
  const { version, repeated } = newest
  const secret = {
    id,
    signingSecret: await signingSecret(env.SIGNING_ROOT, id, version),
    made: new Date(newest.madeAt).toISOString(),
    repeated,
    formerUntil: until > now ? new Date(until).toISOString() : null,
  }
  return changed(secret, {
    subject: id,
    before: { version: repeated ? version : version - 1 },
    after: { version, formerUntil: secret.formerUntil },
  })
}
