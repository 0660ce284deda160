import { equalInConstantTime } from '../crypto/hash.ts'
import type { Operator } from '../domain/operator.ts'
import { type Result, ok, refuse } from '../domain/result.ts'
import { bearerOf, sentBearer } from '../http/bearer.ts'
import { clientNetwork } from '../http/client-network.ts'
import { countRequest } from '../http/rate-limit.ts'
import type { Refusal } from '../http/refusal.ts'
import { log } from '../log.ts'
import { OPERATOR_QUOTAS } from './quotas.ts'

/**
 * Says who asks: the operator, who holds the Worker's `OPERATOR_TOKEN`. Others are logged, and told to wait when they try too often from
 * one address; the right token is never counted, so nobody can lock the operator out.
 */
export const authenticateOperator = async (
  request: Request,
  env: Env,
): Promise<Result<Operator, Refusal>> => {
  const token = bearerOf(request)
  const known =
    env.OPERATOR_TOKEN !== '' && token !== null && (await equalInConstantTime(token, env.OPERATOR_TOKEN))
  if (known) return ok({ name: 'OPERATOR_TOKEN', role: 'operator', via: 'secret' })
  const address = clientNetwork(request)
  const limit = await countRequest(env.OPERATOR_PER_ADDRESS, OPERATOR_QUOTAS.operatorPerAddress, address)
  if (!limit.ok) return limit
  log.warn('operator.refused', { address })
  return refuse({
    code: sentBearer(request) ? 'operator-token-invalid' : 'credentials-missing',
    detail: 'Send the operator token as Authorization: Bearer.',
  })
}
