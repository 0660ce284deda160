import * as v from 'valibot'
import {
  type Meaning,
  AUTHORIZED,
  PAID,
  UNDERWAY,
  type Unavailable,
  reasonIn,
  refusedOrder,
  unknownWord,
  wordIn,
} from '../answer.ts'
import type { Answered, Called } from '../http-client.ts'
import type { PspReading, Shown, ShownInstruction } from '../reading.ts'
import { urlPart } from '../values.ts'
import {
  PATIENCE,
  REASONS,
  REFUND_STATUSES,
  REFUNDED_BY_CART,
  SHIPPED_FIRST,
  SLOW_METHODS,
  STATUSES,
  WHEN_COMPLETED,
} from './tables.ts'

/** Returns the schema of an answer to a request that succeeded, with its data. */
export function success<const Data extends v.GenericSchema>(data: Data) {
  return v.object({ success: v.literal(true), data })
}

/** A failure. Most have a code; those of a gateway in front of the API have only a message. */
const Failure = v.object({
  error_code: v.nullish(v.number()),
  error_info: v.nullish(v.string()),
  message: v.nullish(v.string()),
})

/**
 * The first is for an unknown id and for one in use; the second for "Invalid API key", under any
 * HTTP status: https://docs.multisafepay.com/reference/error-reference
 */
const INVALID_ORDER_ID = 1006
const INVALID_API_KEY = 1032

export function hasCode(answer: Called, code: number): answer is Answered {
  return (
    answer.is === 'answered' &&
    v.is(v.object({ success: v.literal(false), error_code: v.literal(code) }), answer.body)
  )
}

/** Returns whether MultiSafepay refused a new order because its id is in use. */
export function isUsed(answer: Called): answer is Answered {
  return hasCode(answer, INVALID_ORDER_ID)
}

export function isUnknown(answer: Called): boolean {
  return (answer.is === 'answered' && answer.status === 404) || hasCode(answer, INVALID_ORDER_ID)
}

export function hasSucceeded(answer: Answered): boolean {
  return v.is(v.object({ success: v.literal(true) }), answer.body)
}

/** Returns whether a request failed, by `success`: MultiSafepay's own clients go by that too. */
export function isFailure({ status, body }: Answered): boolean {
  return status >= 400 || v.is(v.object({ success: v.literal(false) }), body)
}

export function refuse(body: unknown, what: string) {
  const failure = v.safeParse(Failure, body)
  const { error_code, error_info, message } = failure.success ? failure.output : {}
  const why = error_info || message
  return refusedOrder(
    reasonIn(REASONS, String(error_code)),
    why
      ? `MultiSafepay refused the ${what}: ${why}${error_code ? ` (${error_code})` : ''}`
      : `MultiSafepay refused the ${what}.`,
  )
}

const Id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.nonEmpty())

/**
 * The answer to a request for a refund. The id is `refund_id`, or else `transaction_id`:
 * openapi/components/examples/responses/refundOrder.json
 */
const Taken = v.object({ refund_id: v.nullish(Id), transaction_id: v.nullish(Id) })

export function readingOf(reference: string): PspReading {
  return {
    psp: 'MultiSafepay',
    patience: PATIENCE,
    read: (body, currency) => read(orderIn(body, reference), currency),
    instructions: { refund: { states: REFUND_STATUSES, read: takenIn } },
    refuse,
    isFailure,
    isUnknown,
    isKeyRefused: (answer) => [401, 403].includes(answer.status) || hasCode(answer, INVALID_API_KEY),
  }
}

function takenIn(body: unknown): ShownInstruction | null {
  const taken = v.safeParse(success(Taken), body)
  if (!taken.success) return null
  const { refund_id, transaction_id } = taken.output.data
  return { id: refund_id ?? transaction_id ?? null, status: 'initialized' }
}

