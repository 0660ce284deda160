import { equalInConstantTime } from '../crypto/hash.ts'
import { refuse } from '../domain/result.ts'
import { bearerOf } from '../http/bearer.ts'
import type { Guard } from '../http/routes.ts'

/** Lets the operator in, who holds the Worker's `OPERATOR_TOKEN`. */
export const authenticateOperator: Guard = async (request, { env }) => {
  const token = bearerOf(request)
  const known =
    env.OPERATOR_TOKEN !== '' && token !== null && (await equalInConstantTime(token, env.OPERATOR_TOKEN))
  if (known) return null
  return refuse({
    refused: 'unauthenticated',
    detail: 'Send the operator token as Authorization: Bearer.',
    tokenGiven: request.headers.has('authorization'),
  })
}
