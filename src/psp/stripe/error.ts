import * as v from 'valibot'
import type { Refused, Unavailable } from '../../domain/psp-answer.ts'
import { unavailable } from '../http-client.ts'

/** https://docs.stripe.com/api/errors */
const Problem = v.object({
  error: v.object({
    message: v.optional(v.string()),
    code: v.optional(v.string()),
    param: v.nullish(v.string()),
  }),
})

export const toRefused = (body: unknown): Refused | Unavailable => {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return { is: 'refused', message: 'Stripe refused the payment.' }
  const { message, code, param } = problem.output.error
  // Some of Stripe's limits answer 400: its official clients take that as a 429.
  if (code === 'rate_limit') return unavailable('Stripe is asked too often.')
  const reason = message ?? code
  return {
    is: 'refused',
    message: `Stripe refused the payment${reason ? `: ${reason}` : '.'}${param ? ` (${param})` : ''}`,
  }
}
