import * as v from 'valibot'
import { toDecimal } from '../../domain/money.ts'
import type { RefundAnswer } from '../../domain/refund-request.ts'
import { type Called, type Call, callUntilFree, isConflict, unavailable } from '../http-client.ts'
import { within, DEADLINE } from '../deadline.ts'
import type { PaidPayment, RefundRequest } from '../port.ts'
import { ofOrderOrAccount } from '../refusal.ts'
import { shorten } from '../shorten.ts'
import { decimalsAt } from '../units.ts'
import { toRefused } from './error.ts'
import { MollieRefundStatus, REFUND_STATUSES } from './statuses.ts'
import { DESCRIPTION_LENGTH, UNITS } from './tables.ts'

const Refund = v.object({ id: v.string(), status: MollieRefundStatus, metadata: v.optional(v.unknown()) })
type Refund = v.InferOutput<typeof Refund>

/** A list of refunds, of which only those that can be read count: others are not the hub's. */
const Refunds = v.object({
  _embedded: v.object({ refunds: v.array(v.fallback(v.nullable(Refund), null)) }),
  _links: v.optional(v.object({ next: v.nullish(v.object({ href: v.string() })) })),
})

/** https://docs.mollie.com/reference/create-refund. The hub's id of the refund is its idempotency key and in its metadata. */
export const refund = (call: Call, payment: PaidPayment, wanted: RefundRequest): Promise<RefundAnswer> => {
  const { currency } = wanted
  const body = {
    amount: { currency, value: toDecimal(wanted.amount, decimalsAt(currency, UNITS)) },
    description: shorten(wanted.description, DESCRIPTION_LENGTH),
    metadata: { refund: wanted.id },
  }
  return within(DEADLINE, async (deadline) => {
    const options = { body, idempotencyKey: wanted.id, deadline }
    const post = () => call('POST', pathOf(payment), options)
    return toTaken(await callUntilFree(post, isConflict, deadline))
  })
}

/**
 * https://docs.mollie.com/reference/list-payment-refunds: the refund by Mollie's id, or found by the hub's id where Mollie's
 * answer to the request was lost.
 */
export const pullRefund = async (
  call: Call,
  payment: PaidPayment,
  wanted: RefundRequest & { reference: string | null },
): Promise<RefundAnswer> => {
  if (wanted.reference !== null) {
    return toTaken(await call('GET', `${pathOf(payment)}/${encodeURIComponent(wanted.reference)}`))
  }
  const answer = await call('GET', `${pathOf(payment)}?limit=250`)
  if (answer.is === 'unavailable') return answer
  const list = v.safeParse(Refunds, answer.body)
  if (answer.status !== 200 || !list.success)
    return unavailable(`Mollie answered ${answer.status} without refunds.`)
  const found = list.output._embedded.refunds.find((candidate) => candidate && isOf(candidate, wanted.id))
  if (found) return answerOf(found)
  // One that is on a later page was made by others: a payment takes few refunds.
  return list.output._links?.next
    ? unavailable('Mollie has too many refunds of the payment.')
    : { is: 'unknown' }
}

const pathOf = ({ reference }: PaidPayment): string => `/payments/${encodeURIComponent(reference)}/refunds`

const isOf = ({ metadata }: Refund, id: string): boolean =>
  v.is(v.object({ refund: v.literal(id) }), metadata)

const toTaken = (answer: Called): RefundAnswer => {
  if (answer.is === 'unavailable') return answer
  if (isConflict(answer)) return unavailable('Mollie has the same refund under way.')
  if (answer.status === 404 || answer.status === 410) return { is: 'unknown' }
  if (answer.status >= 400) return ofOrderOrAccount(answer.status, toRefused(answer.body, 'refund'))
  const taken = v.safeParse(Refund, answer.body)
  return taken.success ? answerOf(taken.output) : unavailable('Mollie answered without the refund.')
}

const answerOf = ({ id, status }: Refund): RefundAnswer => {
  const state = REFUND_STATUSES[status]
  return state === 'failed'
    ? { is: 'failed', message: `Mollie says that the refund is ${status}.` }
    : { is: 'taken', reference: id, state }
}
