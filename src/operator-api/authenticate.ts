import { equalInConstantTime } from '../crypto/hash.ts'
import { bearerOf } from '../http/bearer.ts'
import type { Answer } from '../http/routes.ts'

/** Lets the operator in, who holds the Worker's `OPERATOR_TOKEN`. */
export const authenticateOperator = async (request: Request, env: Env): Promise<Answer> => {
  const token = bearerOf(request)
  const known =
    env.OPERATOR_TOKEN !== '' && token !== null && (await equalInConstantTime(token, env.OPERATOR_TOKEN))
  if (known) return undefined
  return {
    refused: 'unauthenticated',
    detail: 'Send the operator token as Authorization: Bearer.',
    tokenGiven: request.headers.has('authorization'),
  }
}
