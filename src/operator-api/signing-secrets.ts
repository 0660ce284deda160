import { signingSecret } from '../platform/crypto/signing.ts'
import { HOUR } from '../contract/timestamp.ts'
import { nextSigningSecret } from '../registry/signing-secrets.ts'
import { publishAfter } from '../registry/publish-after.ts'
import { changed, type OperatorHandler } from './handler.ts'
import { noPos } from './keys.ts'

/**
 * `POST /operator/v1/pos/{id}/secret`: a new signing secret. Reports are signed with the one before it too. Whoever did not
 * get the answer calls again, and gets the same secret.
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
