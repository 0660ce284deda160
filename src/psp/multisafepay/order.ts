import * as v from 'valibot'
import { Integer } from '../../contract/values.ts'
import { type InstructionAnswer, reasonIn, refusedOrder } from '../answer.ts'
import type { Call, CallResult, HttpAnswer } from '../http-client.ts'
import { answeredWithout } from '../reading.ts'
import { urlPart } from '../values.ts'
import { REASONS } from './tables.ts'

/** Returns the schema of an answer to a request that succeeded, with its data. */
export function success<const Data extends v.GenericSchema>(data: Data) {
  return v.object({ success: v.literal(true), data })
}

/** A failure. Most have a code, but those of a gateway in front of the API have only a message. */
const Failure = v.object({
  error_code: v.nullish(v.number()),
  error_info: v.nullish(v.string()),
  message: v.nullish(v.string()),
})

/**
 * The codes for an id that is unknown or in use, and for "Invalid API key", which may come with any HTTP
 * status: https://docs.multisafepay.com/reference/error-reference
 */
const INVALID_ORDER_ID = 1006
const INVALID_API_KEY = 1032

export function hasCode(answer: CallResult, code: number): answer is HttpAnswer {
  return (
    answer.is === 'answered' &&
    v.is(v.object({ success: v.literal(false), error_code: v.literal(code) }), answer.body)
  )
}

/** Returns whether MultiSafepay refused a new order because its id is in use. */
export function isUsed(answer: CallResult): answer is HttpAnswer {
  return hasCode(answer, INVALID_ORDER_ID)
}

export function isUnknown(answer: CallResult): boolean {
  return (answer.is === 'answered' && answer.status === 404) || hasCode(answer, INVALID_ORDER_ID)
}

export function hasSucceeded(answer: HttpAnswer): boolean {
  return v.is(v.object({ success: v.literal(true) }), answer.body)
}

const Unsuccessful = v.object({ success: v.literal(false) })

/**
 * Returns whether a request failed, by `success`, like MultiSafepay's own clients. The answer to a
 * cancelled reservation has a second `success` in its data (`capture@{order_id}.yaml`).
 */
export function isFailure({ status, body }: HttpAnswer): boolean {
  return status >= 400 || v.is(v.union([Unsuccessful, v.object({ data: Unsuccessful })]), body)
}

export function isKeyRefused(answer: HttpAnswer): boolean {
  return [401, 403].includes(answer.status) || hasCode(answer, INVALID_API_KEY)
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

/** An id, which MultiSafepay shows as a number or a text. */
export const Id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.nonEmpty())
const ShownId = v.fallback(v.nullish(Id), null)

const Part = v.object({ status: v.literal('completed'), amount: Integer, currency: v.string() })

const Text = v.fallback(v.nullish(v.string()), null)

/**
 * The members about money held for a later capture are only in MultiSafepay's own client
 * (`TransactionResponse/PaymentDetails.php` of https://github.com/MultiSafepay/php-sdk).
 */
const PaymentDetails = v.object({
  type: Text,
  capture: Text,
  capture_expiry: Text,
  capture_remain: v.fallback(v.nullish(Integer), null),
  last4: ShownId,
  authorization_code: ShownId,
  card_entry_mode: Text,
})

/**
 * An order as MultiSafepay shows it: https://docs.multisafepay.com/reference/getorder. Strict only about
 * the members that decide, so that an oddity elsewhere does not hide a payment.
 */
export const ShownOrder = v.object({
  order_id: v.string(),
  currency: v.string(),
  amount: Integer,
  status: v.string(),
  financial_status: v.nullish(v.fallback(v.string(), 'not to be read')),
  payment_details: v.fallback(v.nullish(PaymentDetails), null),
  payment_methods: v.fallback(v.nullish(v.array(v.fallback(v.nullable(Part), null))), null),
  amount_refunded: v.fallback(v.nullish(Integer), null),
  related_transactions: v.optional(v.unknown()),
  costs: v.optional(v.unknown()),
  completed: Text,
  reason: Text,
  var1: Text,
  payment_url: v.fallback(v.nullish(v.pipe(v.string(), v.url())), null),
})
export type ShownOrder = v.InferOutput<typeof ShownOrder>

/**
 * Returns the id of the order of a captured part, at most 50 characters. It begins with the job's id, by
 * which payout reports name the job.
 */
export function partIdOf(reference: string, capture: string): string {
  return `${jobIn(reference)}_${capture.slice(0, 13)}`
}

/** Returns the beginning of the hub's id of a capture, from the id of its order; undefined for any other order. */
export function captureIn(orderId: string | null | undefined): string | undefined {
  return /_([\da-f-]{13})$/.exec(orderId ?? '')?.[1]
}

/**
 * Returns the id of an order for a terminal, at most 50 characters. It has the job and the requested amount
 * (minor units), because a tip makes the amount of the order grow.
 */
export function terminalIdOf(job: string, amount: number): string {
  return `${job}_t${amount}`
}

/** Returns the requested amount of an order for a terminal (minor units); null for any other order. */
export function orderedAt(reference: string): number | null {
  const [, amount] = /_t(\d{1,12})$/.exec(reference) ?? []
  return amount === undefined ? null : Number(amount)
}

/** Returns the job in the id of an order: the whole of it, or the beginning. */
export function jobIn(orderId: string): string {
  return orderId.replace(/_.*$/s, '')
}

export function pathOf(reference: string): string {
  return `/orders/${urlPart(reference)}`
}

export function orderIn(body: unknown, reference: string): ShownOrder | null {
  const order = v.safeParse(success(ShownOrder), body)
  return order.success && order.output.data.order_id === reference ? order.output.data : null
}

/**
 * A capture, a cancelled reservation, a refund or a chargeback of an order: RelatedTransactions.yaml in
 * https://github.com/MultiSafepay/docs, openapi.
 */
const RelatedTransaction = v.object({
  type: v.string(),
  status: v.string(),
  amount: Integer,
  currency: v.string(),
  transaction_id: ShownId,
  order_id: ShownId,
  refund_order_id: ShownId,
})
export type RelatedTransaction = v.InferOutput<typeof RelatedTransaction>

const Typed = v.object({ type: v.string() })

/** Returns the related transactions of these types; null for one that cannot be read, and for a missing list. */
export function listedOf(order: ShownOrder, ...types: string[]): (RelatedTransaction | null)[] {
  const { related_transactions: shown } = order
  const list: readonly unknown[] = Array.isArray(shown) ? shown : shown === null ? [] : [shown]
  return list.flatMap((one) => {
    if (v.is(Typed, one) && !types.includes(one.type)) return []
    const related = v.safeParse(RelatedTransaction, one)
    return [related.success ? related.output : null]
  })
}

/** Returns the readable related transactions of a type. */
export function relatedOf(order: ShownOrder, type: string): RelatedTransaction[] {
  return listedOf(order, type).filter((one) => one !== null)
}

/** Gets an order. `refused`: what MultiSafepay refused before, which stands if it does not know the order. */
export async function orderAt(call: Call, reference: string, refused?: InstructionAnswer) {
  const answer = await call('GET', pathOf(reference))
  if (answer.is === 'unavailable') return answer
  if (refused && isUnknown(answer)) return refused
  const at = { psp: 'MultiSafepay', isKeyRefused }
  return orderIn(answer.body, reference) ?? answeredWithout(at, answer, 'the order')
}
