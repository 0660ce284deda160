import type { Operation } from '../contract/operation.ts'
import { OPEN_OPERATIONS, SIGNED_OPERATIONS } from '../contract/pos-operations.ts'
import { type RouteResult, type Context, unexpected } from '../platform/http/routes.ts'
import { bearerOf, hasContent, prefers } from '../platform/http/headers.ts'
import {
  type OperationRequest,
  type OperationResult,
  readRequest,
  respond,
} from '../platform/http/operations.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import { type Refusal, problem } from '../platform/http/refusal.ts'
import { ok, refuse, type Result } from '../contract/result.ts'
import { type Caller, type Profile, presentSecret } from '../registry/profile.ts'
import { authenticate, lackOf, QUOTAS } from './authenticate.ts'
import { lackOfPin } from './refund-pin.ts'
import { traceHead } from '../job/trace-head.ts'
import { bodySignature } from '../platform/crypto/signing.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { traceLine, type PaymentJob } from '../contract/payment-job.ts'
import { isEventStream } from '../platform/http/event-stream.ts'

type Open = typeof OPEN_OPERATIONS
type Signed = typeof SIGNED_OPERATIONS

/** The handler of an operation that checks the credentials itself, if it wants any. */
export type OpenHandler<Name extends keyof Open> = (
  asked: OperationRequest<Open[Name]>,
) => Promise<OperationResult<Open[Name]>>

/** The handler of an operation for a point of sale, whose profile it gets. */
export type PosHandler<Name extends keyof Signed> = (
  asked: OperationRequest<Signed[Name]>,
  profile: Caller,
) => Promise<OperationResult<Signed[Name]>>

export async function serveOpen<Name extends keyof Open>(
  name: Name,
  handler: OpenHandler<Name>,
  request: Request,
  context: Context,
): Promise<RouteResult> {
  const row = OPEN_OPERATIONS[name]
  const asked = await readRequest(row, request, context)
  return asked.ok ? respond(row, await handler(asked.value)) : asked
}

/** Serves a point of sale. Signs every answer, refusals and faults too. */
export async function servePos<Name extends keyof Signed>(
  name: Name,
  handler: PosHandler<Name>,
  request: Request,
  context: Context,
): Promise<RouteResult> {
  const known = await authenticate(request, context.env, bearerOf(request))
  if (!known.ok) return known
  const profile = known.value
  const row = SIGNED_OPERATIONS[name]
  const answer = async (): Promise<RouteResult> => {
    const lack = lackOf(profile, row.right)
    const refused =
      lack && row.right === 'refund' ? await lackOfPin(request, context.env, profile, lack) : lack
    if (refused) return refused
    const [limit, asked] = await Promise.all([
      countLimit(row, context.env, profile),
      readRequest(row, request, context),
    ])
    if (!limit.ok) return limit
    if (!asked.ok) return asked
    return respond(row, await handler(asked.value, profile), async (body) => ({
      'x-signature': await signatureOf(context.env, profile, body),
    }))
  }
  return signed(context.env, profile, await answer().catch((error) => refuse(unexpected(error))))
}

async function countLimit({ limit }: Operation, env: Env, profile: Profile): Promise<Result<null, Refusal>> {
  if (!limit) return ok(null)
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
): Promise<RouteResult> {
  const [etag, signature] = await Promise.all([etagOf(body), signatureOf(env, profile, body)])
  const head = prefers(request, 'trace-head') ? { 'x-trace-head': await traceHeadOf(env, profile, body) } : {}
  const all = { etag, 'x-signature': signature, ...head, ...headers }
  if (hasContent(request, etag)) return ok(new Response(null, { status: 304, headers: all }))
  return ok(new Response(body, { headers: { 'content-type': 'application/json', ...all } }))
}

/** Returns the strong entity tag of a body (RFC 9110, section 8.8.3). */
export async function etagOf(body: string): Promise<string> {
  return `"${(await sha256(body)).slice(0, 32)}"`
}

/** Signs any answer, because clients verify errors too. A stream of events is never signed. */
async function signed(env: Env, profile: Profile, served: RouteResult): Promise<RouteResult> {
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
