import { formatAmount } from '../../contract/money.ts'
import type { InstructionAnswer, Refused } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { Act, Instruction } from '../port.ts'
import { instructedIn, stateOf } from '../reading.ts'
import { shorten, urlPart } from '../values.ts'
import {
  type ShownOrder,
  hasCode,
  orderAt,
  orderIn,
  orderedAt,
  partIdOf,
  pathOf,
  refuse,
  relatedOf,
} from './order.ts'
import { readingOf } from './reading.ts'
import {
  askForParts,
  decidingWord,
  isRefundedByCart,
  ledgerOf,
  meaningOf,
  partsIn,
  sumOf,
} from './standing.ts'
import { chargedBackAt, ownOf, refundsOf } from './transfers.ts'
import { DESCRIPTION_LENGTH } from './tables.ts'

/** Joins the calls for orders on pages and for orders at terminals, which have another key. */
export function atPlace(page: Act, terminal: Act): Act {
  return (payment, wanted) => (orderedAt(payment.reference) === null ? page : terminal)(payment, wanted)
}

/**
 * Captures reserved money: https://docs.multisafepay.com/reference/capturepayment. MultiSafepay has no
 * idempotency keys. The id of the capture's order (`new_order_id`) must be unique. The hub derives it from
 * its own id of the capture and looks for it first, so it may repeat a request.
 */
export function captures(call: Call): Act {
  return async (payment, wanted) => {
    const { reference } = payment
    const order = await orderAt(call, reference)
    if ('is' in order) return order
    const held = ledgerOf(order)?.held ?? 0
    const listed = captureListed(order, wanted)
    const made = listed ?? (await capture(call, reference, wanted))
    const rest = held - (listed ? 0 : wanted.amount)
    // Without an answer to this the hub releases the rest later.
    if (wanted.isFinal && made.is === 'taken' && rest > 0) await releases(call)(payment, wanted)
    return made
  }
}

async function capture(call: Call, reference: string, wanted: Instruction): Promise<InstructionAnswer> {
  const new_order_id = partIdOf(reference, wanted.id)
  const body = {
    amount: wanted.amount,
    new_order_id,
    new_order_status: 'completed',
    reason: reasonOf(wanted),
  }
  const answer = await call('POST', `${pathOf(reference)}/capture`, { body })
  const asked = instructedIn(readingOf(reference), 'capture', answer)
  if (asked.is !== 'refused') return asked
  // MultiSafepay refuses an id that is in use: the capture was made already, but is not listed yet.
  const part = await orderAt(call, new_order_id, asked)
  return 'is' in part
    ? part
    : stateOf(readingOf(reference), 'capture', { id: null, status: decidingWord(part) })
}

/**
 * Finds a capture. "After a full capture, the transaction status updates to Completed", without an order of its
 * own: so only the hub's repetition, and not a capture by the shop itself, is taken for it.
 */
function captureListed(
  order: ShownOrder,
  { id, amount, isRepeated = false }: Instruction,
): InstructionAnswer | null {
  const own = partIdOf(order.order_id, id)
  const one = relatedOf(order, 'capture').find(({ order_id }) => order_id === own)
  const reading = readingOf(order.order_id)
  if (one) return stateOf(reading, 'capture', { id: one.transaction_id ?? null, status: one.status })
  const { captured = 0, held = 0 } = ledgerOf(order) ?? {}
  const isWhole = isRepeated && held === 0 && captured - sumOf(partsIn(order) ?? []) === amount
  return isWhole ? stateOf(reading, 'capture', { id: null, status: 'completed' }) : null
}

/**
 * Releases what is still held: https://docs.multisafepay.com/reference/cancelauthorizedorder. A repeated
 * request releases nothing twice.
 */
