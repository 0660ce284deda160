import * as v from 'valibot'
import type { Unavailable } from '../answer.ts'
import { unavailable } from '../http-client.ts'
import { type RefusedOrder, reasonIn, refusedOrder } from '../refusal.ts'
import { REASONS } from './tables.ts'

/** https://docs.stripe.com/api/errors */
const Problem = v.object({
  error: v.object({
    message: v.optional(v.string()),
    code: v.optional(v.string()),
    param: v.nullish(v.string()),
  }),
})

export function toRefused(body: unknown, what: 'payment' | 'refund' = 'payment'): RefusedOrder | Unavailable {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `Stripe refused the ${what}.`)
  const { message, code, param } = problem.output.error
  // Some of Stripe's limits answer 400: its official clients take that as a 429.
  if (code === 'rate_limit') return unavailable('Stripe is asked too often.')
  const words = message ?? code
  return refusedOrder(
    reasonIn(REASONS, code, param && fieldOf(param)),
    `Stripe refused the ${what}${words ? `: ${words}` : '.'}${param ? ` (${param})` : ''}`,
  )
}

/** `unit_amount` of `line_items[0][price_data][unit_amount]`: the last name, without the index behind it. */
function fieldOf(param: string): string | undefined {
  return param.match(/[a-z_]+/gi)?.at(-1)
}
