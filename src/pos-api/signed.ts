import { bodySignature, signingSecret } from '../crypto/signing.ts'
import type { Profile } from '../domain/profile.ts'
import { ok } from '../domain/result.ts'
import { signingVersionAt } from '../domain/signing-version.ts'
import { problem } from '../http/refusal.ts'
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
  const signature = await signatureOf(env, profile, body)
  return ok(
    new Response(body, {
      status,
      headers: { 'content-type': 'application/json', 'x-signature': signature, ...headers },
    }),
  )
}

/** An answer with `X-Signature` over its raw body, where it has none yet: clients verify an error too before they read it. */
export const signed = async (env: Env, profile: Profile, answer: Answer): Promise<Answer> => {
  const response = answer.ok ? answer.value : problem(answer.error)
  if (response.headers.has('x-signature')) return ok(response)
  const body = await response.text()
  response.headers.set('x-signature', await signatureOf(env, profile, body))
  return ok(new Response(body, response))
}

const signatureOf = async (env: Env, profile: Profile, body: string): Promise<string> =>
  bodySignature(
    await signingSecret(env.SIGNING_ROOT, profile.pos, signingVersionAt(profile, Date.now())),
    body,
  )
