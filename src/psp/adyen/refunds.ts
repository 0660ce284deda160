import * as v from 'valibot'
import { type RefundAnswer, type RefusedOrder, ofOrderOrAccount, reasonIn, refusedOrder } from '../answer.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { type Call, type Called, DEADLINE, postUntilFree, unavailable } from '../http-client.ts'
import type { PaidPayment, RefundRequest } from '../port.ts'
import { toPspUnits, urlPart } from '../values.ts'
import { UNITS, REASONS } from './tables.ts'

/**
 * What a refund is called at Adyen ("Maximum length: 80 characters"): the ids of the job and of the
 * refund. Its webhooks have it as their `merchantReference`, in place of the payment's:
 * https://github.com/Adyen/adyen-commercetools/blob/main/docs/adr/0011-matching-adyen-notification.md
 */
function referenceOf(job: string, refundId: string): string {
  return `${job}.${refundId}`
}

/** The job that a `merchantReference` is about, and the refund of it where it is one's. */
export function jobAndRefundIn(merchantReference: string): { job: string; refund: string | null } {
  const [job = '', refundId = null, ...rest] = merchantReference.split('.')
  return rest.length > 0 ? { job: '', refund: null } : { job, refund: refundId }
}

const Taken = v.object({ pspReference: v.pipe(v.string(), v.nonEmpty()), status: v.literal('received') })

const UNKNOWN_PAYMENT =
  'Adyen tells by a notification which payment it is, and has not done so yet. Try again later, with another Idempotency-Key.'

/**
 * https://docs.adyen.com/api-explorer/Checkout/71/post/payments/(paymentPspReference)/refunds:
 * Adyen takes the request, and says by a notification what became of it. The hub's id of the refund
 * is its idempotency key.
 */
export async function refund(
  call: Call,
  merchantAccount: string,
  { job, payment }: PaidPayment,
  { id, amount, currency }: RefundRequest,
): Promise<RefundAnswer> {
  if (payment === null) return { is: 'refused', message: UNKNOWN_PAYMENT }
  const value = toPspUnits(amount, currency, UNITS)
  if (value === null) return { is: 'refused', message: `Adyen takes only whole amounts of ${currency}.` }
  const body = { merchantAccount, amount: { currency, value }, reference: referenceOf(job, id) }
  const path = `/payments/${urlPart(payment)}/refunds`
  return withDeadline(DEADLINE, async (deadline) => {
    const options = { body, idempotencyKey: id, deadline }
    return toTaken(await postUntilFree(call, path, options, isInProgress))
  })
}

/** Adyen's API does not show refunds: until a notification comes, nothing is known. */
export async function askRefund(): Promise<RefundAnswer> {
  return unavailable('Adyen tells by a notification alone what became of a refund.')
}

function toTaken(answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  if (isInProgress(answer)) return unavailable('Adyen has the same refund under way.')
  if (answer.status >= 400) return ofOrderOrAccount(answer.status, toRefused(answer.body, 'refund'))
  const taken = v.safeParse(Taken, answer.body)
  return taken.success
    ? { is: 'taken', reference: taken.output.pspReference, state: 'pending' }
    : unavailable('Adyen answered without the refund.')
}

/** https://docs.adyen.com/development-resources/error-codes */
const ServiceError = v.object({
  message: v.string(),
  errorCode: v.nullish(v.union([v.string(), v.number()])),
})

function errorCodeOf(body: unknown): string | null {
  const error = v.safeParse(ServiceError, body)
  return error.success && error.output.errorCode ? String(error.output.errorCode) : null
}

/**
 * Whether the same request is under way elsewhere. Adyen says so with 409, or with 422 and 704
 * "request already processed or in progress":
 * https://docs.adyen.com/development-resources/api-idempotency
 */
export function isInProgress(answer: Called): boolean {
  return (
    answer.is === 'answered' &&
    (answer.status === 409 || (answer.status === 422 && errorCodeOf(answer.body) === '704'))
  )
}

export function toRefused(body: unknown, what: 'payment' | 'account' | 'refund'): RefusedOrder {
  const error = v.safeParse(ServiceError, body)
  if (!error.success) return refusedOrder('refused_other', `Adyen refused the ${what}.`)
  const code = errorCodeOf(body)
  const message = `Adyen refused the ${what}: ${error.output.message}${code === null ? '' : ` (${code})`}`
  return refusedOrder(reasonIn(REASONS, code), message)
}
