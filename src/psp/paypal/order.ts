import * as v from 'valibot'
import {
  type Meaning,
  type RefusedOrder,
  type Unavailable,
  reasonIn,
  refusedOrder,
  unknownWord,
  wordIn,
} from '../answer.ts'
import type { PaymentRequest } from '../port.ts'
import { BY_STATUS, type PspReading, type ShownPayment } from '../reading.ts'
import { shorten, urlPart } from '../values.ts'
import { moneyIn } from './money.ts'
import { type Money, amountIn, partsIn, readItem } from './parts.ts'
import {
  CAPTURE_STATUSES,
  DESCRIPTION_LENGTH,
  PATIENCE,
  REASONS,
  REFUND_STATUSES,
  STATUSES,
  localeOf,
} from './tables.ts'

export const ORDERS = '/v2/checkout/orders'

export function pathOf(reference: string): string {
  return `${ORDERS}/${urlPart(reference)}`
}

/**
 * https://developer.paypal.com/docs/api/orders/v2/#orders_create. The order's `custom_id` is that of its authorisation,
 * its captures and their events too.
 */
export function announcement(payment: PaymentRequest, amount: Money) {
  const locale = localeOf(payment.language)
  return {
    intent: payment.capture === 'manual' ? 'AUTHORIZE' : 'CAPTURE',
    purchase_units: [
      {
        custom_id: payment.job,
        description: shorten(payment.description, DESCRIPTION_LENGTH, 'UTF-16 units'),
        amount,
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          return_url: payment.returnUrl,
          cancel_url: payment.cancelUrl,
          ...(locale ? { locale } : {}),
        },
      },
    },
  }
}

const OfJob = v.object({ purchase_units: v.tuple([v.object({ custom_id: v.string() })]) })

/** Returns the job that the hub put in an order. */
export function jobIn(order: unknown): string | null {
  return v.is(OfJob, order) ? order.purchase_units[0].custom_id : null
}

export const AT_PAYPAL: PspReading = {
  ...BY_STATUS,
  psp: 'PayPal',
  patience: PATIENCE,
  read: readOrder,
  instructions: {
    capture: { states: CAPTURE_STATUSES, read: readItem },
    refund: { states: REFUND_STATUSES, read: readItem },
  },
  refuse,
}

function readOrder(body: unknown, currency: string): ShownPayment | Unavailable | null {
  const parts = partsIn(body)
  if (!parts) return null
  const word = wordIn<Meaning>(STATUSES, parts.status)
  if (!word) return unknownWord('PayPal', 'order', parts.status)
  const money = moneyIn(AT_PAYPAL, parts, currency)
  if (money && 'is' in money) return money
  // An order whose capture was declined may be open again.
  const shown = money && (word.is === 'open' && money.meaning.is === 'ended' ? null : money)
  if (!shown && word.is === 'paid') return null
  return {
    reference: parts.id,
    checkoutUrl: parts.checkoutUrl,
    expiresAt: null,
    method: null,
    amount: amountIn(parts.amount, currency),
    meaning: word,
    paid: 0,
    ...shown,
    ...(parts.status === 'APPROVED' && !shown ? { approved: true } : {}),
  }
}

/**
 * https://developer.paypal.com/api/rest/responses/#link-failedrequests, and of a token:
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.2
 */
const Problem = v.object({
  name: v.optional(v.string()),
  message: v.optional(v.string()),
  details: v.fallback(
    v.array(v.object({ issue: v.string(), description: v.fallback(v.optional(v.string()), undefined) })),
    [],
  ),
  error: v.optional(v.string()),
  error_description: v.optional(v.string()),
})

/** Returns the issue that PayPal names in a refusal; '' if it names none. */
export function issueIn(body: unknown): string {
  const problem = v.safeParse(Problem, body)
  return problem.success ? (problem.output.details[0]?.issue ?? '') : ''
}

export function refuse(body: unknown, what: string): RefusedOrder {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `PayPal refused the ${what}.`)
  const { name, message, details, error, error_description } = problem.output
  const [detail] = details
  const words = detail ? [detail.issue, detail.description] : [name ?? error, message ?? error_description]
  const said = words.filter(Boolean).join(': ')
  const reason = reasonIn(REASONS, detail?.issue, name)
  return refusedOrder(reason, `PayPal refused the ${what}${said ? `: ${said}` : '.'}`)
}
