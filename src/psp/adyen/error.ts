import * as v from 'valibot'
import type { Called } from '../http-client.ts'
import { type RefusedOrder, reasonIn, refusedOrder } from '../refusal.ts'
import { REASONS } from './tables.ts'

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
 * Whether the same request is under way elsewhere. Adyen says so with 409, or with 422 and 704 "request already
 * processed or in progress": https://docs.adyen.com/development-resources/api-idempotency
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
