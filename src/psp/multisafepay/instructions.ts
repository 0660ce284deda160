import * as v from 'valibot'
import { formatAmount } from '../../contract/money.ts'
import { DAY } from '../../contract/timestamp.ts'
import { type InstructionAnswer, type InstructionKind, type Refused, wordIn } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { InstructionCalls, Instruction, MadePayment } from '../port.ts'
import { instructedIn, stateOf } from '../reading.ts'
import { shorten, urlPart } from '../values.ts'
import {
  type ShownOrder,
  hasCode,
  isOf,
  isUnknown,
  orderAt,
  orderIn,
  orderedAt,
  partIdOf,
  pathOf,
  refuse,
  relatedIn,
  relatedOf,
} from './order.ts'
import {
  askForParts,
  chargedBackAt,
  decidingWord,
  isRefundedByCart,
  ledgerOf,
  meaningOf,
  ownOf,
  partsIn,
  readingOf,
  sumOf,
} from './standing.ts'
import { DESCRIPTION_LENGTH, REFUND_STATUSES } from './tables.ts'

type InstructionToCheck = Parameters<InstructionCalls['check']>[1]

/** Joins the calls for orders on pages and for orders at terminals, which have another key. */
export function atPlace(page: InstructionCalls, terminal: InstructionCalls): InstructionCalls {
  const at = ({ reference }: MadePayment) => (orderedAt(reference) === null ? page : terminal)
  return {
    ...page,
    instruct: (payment, wanted) => at(payment).instruct(payment, wanted),
    check: (payment, wanted) => at(payment).check(payment, wanted),
  }
}

/**
 * Captures reserved money: https://docs.multisafepay.com/reference/capturepayment. MultiSafepay has no
 * idempotency keys. The id of the capture's order (`new_order_id`) must be unique. The hub derives it from
 * its own id of the capture and looks for it first, so it may repeat a request.
 */
export function captures(call: Call): InstructionCalls {
  const release = releases(call)

  async function make(
    payment: MadePayment,
    wanted: Instruction,
    isOthers: boolean,
  ): Promise<InstructionAnswer> {
    const { reference } = payment
    const { id: new_order_id, amount } = wanted
    const body = { amount, new_order_id, new_order_status: 'completed', reason: reasonOf(wanted) }
    const answer = await call('POST', `${pathOf(reference)}/capture`, { body })
    const asked = instructedIn(readingOf(reference), 'capture', answer)
    if (asked.is !== 'refused' || isOthers) return asked
    // MultiSafepay may refuse the capture because it was made already and the answer was lost.
    const known = await check(payment, { ...wanted, reference: null })
    return known.is === 'taken' ? known : asked
  }

  async function check(payment: MadePayment, wanted: InstructionToCheck): Promise<InstructionAnswer> {
    const { reference } = payment
    const order = await orderAt(call, reference)
    if ('is' in order) return order
    const listed = listedIn([order], 'capture', wanted)
    if (listed) return listed
    const answer = await call('GET', pathOf(wanted.id))
    if (answer.is === 'unavailable') return answer
    const own = orderIn(answer.body, wanted.id)
    if (own) return stateIn(order, 'capture', wanted, decidingWord(own))
    const { captured = 0, held = 0 } = ledgerOf(order) ?? {}
    const unlisted = captured - sumOf(partsIn(order))
    // "After a full capture, the transaction status updates to Completed", without an order of its own.
    if (held === 0 && unlisted === wanted.amount) return stateIn(order, 'capture', wanted, 'completed')
    const isToldMore = wanted.reference !== null || (held > 0 && unlisted > 0) || relatedIn(order) === null
    return isToldMore || !isUnknown(answer)
      ? unavailable('MultiSafepay does not list the capture.')
      : { is: 'unknown' }
  }

  function asPart<One extends { id: string }>({ reference }: MadePayment, wanted: One): One {
    return { ...wanted, id: partIdOf(reference, wanted.id) }
  }

  return {
    keyLife: DAY,
    async instruct(payment, asked) {
      const wanted = asPart(payment, asked)
      const order = await orderAt(call, payment.reference)
      if ('is' in order) return order
      const listed = listedIn([order], 'capture', { ...wanted, reference: null })
      const held = ledgerOf(order)?.held
      // In the totals, a capture by the shop itself looks like one by the hub.
      const isOthers = held === 0 && !asked.isRepeated
      const made = listed ?? (await make(payment, wanted, isOthers))
      const rest = (held ?? 0) - (listed ? 0 : wanted.amount)
      if (!wanted.isFinal || made.is !== 'taken' || rest <= 0) return made
      const released = await release.instruct(payment, wanted)
      // The hub then repeats the instruction, finds the capture, and goes on to release the rest.
      return released.is === 'unavailable' ? unavailable(released.message) : made
    },
    check: (payment, wanted) => check(payment, asPart(payment, wanted)),
  }
}

