import { type Result, ok, refuse } from '../../contract/result.ts'
import { type Payment, type Refund, endedAs, told, total } from './payment.ts'

/** What was taken, in minor units: less than the whole where only a part was captured. */
export function taken(payment: Payment): number {
  return payment.captured ?? total(payment)
}

/** What refunds took, in minor units: all but those that failed. */
export function refunded({ refunds = [] }: Payment): number {
  return refunds.filter(({ failed }) => !failed).reduce((sum, { amount }) => sum + amount, 0)
}

/** What can still go back, in minor units. */
export function remaining(payment: Payment): number {
  return Math.max(taken(payment) - refunded(payment) - (payment.chargedBack ?? 0), 0)
}

/** How long (ms) a refund stays `pending`. At Mollie it is up to two working days. */
const REFUND_TAKES = 30_000

/** https://docs.mollie.com/docs/refunds */
export function refundStatus({ failed, createdAt }: Refund, now: number): 'pending' | 'refunded' | 'failed' {
  if (failed) return 'failed'
  return now < createdAt + REFUND_TAKES ? 'pending' : 'refunded'
}

/** How many refunds a payment takes: each is stored with it. */
const MOST_REFUNDS = 100

/** A refund that is asked for. `amount` is in minor units, null for all that is left. */
export type NewRefund = Pick<Refund, 'id' | 'description' | 'key'> & { amount: number | null }

/** Gives money back, once for each key. */
export function refund(payment: Payment, wanted: NewRefund, now: number): Result<Payment, string> {
  const { refunds = [] } = payment
  if (wanted.key !== null && refunds.some(({ key }) => key === wanted.key)) return ok(payment)
  if (payment.status !== 'paid') return refuse('Only a payment that is paid can be refunded')
  if (payment.refuses !== undefined && wanted.key !== null) return refuse(payment.refuses)
  const rest = remaining(payment)
  const amount = wanted.amount ?? rest
  if (amount === 0 || amount > rest) return refuse('The amount is higher than what remains of the payment')
  if (refunds.length === MOST_REFUNDS) return refuse(`A payment takes ${MOST_REFUNDS} refunds at most`)
  const made: Refund = { ...wanted, amount, metadata: 'null', fingerprint: '', createdAt: now, failed: false }
  return ok(told({ ...payment, refunds: [...refunds, made] }, now))
}

/** The newest refund fails after all, and its money is back. */
export function failRefund(payment: Payment, now: number): Result<Payment, string> {
  const { refunds = [] } = payment
  const newest = refunds.findLast(({ failed }) => !failed)
  if (!newest) return refuse('No refund of the payment can fail')
  return ok(
    told({ ...payment, refunds: refunds.with(refunds.indexOf(newest), { ...newest, failed: true }) }, now),
  )
}

/** Captures what is reserved: `amount` is in minor units, null for the whole. */
export function capture(payment: Payment, amount: number | null, now: number): Result<Payment, string> {
  if (payment.stage !== 'authorized') return refuse('The payment cannot be captured')
  const captured = amount ?? total(payment)
  if (captured === 0 || captured > total(payment)) return refuse('The amount is higher than what is reserved')
  return ok({ ...endedAs(payment, 'paid', now), captured })
}

/** The customer's bank takes money back: `amount` is in minor units, null for all that it can. */
export function chargeBack(payment: Payment, amount: number | null, now: number): Result<Payment, string> {
  if (payment.status !== 'paid') return refuse('Only a payment that is paid can be charged back')
  const { chargedBack = 0 } = payment
  const rest = taken(payment) - chargedBack
  const more = amount ?? rest
  if (more === 0 || more > rest) return refuse('The amount is higher than what remains of the payment')
  return ok(told({ ...payment, chargedBack: chargedBack + more }, now))
}

export function reverseChargeback(payment: Payment, now: number): Result<Payment, string> {
  return payment.chargedBack
    ? ok(told({ ...payment, chargedBack: 0 }, now))
    : refuse('Nothing of the payment was charged back')
}
