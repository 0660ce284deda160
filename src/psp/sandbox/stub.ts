import { refuse } from '../../platform/result.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import { knownIds, limitedLookUps, missedIds } from '../../platform/http/limited-look-ups.ts'
import { UNKNOWN_QUOTAS } from '../../platform/http/unknown-quotas.ts'
import { namedObject } from '../../platform/named-object.ts'
import type { SandboxPayment } from './sandbox-payment.ts'

type Stub = DurableObjectStub<SandboxPayment>

function isPaymentId(id: string): boolean {
  return /^tr_\w{10,40}$/.test(id)
}

/** The object of a payment; undefined for a text that is no payment id. */
export function sandboxPayment(env: Env, id: string): Stub | undefined {
  return isPaymentId(id) ? namedObject(env, env.SANDBOX_PAYMENT, id) : undefined
}

const QUOTA = UNKNOWN_QUOTAS.unknownJobsPerAddress
const known = knownIds()
const lookUp = limitedLookUps(QUOTA, { known, misses: missedIds() })

/** A payment was made here: whoever then asks for it is not limited. */
export function rememberPayment(id: string): void {
  known.add(id)
}

export const tooMany = refuse({ code: 'rate-limited', ...QUOTA })

/**
 * Asks for a payment whose id anybody may send. Null when there is none, and `too-many` for a network that has asked for too many
 * of them. Ids of payments have no mark: they follow from an idempotency key, which must give the same id in every release.
 */
export async function visitPayment<T extends object>(
  request: Request,
  env: Env,
  id: string,
  find: (payment: Stub) => Promise<T | null>,
): Promise<T | null | 'too-many'> {
  if (!isPaymentId(id)) return null
  const key = `sandbox ${clientNetwork(request)}`
  const look = { id, key, binding: env.UNKNOWN_JOBS_PER_ADDRESS, isSure: () => Promise.resolve(false) }
  return lookUp(look, () => find(namedObject(env, env.SANDBOX_PAYMENT, id)))
}
