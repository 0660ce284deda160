import { ok } from '../contract/result.ts'
import { bodySignature } from '../platform/crypto/signing.ts'
import { bearerOf } from '../platform/http/headers.ts'
import { type Refusal, problem } from '../platform/http/refusal.ts'
import { type Handler, routes } from '../platform/http/routes.ts'
import { presentSecret } from '../registry/profile.ts'
import { authenticate } from './authenticate.ts'
import { posApi } from './routes.ts'
import { inV1, phpJson, tokenOf } from './v1-answers.ts'

const guardian: Handler = async (request, { env }) => {
  const profile = await authenticate(request, env, bearerOf(request))
  // The handler of `/v2` serves this address too, and words the refusal.
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
 * "Professional Payment Portal". It translates for `/v2`, which does all the work, and only for
 * points of sale whose operator has set the dialect.
 */
export const posApiV1 = routes((table) =>
  table
    .get('/api/v1/guardian', guardian)
    .post('/api/v1/paymentjobs', paymentJobs)
    .get('/api/v1/paymentjobs/:id', paymentJobs),
)

/**
 * Makes the same request to `/v2`. Drops the query, because clients of v1 sign their orders in
 * parameters that `/v2` would refuse, and TLS protects the order. Drops the headers that ask to
 * wait or for events.
 */
function asV2(request: Request): Request {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace('/api/v1/', '/v2/')
  url.search = ''
  const asked = new Request(url, request)
  for (const name of ['accept', 'if-none-match', 'prefer']) asked.headers.delete(name)
  return asked
}

/** Answers in v1, signed, without the headers that are only right for the answer of v2. */
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
    'This point of sale speaks v2 alone. For a client of v1 its operator runs: hub pos update ID --dialect v1',
}
