import * as v from 'valibot'
import { parseAmount } from '../../contract/money.ts'
import {
  type AskAnswer,
  type Unavailable,
  type RefusedOrder,
  withoutPayment,
  reasonIn,
  refusedOrder,
  standingOf,
} from '../answer.ts'
import { type Called, unavailable } from '../http-client.ts'
import { instantOf } from '../values.ts'
import { MollieStatus, PATIENCE, meaningOf, REASONS } from './tables.ts'

const Amount = v.object({ currency: v.string(), value: v.string() })

const Url = v.pipe(v.string(), v.url())
const Links = v.object({ checkout: v.nullish(v.object({ href: Url })) })

/** What decides is strict. The rest can be of any form: a payment is paid all the same. */
export const Payment = v.object({
  id: v.pipe(v.string(), v.startsWith('tr_')),
  status: v.string(),
  amount: Amount,
  amountCaptured: v.optional(v.unknown()),
  amountRefunded: v.optional(v.unknown()),
  amountChargedBack: v.optional(v.unknown()),
  method: v.fallback(v.nullish(v.string()), null),
  expiresAt: v.optional(v.unknown()),
  _links: v.fallback(v.nullish(Links), null),
})

export function toSeen(answer: Called, currency: string): AskAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404 || answer.status === 410) return { is: 'unknown' }
  const payment = v.safeParse(Payment, answer.body)
  if (!payment.success)
    return withoutPayment(answer.status, `Mollie answered ${answer.status} without the payment.`)
  const {
    status,
    method = null,
    amount,
    amountCaptured,
    amountRefunded,
    amountChargedBack,
    expiresAt,
  } = payment.output
  if (!v.is(MollieStatus, status)) return unknownWord(status)
  const standing = standingOf(meaningOf(status, method), PATIENCE, method)
  const whole = amountIn(amount, currency)
  // "The total amount that is already captured": less than the whole where the rest was released.
  const paid = standing.status === 'SUCCESS' ? amountIn(amountCaptured ?? amount, currency) : 0
  if (whole === null || paid === null)
    return unavailable('Mollie answered with an amount that cannot be read.')
  const isPaid = standing.status === 'SUCCESS'
  const refunded = isPaid ? totalIn(amountRefunded, currency) : null
  const chargedBack = isPaid ? totalIn(amountChargedBack, currency) : null
  return {
    is: 'observed',
    ...standing,
    paid,
    expiresAt: instantOf(expiresAt),
    // A total that cannot be read changes nothing.
    ...(refunded === null ? {} : { refunded }),
    ...(chargedBack === null ? {} : { chargedBack }),
  }
}

/**
 * "Only available when the total charged back amount is not zero": a total that is not there is
 * none.
 */
function totalIn(value: unknown, currency: string): number | null {
  return value === undefined || value === null ? 0 : amountIn(value, currency)
}

export function unknownWord(word: string, of = 'payment'): Unavailable {
  return unavailable(`Mollie answered with a status of the ${of} that is not known: ${word.slice(0, 100)}.`)
}

/** An amount in minor units; null where it is in another currency, or cannot be read. */
export function amountIn(value: unknown, currency: string): number | null {
  const amount = v.safeParse(Amount, value)
  if (!amount.success || amount.output.currency !== currency) return null
  const minor = parseAmount(amount.output.value, currency)
  return minor.ok ? minor.value : null
}

/** https://docs.mollie.com/reference/handling-errors */
const Problem = v.object({ title: v.string(), detail: v.string(), field: v.nullish(v.string()) })

export function toRefused(body: unknown, what: 'payment' | 'refund' | 'capture' = 'payment'): RefusedOrder {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `Mollie refused the ${what}.`)
  const { title, detail, field } = problem.output
  const where = field ? ` (${field})` : ''
  const reason = reasonIn(REASONS, field?.split('.')[0])
  return refusedOrder(reason, `Mollie refused the ${what}: ${title}: ${detail}${where}`)
}
