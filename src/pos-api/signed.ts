import { bodySignature, signingSecret } from '../crypto/signing.ts'
import type { Profile } from '../domain/profile.ts'
import { ok } from '../domain/result.ts'
import type { Answer } from '../http/routes.ts'

/** A payment job response: JSON, with the `X-Signature` that only its point of sale can check. */
export const signedJson = async (
  env: Env,
  profile: Profile,
  status: number,
  content: object,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const body = JSON.stringify(content)
  const secret = await signingSecret(env.SIGNING_ROOT, profile.pos, profile.signingVersion)
  const signature = await bodySignature(secret, body)
  return ok(
    new Response(body, {
      status,
      headers: { 'content-type': 'application/json', 'x-signature': signature, ...headers },
    }),
  )
}
