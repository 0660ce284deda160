import { type Payment, type Refund, checkoutUrl, isOpen } from './payment.ts'
import { amountOf, remaining, refundStatus, refunded } from './money-back.ts'

export function when(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, '+00:00')
}

/** The payment as Mollie's API shows it: https://docs.mollie.com/reference/get-payment */
export function represent(payment: Payment) {
  const { id } = payment
  const status = payment.stage ?? payment.status
  const open = isOpen(payment)
  const settledAt = payment.settledAt === null ? {} : { [`${status}At`]: when(payment.settledAt) }
  return {
    resource: 'payment',
    id,
    mode: 'test',
    createdAt: when(payment.createdAt),
    amount: payment.amount,
    description: payment.description,
    method: payment.method,
    metadata: JSON.parse(payment.metadata) as unknown,
    status,
    ...(open ? { isCancelable: true, expiresAt: when(payment.expiresAt) } : settledAt),
    locale: payment.locale,
    profileId: 'pfl_sandbox',
    sequenceType: 'oneoff',
    redirectUrl: payment.redirectUrl,
    cancelUrl: payment.cancelUrl,
    webhookUrl: payment.webhookUrl,
    ...(status === 'paid' ? moneyOf(payment) : {}),
    _links: {
      self: { href: selfOf(payment), type: 'application/hal+json' },
      ...(open ? { checkout: { href: checkoutUrl(payment), type: 'text/html' } } : {}),
    },
  }
}

/** Mollie leaves a total out until there is one. */
function moneyOf(payment: Payment) {
  return {
    settlementAmount: payment.amount,
    amountRemaining: amountOf(payment, remaining(payment)),
    ...(payment.captured === undefined ? {} : { amountCaptured: amountOf(payment, payment.captured) }),
    ...(payment.refunds ? { amountRefunded: amountOf(payment, refunded(payment)) } : {}),
    ...(payment.chargedBack ? { amountChargedBack: amountOf(payment, payment.chargedBack) } : {}),
  }
}

/** A refund as Mollie's API shows it: https://docs.mollie.com/reference/get-refund */
export function representRefund(payment: Payment, refund: Refund, now: number) {
  return {
    resource: 'refund',
    id: refund.id,
    mode: 'test',
    amount: amountOf(payment, refund.amount),
    status: refundStatus(refund, now),
    description: refund.description,
    metadata: JSON.parse(refund.metadata) as unknown,
    paymentId: payment.id,
    createdAt: when(refund.createdAt),
    _links: {
      self: { href: `${selfOf(payment)}/refunds/${refund.id}`, type: 'application/hal+json' },
      payment: { href: selfOf(payment), type: 'application/hal+json' },
    },
  }
}

/** A capture as Mollie's API shows it: https://docs.mollie.com/reference/get-capture */
export function representCapture(payment: Payment) {
  return {
    resource: 'capture',
    id: payment.id.replace('tr_', 'cpt_'),
    mode: 'test',
    amount: amountOf(payment, payment.captured ?? 0),
    status: 'succeeded',
    paymentId: payment.id,
    createdAt: when(payment.settledAt ?? payment.createdAt),
    _links: { payment: { href: selfOf(payment), type: 'application/hal+json' } },
  }
}

function selfOf({ origin, id }: Payment): string {
  return `${origin}/sandbox/v2/payments/${id}`
}
