import { keepDigits } from '../contract/values.ts'
import type { Operation } from '../contract/operation.ts'
import type { POS_OPERATIONS } from '../contract/pos-operations.ts'
import { type Answer, type Context, unexpected } from '../platform/http/routes.ts'
import { bearerOf, hasContent, wantsTraceHead } from '../platform/http/headers.ts'
import { type Asked, answered, readAsked, type Replied, type Reply } from '../platform/http/operations.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import { type Refusal, problem } from '../platform/http/refusal.ts'
import { ok, refuse, type Result } from '../contract/result.ts'
import { type Profile, presentSecret } from '../registry/profile.ts'
import { authenticate, QUOTAS } from './authenticate.ts'
import { traceHead, bodySignature } from '../platform/crypto/signing.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { traceLine, type PaymentJob } from '../contract/payment-job.ts'
import { isEventStream } from '../platform/http/event-stream.ts'

type Table = typeof POS_OPERATIONS
type TakesToken<Row extends Operation> = 'accessToken' extends Row['credentials'][number] ? true : false

/** A handler gets the profile of the point of sale where its operation takes an access token. */
export type PosHandler<Name extends keyof Table> =
  TakesToken<Table[Name]> extends true
    ? (asked: Asked<Table[Name]>, profile: Profile) => Promise<Replied<Table[Name]>>
    : (asked: Asked<Table[Name]>) => Promise<Replied<Table[Name]>>

/** The handlers by operation. A missing or a surplus one does not compile. */
export type PosHandlers = { [Name in keyof Table]: PosHandler<Name> }

/** A handler as the router calls it; `PosHandlers` has checked its types. */
export type AnyPosHandler = (
  asked: Asked,
  profile: Profile | null,
) => Promise<Result<Response | Reply<object>, Refusal>>

/** Serves an operation. Signs every answer to a known point of sale, refusals and faults too. */
export async function servePos(
  row: Operation,
  handler: AnyPosHandler,
  request: Request,
  context: Context,
): Promise<Answer> {
  if (!row.credentials.includes('accessToken')) return answer(row, handler, request, context, null)
  const profile = await authenticate(request, context.env, bearerOf(request))
  if (!profile.ok) return profile
  const served = await answer(row, handler, request, context, profile.value).catch((error) =>
    refuse(unexpected(error)),
  )
  return signed(context.env, profile.value, served)
}

async function answer(
  row: Operation,
  handler: AnyPosHandler,
  request: Request,
  context: Context,
  profile: Profile | null,
): Promise<Answer> {
  const [limit, asked] = await Promise.all([
    countLimit(row, context.env, profile),
    readAsked(row, request, context, row.keepsDigits ? keepDigits : undefined),
  ])
  if (!limit.ok) return limit
  if (!asked.ok) return asked
  return answered(row, await handler(asked.value, profile))
}

async function countLimit(
  { limit }: Operation,
  env: Env,
  profile: Profile | null,
): Promise<Result<null, Refusal>> {
  if (!limit || !profile) return ok(null)
  return limit === 'create'
    ? countRequest(env.CREATE_PER_POS, QUOTAS.createPerPos, profile.pos)
    : countRequest(env.SEARCH_PER_POS, QUOTAS.searchPerPos, profile.pos)
}

/**
 * Answers a read with the `ETag` of its body. A client that already has the body gets a 304, signed
 * over that body (RFC 9110, section 15.4.5).
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

/** Returns the strong entity tag of a body (RFC 9110, section 8.8.3). */
export async function etagOf(body: string): Promise<string> {
  return `"${(await sha256(body)).slice(0, 32)}"`
}

/** Signs any answer, because clients verify errors too. A stream of events is never signed. */
async function signed(env: Env, profile: Profile, served: Answer): Promise<Answer> {
  const response = served.ok ? served.value : problem(served.error)
  if (response.headers.has('x-signature') || isEventStream(response)) return ok(response)
  const body = await response.text()
  response.headers.set('x-signature', await signatureOf(env, profile, body))
  return ok(new Response(body, response))
}

async function signatureOf(env: Env, profile: Profile, body: string): Promise<string> {
  return bodySignature(await presentSecret(env.SIGNING_ROOT, profile), body)
}

/** Makes the trace's head, the costliest part of a read, for clients that ask for it. */
async function traceHeadOf(env: Env, profile: Profile, body: string): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub has just made it
  const { paymentJob, payments } = JSON.parse(body) as PaymentJob
  return traceHead(await presentSecret(env.SIGNING_ROOT, profile), paymentJob, payments.steps.map(traceLine))
}
