import { refuse } from '../contract/result.ts'
import { networksOf, UNKNOWN_QUOTAS, lookUpId } from '../platform/http/rate-limit.ts'
import { namedObject } from '../platform/named-object.ts'
import { isPaymentId } from '../psp/sandbox/payment.ts'
import type { SandboxPayment } from '../psp/sandbox/sandbox-payment.ts'

export const tooMany = refuse({ code: 'rate-limited', ...UNKNOWN_QUOTAS.unknownJobsPerAddress })

/**
 * Asks for a payment whose id anybody may send. Null when there is none, and `too-many` for a
 * network that has asked for too many ids that the hub did not make.
 */
export async function visitPayment<T extends object>(
  request: Request,
  env: Env,
  id: string,
  find: (payment: DurableObjectStub<SandboxPayment>) => Promise<T | null>,
): Promise<T | null | 'too-many'> {
  if (!isPaymentId(id)) return null
  const visit = { id, to: 'sandbox', from: networksOf(request) } as const
  return lookUpId(env, visit, () => find(namedObject(env, env.SANDBOX_PAYMENT, id)))
}
