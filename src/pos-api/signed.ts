import { traceHead, bodySignature, signingSecret } from '../platform/crypto/signing.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { type Profile, signingVersionAt } from '../registry/profile.ts'
import { ok } from '../contract/result.ts'
import { type PaymentJob, traceLine } from '../contract/payment-job.ts'
import { isEventStream } from '../platform/http/event-stream.ts'
import { hasContent, wantsTraceHead } from '../platform/http/preferences.ts'
import { problem } from '../platform/http/refusal.ts'
import type { Answer } from '../platform/http/routes.ts'

/** A payment job response: JSON, with the `X-Signature` that only its point of sale can check. */
export async function signedJson(
  env: Env,
  profile: Profile,
  status: number,
  content: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = JSON.stringify(content)
  const signature = await signatureOf(env, profile, body)
  return ok(
    new Response(body, {
      status,
      headers: { 'content-type': 'application/json', 'x-signature': signature, ...headers },
    }),
  )
}

/**
 * The same for a read, with the `ETag` of its body. A client that has this body already gets 304,
 * which has none: its `X-Signature` is that of the body that the client has, as RFC 9110 (section
 * 15.4.5) wants a header of a 304 to be.
 */
export async function signedUnlessKnown(
  env: Env,
  profile: Profile,
  request: Request,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [etag, signature] = await Promise.all([etagOf(body), signatureOf(env, profile, body)])
  const head = wantsTraceHead(request) ? { 'x-trace-head': await traceHeadOf(env, profile, body) } : {}
  const all = { etag, 'x-signature': signature, ...head, ...headers }
  if (hasContent(request, etag)) return ok(new Response(null, { status: 304, headers: all }))
  return ok(new Response(body, { headers: { 'content-type': 'application/json', ...all } }))
}

/**
 * The strong entity tag of a body: as long as it is the same, every byte is (RFC 9110, section
 * 8.8.3).
 */
export async function etagOf(body: string): Promise<string> {
  return `"${(await sha256(body)).slice(0, 32)}"`
}

/**
 * An answer with `X-Signature` over its raw body, where it has none yet: clients verify an error
 * too before they read it. A stream of events has no end that could be waited for, and no
 * signature.
 */
export async function signed(env: Env, profile: Profile, answer: Answer): Promise<Answer> {
  const response = answer.ok ? answer.value : problem(answer.error)
  if (response.headers.has('x-signature') || isEventStream(response)) return ok(response)
  const body = await response.text()
  response.headers.set('x-signature', await signatureOf(env, profile, body))
  return ok(new Response(body, response))
}

function secretOf(env: Env, profile: Profile): Promise<string> {
  return signingSecret(env.SIGNING_ROOT, profile.pos, signingVersionAt(profile, Date.now()))
}

async function signatureOf(env: Env, profile: Profile, body: string): Promise<string> {
  return bodySignature(await secretOf(env, profile), body)
}

/** It costs more than all else of a read, so only who asks for it gets it. Every report has it. */
async function traceHeadOf(env: Env, profile: Profile, body: string): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub has just made it
  const { paymentJob, payments } = JSON.parse(body) as PaymentJob
  return traceHead(await secretOf(env, profile), paymentJob, payments.steps.map(traceLine))
}
