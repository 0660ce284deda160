import { ok } from '../contract/result.ts'
import { bodySignature } from '../platform/crypto/signing.ts'
import { bearerOf } from '../platform/http/headers.ts'
import { type Refusal, problem } from '../platform/http/refusal.ts'
import { type Handler, routes } from '../platform/http/routes.ts'
import { presentSecret } from '../registry/profile.ts'
import { authenticate } from './authenticate.ts'
import { posApi } from './routes.ts'
import * as v from 'valibot'
import { HOUR, formatWithOffset } from '../contract/timestamp.ts'
import type { Token } from '../contract/pos-operations.ts'

const guardian: Handler = async (request, { env }) => {
  const profile = await authenticate(request, env, bearerOf(request))
  // The handler of `/v2` also serves this address, and phrases the refusal.
  if (!profile.ok || profile.value.dialect !== 'v1') return ok(await posApi(request, env))
  const secret = await presentSecret(env.SIGNING_ROOT, profile.value)
  return ok(Response.json(tokenOf(secret, profile.value.formerSecretUntil ?? 0, Date.now())))
}

const paymentJobs: Handler = async (request, { env }) => {
  const profile = await authenticate(request, env, bearerOf(request))
  if (!profile.ok) return profile
  const speaks = profile.value.dialect === 'v1'
  const answer = speaks ? await posApi(asV2(request), env) : problem(dialectOff)
  return ok(await translated(answer, await presentSecret(env.SIGNING_ROOT, profile.value)))
}

/**
 * The API under `/api/v1` of the PayoCity PHP SDK 1.0.1 and 1.0.2 and the WooCommerce plugin
 * "Professional Payment Portal". It translates to and from `/v2`, which does all the work, and only
 * for points of sale whose operator set the dialect.
 */
export const posApiV1 = routes((table) =>
  table
    .get('/api/v1/guardian', guardian)
    .post('/api/v1/paymentjobs', paymentJobs)
    .get('/api/v1/paymentjobs/:id', paymentJobs),
)

/**
 * Makes the same request to `/v2`, without the parameters that clients of v1 add to their addresses: TLS
 * protects an order, not they. Drops the headers that ask to wait or for events.
 */
function asV2(request: Request): Request {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace('/api/v1/', '/v2/')
  url.search = ''
  const asked = new Request(url, request)
  for (const name of ['accept', 'if-none-match', 'prefer']) asked.headers.delete(name)
  return asked
}

/** Answers in v1, signed, without the headers that only fit the answer of v2. */
async function translated(answer: Response, secret: string): Promise<Response> {
  const body = phpJson(inV1(await answer.json()))
  const response = new Response(body, answer)
  for (const name of ['etag', 'location']) response.headers.delete(name)
  response.headers.set('x-signature', await bodySignature(secret, body))
  return response
}

const dialectOff: Refusal = {
  code: 'address-unknown',
  detail:
    'This point of sale only speaks v2. For a client of v1, its operator runs: hub pos update ID --dialect v1',
}

/** The members of answers of `/v2` that differ in v1. */
const Job = v.looseObject({ payUrl: v.string(), status: v.string(), error: v.nullable(v.string()) })

/**
 * Turns an answer of `/v2` into v1: `OPEN` instead of `PENDING`, and `pay_url` as well as `payUrl`.
 * Clients of v1 take any answer with an `error` for a failed request, so only a failed job has one.
 * A problem stays as it is.
 */
function inV1(answer: unknown): unknown {
  const read = v.safeParse(Job, answer)
  if (!read.success) return answer
  const { payUrl, status, error } = read.output
  return {
    ...read.output,
    status: status === 'PENDING' ? 'OPEN' : status,
    error: status === 'FAILURE' ? error : null,
    pay_url: payUrl,
  }
}

/**
 * Writes JSON byte for byte as PHP's `json_encode` does: the PHP SDK decodes a body, encodes it
 * again and verifies the signature over the result.
 */
export function phpJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Makes the access token of v1. Its clients never send it, but verify answers, reports and returns
 * with it, so it is the signing secret. It expires when another secret may sign: in an hour, or at
 * `formerSecretUntil` (ms) if that is sooner.
 */
function tokenOf(secret: string, formerSecretUntil: number, now: number): Token {
  const changes = formerSecretUntil > now ? formerSecretUntil : Infinity
  const expiration = Math.floor(Math.min(now + HOUR, changes) / 1000)
  return { token: secret, expiration, expiration_datetime: formatWithOffset(expiration) }
}
