import * as v from 'valibot'
import { signingSecret } from '../platform/crypto/signing.ts'
import { HOUR } from '../contract/timestamp.ts'
import { readOptionalJsonObject } from '../platform/http/body.ts'
import { invalid } from '../platform/http/invalid.ts'
import { json } from '../platform/http/respond.ts'
import { nextSigningSecret } from '../registry/signing-secrets.ts'
import { publishAfter } from '../registry/publish-after.ts'
import { type ChangeHandler, changed } from './changed.ts'
import type { SigningSecretRotated } from './contract/points-of-sale.ts'
import { noPos } from './keys.ts'
import { NewSigningSecret } from './requests.ts'

/**
 * `POST /operator/v1/pos/{id}/secret`: a new signing secret. Reports are signed with the one before it too. Whoever did not
 * get the answer calls again, and gets the same secret.
 */
export const rotateSecret: ChangeHandler<{ id: string }> = async (request, { env, params: { id } }) => {
  const body = await readOptionalJsonObject(request)
  if (!body.ok) return body
  const wanted = v.safeParse(NewSigningSecret, body.value)
  if (!wanted.success) return invalid(wanted.issues)
  const { overlapHours, again } = wanted.output
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
  return changed(json(secret satisfies SigningSecretRotated), {
    subject: id,
    before: { version: repeated ? version : version - 1 },
    after: { version, formerUntil: secret.formerUntil },
  })
}
