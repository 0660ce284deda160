import * as v from 'valibot'
import { formatAmount } from '../../contract/money.ts'
import { type Refused, wordIn } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { Instructed, Instruction } from '../port.ts'
import { instructedIn, stateOf } from '../reading.ts'
import { shorten } from '../values.ts'
import {
  type Order,
  hasCode,
  isOf,
  isRefundedByCart,
  orderAt,
  orderIn,
  pathOf,
  refuse,
  relatedIn,
  relatedOf,
} from './order.ts'
import { askForParts, chargedBackAt, ownOf, readingOf, sumOf } from './standing.ts'
import { DESCRIPTION_LENGTH, REFUND_STATUSES } from './tables.ts'

export function refunds(call: Call): Instructed {
  return {
    /**
     * Asks for a refund: https://docs.multisafepay.com/reference/refundorder. MultiSafepay has no
     * idempotency key; the hub finds the refund again by its own id, the `refund_order_id`.
     */
    async instruct({ reference }, wanted) {
      const { id, amount, currency, description, round } = wanted
      // "A full refund will be processed if the amount parameter is … set to 0."
      if (amount === 0) return { is: 'refused', message: 'Nothing cannot be refunded.' }
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
    },
    /**
     * Finds a refund in its order, or in that of a captured part, by the hub's id or MultiSafepay's.
     * A refund is unknown only if the lists have all refunds that the orders show: MultiSafepay's own
     * examples have refunds without a list.
     */
    async check({ reference }, wanted) {
      const order = await orderAt(call, reference)
      if ('is' in order) return order
      const parts = await askForParts(call, order)
      const orders = [order, ...(parts ?? [])]
      const found = orders.flatMap((one) => relatedOf(one, 'refund')).find(isOf(wanted))
      if (found) {
        const shown = { id: found.transaction_id ?? null, status: found.status }
        return stateOf(readingOf(reference), 'refund', shown)
      }
      return wanted.reference !== null || parts === null || orders.some(showsMore)
        ? unavailable('MultiSafepay does not list the refund.')
        : { is: 'unknown' }
    },
  }
}

const NO_PARTS = 'MultiSafepay did not show the orders of what was captured in parts.'

/**
 * Returns the order to refund: a captured part is refunded under its own id
 * (`TransactionManager::refund` of https://github.com/MultiSafepay/php-sdk). Of those with enough left
 * it is the one with least, so that larger refunds find theirs.
 */
function placeOf(order: Order, parts: readonly Order[], { amount, currency }: Instruction): string | Refused {
  const own = ownOf(order, parts)
  const places = [order, ...parts]
    .map((one) => ({ id: one.order_id, left: (one === order ? own : one.amount) - goneOf(one) }))
    .toSorted((one, other) => one.left - other.left)
  const most = formatAmount(Math.max(places.at(-1)?.left ?? 0, 0), currency)
  return (
    places.find(({ left }) => left >= amount)?.id ?? {
      is: 'refused',
      message: `MultiSafepay refunds each captured part by itself, and the most that one of them has left is ${currency} ${most}.`,
    }
  )
}

/** Sums what went back of an order, and what may yet. */
function goneOf(order: Order): number {
  const made = relatedOf(order, 'refund').filter(({ status }) => wordIn(REFUND_STATUSES, status) !== 'failed')
  return Math.max(sumOf(made), order.amount_refunded ?? 0) + (chargedBackAt(order) ?? 0)
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

const Cost = v.object({ description: v.string() })

/**
 * Returns whether an order shows refunds that are missing in the list: by its total, its status, or
 * the costs of a refund.
 */
function showsMore(order: Order): boolean {
  const listed = relatedOf(order, 'refund')
  const costs = Array.isArray(order.costs) ? order.costs : []
  const ofRefunds = costs.filter((cost) => v.is(Cost, cost) && /^refund/i.test(cost.description))
  return (
    relatedIn(order) === null ||
    (order.amount_refunded ?? 0) > sumOf(listed) ||
    (order.status.endsWith('refunded') && listed.length === 0) ||
    ofRefunds.length > listed.length
  )
}