export function releases(call: Call): Act {
  return async ({ reference }, wanted) => {
    const body = { status: 'cancelled', reason: reasonOf(wanted) }
    const answer = await call('PATCH', `/capture/${urlPart(reference)}`, { body })
    const asked = instructedIn(readingOf(reference), 'release', answer)
    if (asked.is !== 'refused' && asked.is !== 'failed') return asked
    const order = await orderAt(call, reference, asked)
    if ('is' in order) return order
    const isGone = (ledgerOf(order)?.released ?? 0) > 0 || meaningOf(order)?.is === 'ended'
    return isGone ? { is: 'taken', reference: null, state: 'done' } : asked
  }
}

/** Returns the reason that MultiSafepay's dashboard shows. */
function reasonOf({ description }: Instruction): string {
  return shorten(description, DESCRIPTION_LENGTH)
}

/**
 * Requests a refund: https://docs.multisafepay.com/reference/refundorder. MultiSafepay has no idempotency
 * keys; its list has the hub's own id of the refund, the `refund_order_id`.
 */
export function refunds(call: Call): Act {
  return async ({ reference }, wanted) => {
    const { id, amount, currency, description, round } = wanted
    // "A full refund will be processed if the amount parameter is … set to 0."
    if (amount === 0) return { is: 'refused', message: 'A refund of nothing is not possible.' }
    const held = await call('GET', pathOf(reference))
    if (held.is === 'unavailable') return held
    const order = orderIn(held.body, reference)
    if (order && isRefundedByCart(order)) return { is: 'refused', message: WANTS_CART }
    const parts = await askForParts(call, order)
    if (parts === null) return unavailable(NO_PARTS)
    const place = order && parts.length > 0 ? placeOf(order, parts, wanted) : reference
    if (typeof place !== 'string') return place
    const body = {
      currency,
      amount,
      description: shorten(description, DESCRIPTION_LENGTH),
      refund_order_id: id,
    }
    const answer = await call('POST', `${pathOf(place)}/refunds`, { body })
    return hasCode(answer, CANNOT_REFUND) && round < MOST_ROUNDS
      ? { is: 'not-yet', message: `${refuse(answer.body, 'refund').message}. ${NOT_YET}` }
      : instructedIn(readingOf(reference), 'refund', answer)
  }
}

const NO_PARTS = 'MultiSafepay did not show the orders of the captured parts.'

/**
 * Returns the order to refund: a captured part is refunded under its own id
 * (`TransactionManager::refund` of https://github.com/MultiSafepay/php-sdk). Of the orders with enough left
 * it is the one with the least, so that larger refunds find one too.
 */
function placeOf(order: ShownOrder, parts: readonly ShownOrder[], wanted: Instruction): string | Refused {
  const { amount, currency } = wanted
  const own = ownOf(order, parts)
  const places = [order, ...parts]
    .map((one) => ({ id: one.order_id, left: (one === order ? own : one.amount) - goneOf(one) }))
    .toSorted((one, other) => one.left - other.left)
  const most = formatAmount(Math.max(places.at(-1)?.left ?? 0, 0), currency)
  return (
    places.find(({ left }) => left >= amount)?.id ?? {
      is: 'refused',
      message: `MultiSafepay refunds each captured part separately, and none has more than ${currency} ${most} left.`,
    }
  )
}

/** Sums what went back of an order and what may still go back. */
function goneOf(order: ShownOrder): number {
  return Math.max(sumOf(refundsOf(order)), order.amount_refunded ?? 0) + (chargedBackAt(order) ?? 0)
}

/** "BNPL refunds": RefundBNPL.yaml in the API's document requires `checkout_data`. */
const WANTS_CART =
  "MultiSafepay refunds orders that are paid later by their shopping cart, which the hub does not have: refund this one in MultiSafepay's dashboard."

/**
 * "Cannot refund transaction": MultiSafepay made no refund. One of the causes is temporary: "If a second
 * refund for the same amount is requested within 5 minutes, MultiSafepay rejects the second
 * request". https://docs.multisafepay.com/reference/error-reference
 */
const CANNOT_REFUND = 1034
/** The second round comes ten minutes after the first, when the five minutes are over. */
const MOST_ROUNDS = 3

const NOT_YET =
  'MultiSafepay takes a second refund of the same amount only after five minutes, so the hub tries again later.'