/** MultiSafepay does not say when the page closes. */
function read(order: Order | null, currency: string): Shown | Unavailable | null {
  if (order?.currency !== currency) return null
  const meaning = meaningOf(order)
  if (!meaning) return unknownWord('MultiSafepay', 'order', decidingWord(order))
  const isPaid = meaning.is === 'paid'
  return {
    reference: order.order_id,
    checkoutUrl: order.payment_url,
    expiresAt: null,
    meaning,
    method: methodOf(order),
    amount: order.amount,
    paid: isPaid ? order.amount : capturedOf(order) || (meaning.is === 'ended' ? 0 : paidInPart(order)),
    ...((isPaid && order.amount > 0) || isVoid(order) || capturedOf(order) > 0
      ? { refunded: refundedOf(order), chargedBack: chargedBackOf(order) }
      : {}),
  }
}

const Minor = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const Part = v.object({ status: v.literal('completed'), amount: Minor, currency: v.string() })

const PaymentDetails = v.object({ type: v.fallback(v.nullish(v.string()), null) })

/**
 * An order as MultiSafepay shows it: https://docs.multisafepay.com/reference/getorder. Strict only
 * about the members that decide, so that an oddity elsewhere hides no payment.
 */
export const Order = v.object({
  order_id: v.string(),
  currency: v.string(),
  amount: Minor,
  status: v.string(),
  financial_status: v.nullish(v.fallback(v.string(), 'not to be read')),
  payment_details: v.fallback(v.nullish(PaymentDetails), null),
  payment_methods: v.fallback(v.nullish(v.array(v.fallback(v.nullable(Part), null))), null),
  amount_refunded: v.fallback(v.nullish(Minor), null),
  related_transactions: v.optional(v.unknown()),
  costs: v.optional(v.unknown()),
  var1: v.fallback(v.nullish(v.string()), null),
  payment_url: v.fallback(v.nullish(v.pipe(v.string(), v.url())), null),
})
export type Order = v.InferOutput<typeof Order>

/** Returns the method that the customer chose, by MultiSafepay's name; null before that. */
function methodOf({ payment_details }: Order): string | null {
  return payment_details?.type ?? null
}

/** Returns whether the customer sends the money, perhaps late. */
export function isSlow(order: Order): boolean {
  return SLOW_METHODS.has(methodOf(order) ?? '')
}

/** Returns whether a refund of the order needs its cart, which the hub does not have. */
export function isRefundedByCart(order: Order): boolean {
  return REFUNDED_BY_CART.has(methodOf(order) ?? '')
}

/**
 * Returns the meaning of an order; undefined if the deciding word is unknown. An order may be
 * completed or shipped with its money still under way, which the transaction's status
 * (`financial_status`) tells: Multibanco, Klarna and payments under review are "completed,
 * uncleared" for a time. If that is missing, the order's own status counts. American Express orders
 * stay "completed, initialized" when American Express pays the shop itself
 * (https://docs.multisafepay.com/docs/card-payments); for other cards that means reserved.
 */
export function meaningOf(order: Order): Meaning | undefined {
  const { status } = order
  if (status === 'initialized' && isSlow(order)) return UNDERWAY
  if (chargebacksOf(order).length > 0) return PAID
  if (order.amount > 0 && capturedOf(order) >= order.amount) return PAID
  if (isCompleted(order) && decidingWord(order) === 'initialized' && methodOf(order) === 'AMEX') return PAID
  const waitsForShop = status === 'completed' && SHIPPED_FIRST.has(methodOf(order) ?? '')
  if (waitsForShop && decidingWord(order) === 'uncleared') return AUTHORIZED
  return isCompleted(order) ? wordIn(WHEN_COMPLETED, decidingWord(order)) : wordIn(STATUSES, status)
}

function isCompleted({ status }: Order): boolean {
  return status === 'completed' || status === 'shipped'
}

/** Returns the status word that decides the meaning of an order. */
function decidingWord(order: Order): string {
  return (isCompleted(order) ? order.financial_status : null) ?? order.status
}

/** Sums the gift cards that paid a part. The order's own status tells when all is paid. */
function paidInPart({ payment_methods, amount, currency }: Order): number {
  const paid = (payment_methods ?? [])
    .filter((part) => part?.currency === currency)
    .reduce((sum, part) => sum + (part?.amount ?? 0), 0)
  return paid < amount ? paid : 0
}

