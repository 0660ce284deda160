import * as v from 'valibot'
import type { InstructionAnswer } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { Instruction, MadePayment } from '../port.ts'
import { instructedIn, stateOf } from '../reading.ts'
import { shorten } from '../values.ts'
import {
  type Order,
  type Related,
  hasCode,
  isRefundedByCart,
  orderIn,
  pathOf,
  readingOf,
  refuse,
  relatedIn,
} from './order.ts'
import { DESCRIPTION_LENGTH } from './tables.ts'

/**
 * Asks for a refund: https://docs.multisafepay.com/reference/refundorder. MultiSafepay has no
 * idempotency key; the hub finds the refund again by its own id, the `refund_order_id`.
 */
export async function refund(
  call: Call,
  { reference }: MadePayment,
  { id, amount, currency, description, round }: Instruction,
): Promise<InstructionAnswer> {
  // "A full refund will be processed if the amount parameter is … set to 0."
  if (amount === 0) return { is: 'refused', message: 'Nothing cannot be refunded.' }
  const held = await call('GET', pathOf(reference))
  if (held.is === 'unavailable') return held
  const order = orderIn(held.body, reference)
  if (order && isRefundedByCart(order)) return { is: 'refused', message: WANTS_CART }
  const body = {
    currency,
    amount,
    description: shorten(description, DESCRIPTION_LENGTH),
    refund_order_id: id,
  }
  const answer = await call('POST', `${pathOf(reference)}/refunds`, { body })
  return hasCode(answer, CANNOT_REFUND) && round < MOST_ROUNDS
    ? { is: 'not-yet', message: `${refuse(answer.body, 'refund').message}. ${NOT_YET}` }
    : instructedIn(readingOf(reference), 'refund', answer)
}

/** "BNPL refunds": RefundBNPL.yaml in the API's document requires `checkout_data`. */
const WANTS_CART =
  "MultiSafepay refunds what is paid later by the items of its shopping cart, which the hub does not have: refund it in MultiSafepay's dashboard."

/**
 * "Cannot refund transaction": MultiSafepay made no refund. One of its causes passes: "If a second
 * refund for the same amount is requested within 5 minutes, MultiSafepay rejects the second
 * request". https://docs.multisafepay.com/reference/error-reference
 */
const CANNOT_REFUND = 1034
/** The second round comes ten minutes after the first, when the five minutes are over. */
const MOST_ROUNDS = 3

const NOT_YET =
  'MultiSafepay takes a second refund of the same amount only after five minutes: the hub tries again later.'

/**
 * Finds a refund in its order, by the hub's id or MultiSafepay's. A refund is unknown only if the
 * list has all refunds that the order shows: MultiSafepay's own examples have refunds without a
 * list.
 */
export async function checkRefund(
  call: Call,
  { reference: orderId }: MadePayment,
  wanted: Instruction & { reference: string | null },
): Promise<InstructionAnswer> {
  const answer = await call('GET', pathOf(orderId))
  if (answer.is === 'unavailable') return answer
  const order = orderIn(answer.body, orderId)
  const related = order && relatedIn(order)
  if (!order || !related) return unavailable(`MultiSafepay answered ${answer.status} without the refunds.`)
  const refunds = related.filter(({ type }) => type === 'refund')
  const found = refunds.find((one) => isOf(one, wanted))
  if (found)
    return stateOf(readingOf(orderId), 'refund', { id: found.transaction_id ?? null, status: found.status })
  return wanted.reference !== null || showsMore(order, refunds)
    ? unavailable('MultiSafepay does not list the refund.')
    : { is: 'unknown' }
}

function isOf(one: Related, { id, reference }: { id: string; reference: string | null }): boolean {
  return (
    one.refund_order_id === id ||
    one.order_id === id ||
    (reference !== null && one.transaction_id === reference)
  )
}

const Cost = v.object({ description: v.string() })

/**
 * Returns whether an order shows refunds that are missing in the list: by its total, its status, or
 * the costs of a refund.
 */
function showsMore(order: Order, listed: readonly Related[]): boolean {
  const sum = listed.reduce((total, { amount }) => total + amount, 0)
  const costs = Array.isArray(order.costs) ? order.costs : []
  const ofRefunds = costs.filter((cost) => v.is(Cost, cost) && /^refund/i.test(cost.description))
  return (
    (order.amount_refunded ?? 0) > sum ||
    (order.status.endsWith('refunded') && listed.length === 0) ||
    ofRefunds.length > listed.length
  )
}
