import * as v from 'valibot'
import type { Unavailable } from '../answer.ts'
import type { Call } from '../http-client.ts'
import { urlPart } from '../url-part.ts'
import { minorUnits } from './units.ts'
import { DisputeStatus, TAKES_MONEY } from './statuses.ts'

/** https://docs.stripe.com/api/disputes/object */
const Dispute = v.object({
  amount: v.number(),
  currency: v.string(),
  status: DisputeStatus,
  balance_transactions: v.optional(v.unknown()),
})
type Dispute = v.InferOutput<typeof Dispute>

const Disputes = v.object({ data: v.array(Dispute), has_more: v.literal(false) })

/**
 * What disputes have taken back of a payment, in minor units: https://docs.stripe.com/api/disputes/list. Null where Stripe
 * does not tell it, or one of them cannot be read; `unavailable` where it does not answer now.
 */
export async function chargedBack(
  call: Call,
  intent: string,
  currency: string,
  deadline: AbortSignal,
): Promise<number | null | Unavailable> {
  const path = `/v1/disputes?payment_intent=${urlPart(intent)}&limit=100`
  const answer = await call('GET', path, { deadline })
  if (answer.is === 'unavailable') return answer
  const disputes = v.safeParse(Disputes, answer.body)
  if (answer.status !== 200 || !disputes.success) return null
  return disputes.output.data
    .map((dispute) => takenBy(dispute, currency))
    .reduce((sum, taken) => (sum === null || taken === null ? null : sum + taken), 0)
}

/** Funds are withdrawn some time after a dispute was made: until then it has no balance transaction. */
function takenBy({ amount, currency: of, status, balance_transactions }: Dispute, currency: string) {
  const isStillHere = Array.isArray(balance_transactions) && balance_transactions.length === 0
  return isStillHere || !TAKES_MONEY[status] ? 0 : minorUnits(amount, of, currency)
}