export function isUntouched(order: Order): boolean {
  return meaningOf(order)?.is === 'open' && paidInPart(order) === 0
}

export function pathOf(reference: string): string {
  return `/orders/${urlPart(reference)}`
}

/** Returns the order in a body, if it has this id. */
export function orderIn(body: unknown, reference: string): Order | null {
  const order = v.safeParse(success(Order), body)
  return order.success && order.output.data.order_id === reference ? order.output.data : null
}

/** An id that MultiSafepay shows as a number, or as a text. */
const ShownId = v.fallback(v.nullish(Id), null)

/**
 * A refund or a chargeback of an order: RelatedTransactions.yaml in
 * https://github.com/MultiSafepay/docs, openapi.
 */
const Related = v.object({
  type: v.string(),
  status: v.string(),
  amount: Minor,
  currency: v.string(),
  transaction_id: ShownId,
  order_id: ShownId,
  refund_order_id: ShownId,
})
export type Related = v.InferOutput<typeof Related>

/** Returns the readable related transactions; null if MultiSafepay shows no list. */
export function relatedIn({ related_transactions: shown }: Order): readonly Related[] | null {
  if (shown === null) return []
  const list = Array.isArray(shown) ? shown : v.is(v.object({ type: v.string() }), shown) ? [shown] : null
  return (
    list?.flatMap((one: unknown) => {
      const related = v.safeParse(Related, one)
      return related.success ? [related.output] : []
    }) ?? null
  )
}

/** Sums the completed transactions of one type, in minor units of the order's currency. */
function sumOf(related: readonly Related[], type: string, currency: string): number {
  return related
    .filter((one) => one.type === type && one.status === 'completed' && one.currency === currency)
    .reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * Returns what was refunded, in minor units; null if MultiSafepay does not show it. Either
 * `amount_refunded` ("the amount refunded to the customer") or the related transactions may be
 * missing.
 */
function refundedOf(order: Order): number | null {
  if (has(order, ['refunded'])) return order.amount
  const related = relatedIn(order)
  const listed = related && sumOf(related, 'refund', order.currency)
  const told = order.amount_refunded ?? null
  const refunded = Math.max(told ?? 0, listed ?? 0)
  const isUntold = refunded === 0 && (told === null || has(order, ['partial_refunded']))
  return isUntold ? null : refunded
}

/**
 * Returns what was charged back, in minor units. MultiSafepay lists a won chargeback as its
 * reverse. Without a list, the status says that the whole is gone. "The customer has requested a
 * chargeback" is void, with a void transaction
 * (https://docs.multisafepay.com/docs/payment-statuses). So is a reservation that was cancelled or
 * has expired (https://docs.multisafepay.com/docs/manual-capture): the whole went back, which
 * counts only if the hub has seen it paid.
 */
function chargedBackOf(order: Order): number | null {
  const related = relatedIn(order)
  if (related && chargebacksOf(order).length > 0) {
    const { currency } = order
    return Math.max(
      sumOf(related, 'chargeback', currency) - sumOf(related, 'reverse-chargeback', currency),
      0,
    )
  }
  if (has(order, ['chargeback', 'chargedback']) || (isVoid(order) && capturedOf(order) === 0))
    return Math.max(order.amount - (refundedOf(order) ?? 0), 0)
  return related && 0
}

function isVoid({ status, financial_status }: Order): boolean {
  return status === 'void' && financial_status === 'void'
}

/**
 * Sums the parts that the shop captured by hand: transactions of their own, while the order keeps its
 * status until what is left is captured, cancelled or expires
 * (https://docs.multisafepay.com/docs/manual-capture).
 */
function capturedOf(order: Order): number {
  return sumOf(relatedIn(order) ?? [], 'capture', order.currency)
}

function chargebacksOf(order: Order): Related[] {
  return (relatedIn(order) ?? []).filter(({ type }) => type === 'chargeback')
}

function has({ status, financial_status }: Order, words: readonly string[]): boolean {
  return words.includes(status) || words.includes(financial_status ?? '')
}