/**
 * Releases what is still held: https://docs.multisafepay.com/reference/cancelauthorizedorder. A repeated
 * request releases nothing twice.
 */
export function releases(call: Call): InstructionCalls {
  async function check({ reference }: MadePayment, wanted: InstructionToCheck): Promise<InstructionAnswer> {
    const order = await orderAt(call, reference)
    if ('is' in order) return order
    const { released = 0 } = ledgerOf(order) ?? {}
    if (released > 0 || meaningOf(order)?.is === 'ended') return stateIn(order, 'release', wanted, 'void')
    if (wanted.reference === null) return { is: 'unknown' }
    const made = relatedOf(order, 'auth-cancellation').find(isOf({ ...wanted, id: '' }))
    return stateIn(order, 'release', wanted, made?.status ?? 'initialized')
  }

  return {
    keyLife: DAY,
    async instruct(payment, wanted) {
      const { reference } = payment
      const body = { status: 'cancelled', reason: reasonOf(wanted) }
      const answer = await call('PATCH', `/capture/${urlPart(reference)}`, { body })
      const asked = instructedIn(readingOf(reference), 'release', answer)
      if (asked.is === 'unavailable') return asked
      const known = await check(payment, {
        ...wanted,
        reference: 'reference' in asked ? asked.reference : null,
      })
      return known.is === 'taken' || known.is === 'failed' ? known : asked
    },
    check,
  }
}

/** Returns the reason that MultiSafepay's dashboard shows. */
function reasonOf({ description }: Instruction): string {
  return shorten(description, DESCRIPTION_LENGTH)
}

function stateIn(
  { order_id }: ShownOrder,
  kind: InstructionKind,
  { reference: id }: { reference: string | null },
  status: string,
): InstructionAnswer {
  return stateOf(readingOf(order_id), kind, { id, status })
}

/** Finds a capture or a refund among the related transactions of orders. */
function listedIn(
  orders: readonly [ShownOrder, ...ShownOrder[]],
  kind: 'capture' | 'refund',
  wanted: InstructionToCheck,
): InstructionAnswer | null {
  const one = orders.flatMap((order) => relatedOf(order, kind)).find(isOf(wanted))
  return one ? stateIn(orders[0], kind, { reference: one.transaction_id ?? null }, one.status) : null
}

export function refunds(call: Call): InstructionCalls {
  return {
    /**
     * Requests a refund: https://docs.multisafepay.com/reference/refundorder. MultiSafepay has no
     * idempotency keys; the hub finds the refund again by its own id, the `refund_order_id`.
     */
    async instruct({ reference }, wanted) {
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
    },
    /**
     * Finds a refund in its order, or in that of a captured part, by the hub's id or MultiSafepay's. A
     * refund is unknown only if the lists have every refund that the orders show, because even
     * MultiSafepay's examples have refunds without a list.
     */
    async check({ reference }, wanted) {
      const order = await orderAt(call, reference)
      if ('is' in order) return order
      const parts = await askForParts(call, order)
      const orders = [order, ...(parts ?? [])] as const
      const listed = listedIn(orders, 'refund', wanted)
      if (listed) return listed
      return wanted.reference !== null || parts === null || orders.some(showsMore)
        ? unavailable('MultiSafepay does not list the refund.')
        : { is: 'unknown' }
    },
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
  const made = relatedOf(order, 'refund').filter(({ status }) => wordIn(REFUND_STATUSES, status) !== 'failed')
  return Math.max(sumOf(made), order.amount_refunded ?? 0) + (chargedBackAt(order) ?? 0)
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

const Cost = v.object({ description: v.string() })

/**
 * Returns whether an order shows refunds that its list lacks: by its total, its status, or the costs of a
 * refund.
 */
function showsMore(order: ShownOrder): boolean {
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
