import * as v from 'valibot'
import { type RefusedOrder, reasonIn, refusedOrder } from '../refusal.ts'
import { REASONS } from './tables.ts'

/** https://docs.mollie.com/reference/handling-errors */
const Problem = v.object({ title: v.string(), detail: v.string(), field: v.nullish(v.string()) })

export function toRefused(body: unknown, what: 'payment' | 'refund' | 'capture' = 'payment'): RefusedOrder {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `Mollie refused the ${what}.`)
  const { title, detail, field } = problem.output
  const where = field ? ` (${field})` : ''
  const reason = reasonIn(REASONS, field?.split('.')[0])
  return refusedOrder(reason, `Mollie refused the ${what}: ${title}: ${detail}${where}`)
}
