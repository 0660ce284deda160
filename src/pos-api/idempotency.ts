import { sha256 } from '../crypto/hash.ts'
import { hmac } from '../crypto/hmac.ts'
import type { Order } from '../domain/job.ts'
import { uuidV8 } from '../domain/job-id.ts'
import { type Result, ok, refuse } from '../domain/result.ts'
import type { Refusal } from '../http/refusal.ts'

/** The `Idempotency-Key` of a request (IETF draft-ietf-httpapi-idempotency-key-header), or null without one. */
export const idempotencyKeyOf = (request: Request): Result<string | null, Refusal> => {
  const key = request.headers.get('idempotency-key')
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return ok(key)
  const detail = 'The Idempotency-Key must have 1 to 255 visible ASCII characters.'
  return refuse({ refused: 'malformed', detail, field: 'Idempotency-Key' })
}

/** The id of the job that a point of sale made under a key: the same for every retry, and nobody else can guess it. */
export const jobIdOf = async (env: Env, pos: string, key: string): Promise<string> =>
  uuidV8(new Uint8Array(await hmac('SHA-256', env.SIGNING_ROOT, `job-id:${pos}:${key}`)))

/**
 * Tells a repeated order from another one. The timestamp is left out: a client may take a new one for its retry. The list is
 * closed, for a retry may come after a deploy: a field that the order gets later joins only where the client sent it.
 */
export const fingerprintOf = ({
  currency,
  amount,
  returnUrl,
  reportUrl,
  paymentMethod,
  orderId,
  orderNumber,
  language,
  ipAddress,
}: Order): Promise<string> =>
  sha256(
    JSON.stringify({
      currency,
      amount,
      returnUrl,
      reportUrl,
      paymentMethod,
      orderId,
      orderNumber,
      language,
      ipAddress,
    }),
  )
