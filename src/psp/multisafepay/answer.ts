import * as v from 'valibot'
import {
  type Unavailable,
  type RefusedOrder,
  accountRefused,
  ofOrderOrAccount,
  reasonIn,
  refusedOrder,
  withoutPayment,
} from '../answer.ts'
import type { Answered, Called } from '../http-client.ts'
import { REASONS } from './tables.ts'

/** The answer to a request that succeeded, with what was asked for. */
export function success<const Data extends v.GenericSchema>(data: Data) {
  return v.object({ success: v.literal(true), data })
}

/** Most failures come with a code; one from a gateway in front of the API has only a message. */
const Failure = v.object({
  error_code: v.nullish(v.number()),
  error_info: v.nullish(v.string()),
  message: v.nullish(v.string()),
})

/**
 * One that is not known, or is used already:
 * https://docs.multisafepay.com/reference/error-reference
 */
const INVALID_ORDER_ID = 1006

function hasCode(answer: Called, code: number): answer is Answered {
  return (
    answer.is === 'answered' &&
    v.is(v.object({ success: v.literal(false), error_code: v.literal(code) }), answer.body)
  )
}

/** A new order was refused because its id is in use. */
export function isUsed(answer: Called): answer is Answered {
  return hasCode(answer, INVALID_ORDER_ID)
}

export function isUnknown(answer: Called): boolean {
  return (answer.is === 'answered' && answer.status === 404) || hasCode(answer, INVALID_ORDER_ID)
}

export function hasSucceeded(answer: Answered): boolean {
  return v.is(v.object({ success: v.literal(true) }), answer.body)
}

/** The clients of MultiSafepay go by `success`, whatever the HTTP status. */
export function isFailure({ status, body }: Answered): boolean {
  return status >= 400 || v.is(v.object({ success: v.literal(false) }), body)
}

export function toRefused(body: unknown, what: 'payment' | 'refund' = 'payment'): RefusedOrder {
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

/** "Invalid API key": https://docs.multisafepay.com/reference/error-reference */
const INVALID_API_KEY = 1032

/** The key may be refused with a status that says nothing of it. */
export function toOrderOrAccountRefused(
  answer: Answered,
  what: 'payment' | 'refund' = 'payment',
): RefusedOrder | Unavailable {
  const refused = toRefused(answer.body, what)
  return isKeyRefused(answer) ? accountRefused(refused) : ofOrderOrAccount(answer.status, refused)
}

/** An answer that tells nothing of the order. */
export function withoutOrder(answer: Answered): Unavailable {
  const message = `MultiSafepay answered ${answer.status} without the order.`
  return withoutPayment(isKeyRefused(answer) ? 401 : answer.status, message)
}

function isKeyRefused(answer: Answered): boolean {
  return hasCode(answer, INVALID_API_KEY)
}
