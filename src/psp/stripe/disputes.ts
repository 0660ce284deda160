import * as v from 'valibot'
import { type Unavailable, wordIn } from '../answer.ts'
import type { Call } from '../http-client.ts'
import { urlPart } from '../values.ts'
import { TAKES_MONEY, minorUnits } from './tables.ts'

/** https://docs.stripe.com/api/disputes/object */
const Dispute = v.object({
  amount: v.number(),
  currency: v.string(),
  status: v.string(),
  balance_transactions: v.optional(v.unknown()),
})

const Disputes = v.object({ data: v.array(v.unknown()), has_more: v.boolean() })

/**
 * Sums what disputes have taken back of a payment, in minor units:
 * https://docs.stripe.com/api/disputes/list. Counts those that the hub can read, and returns a message
 * about the others (`unread`). `unavailable` if Stripe does not answer now: the hub then asks again.
 */
export async function chargedBack(
  call: Call,
  intent: string,
  currency: string,
  deadline: AbortSignal,
): Promise<{ chargedBack?: number; unread?: string } | Unavailable> {
  const path = `/v1/disputes?payment_intent=${urlPart(intent)}&limit=100`
  const answer = await call('GET', path, { deadline })
  if (answer.is === 'unavailable') return answer
  const disputes = v.safeParse(Disputes, answer.body)
  if (answer.status !== 200 || !disputes.success)
    return { unread: `Stripe answered ${answer.status} without the disputes.` }
  const taken = disputes.output.data.map((dispute) => takenBy(dispute, currency))
  const counted = taken.filter((amount) => amount !== null)
  const sum = counted.reduce((all, amount) => all + amount, 0)
  const uncounted = taken.length - counted.length + (disputes.output.has_more ? 1 : 0)
  if (uncounted === 0) return { chargedBack: sum }
  const unread = `Stripe has ${uncounted} or more disputes that the hub cannot count.`
  return counted.length === 0 ? { unread } : { chargedBack: sum, unread }
}

/**
 * Returns what a dispute has taken; null for a status or a currency that the hub cannot count. Stripe
 * withdraws the funds some time after a dispute begins. Until then it has no balance transaction.
 */
function takenBy(shown: unknown, currency: string): number | null {
  const dispute = v.safeParse(Dispute, shown)
  if (!dispute.success) return null
  const { amount, currency: of, status, balance_transactions } = dispute.output
  const takes = wordIn(TAKES_MONEY, status)
  const taken = minorUnits(amount, of, currency)
  if (takes === undefined || taken === null) return null
  const isStillHere = Array.isArray(balance_transactions) && balance_transactions.length === 0
  return takes && !isStillHere ? taken : 0
}
