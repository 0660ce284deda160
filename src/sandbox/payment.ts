import * as v from 'valibot'

/** The outcomes a customer can choose on the sandbox's page. `open` leaves without deciding. */
export const Outcome = v.picklist(['paid', 'failed', 'canceled', 'expired', 'open'])
export type Outcome = v.InferOutput<typeof Outcome>

/** A payment of the simulated Mollie. Times are in milliseconds; `notify` is the next notification, if one is still to be sent. */
export const Payment = v.object({
  id: v.string(),
  fingerprint: v.string(),
  origin: v.string(),
  status: Outcome,
  amount: v.object({ currency: v.string(), value: v.string() }),
  description: v.string(),
  redirectUrl: v.string(),
  cancelUrl: v.nullable(v.string()),
  webhookUrl: v.nullable(v.string()),
  method: v.nullable(v.string()),
  locale: v.nullable(v.string()),
  /** JSON text: whatever the caller attached. */
  metadata: v.string(),
  createdAt: v.number(),
  expiresAt: v.number(),
  settledAt: v.nullable(v.number()),
  notify: v.nullable(v.object({ tries: v.number(), at: v.number() })),
})
export type Payment = v.InferOutput<typeof Payment>

const MINUTE = 60_000

/** Mollie's expiry depends on the method: https://docs.mollie.com/docs/payment-status-changes#expiry-times-per-payment-method */
export const lifeOf = (method: string | null): number =>
  method === 'banktransfer' ? 12 * 24 * 60 * MINUTE : method === 'creditcard' ? 30 * MINUTE : 15 * MINUTE

/** A notification follows shortly after the end of a payment, and is repeated ten times within 26 hours until it gets a 2xx. */
const NOTIFY_AFTER = [300, ...[1, 2, 4, 8, 16, 29, 60, 120, 480, 840].map((minutes) => minutes * MINUTE)]

/** Moves an open payment to an outcome, and plans the notification of it; any other payment stays as it is. */
export const completed = (payment: Payment, outcome: Outcome, now: number): Payment =>
  payment.status !== 'open' || outcome === 'open'
    ? payment
    : { ...payment, status: outcome, settledAt: now, notify: notifyAfter(payment, 0, now) }

/** What becomes of the notification after a try. */
export const notified = (payment: Payment, delivered: boolean, now: number): Payment =>
  payment.notify === null
    ? payment
    : { ...payment, notify: delivered ? null : notifyAfter(payment, payment.notify.tries + 1, now) }

const notifyAfter = (payment: Payment, tries: number, now: number): Payment['notify'] => {
  const after = NOTIFY_AFTER[tries]
  return after === undefined || payment.webhookUrl === null ? null : { tries, at: now + after }
}

/** Days that a payment stays after its end, at most: it is there to be tried, and the job keeps what came of it. */
const MOST_DAYS = 30

/**
 * When (ms) a payment is deleted: after its end as long as a job stays after its last change (`retention`, ms), but 30 days at
 * most. One that nobody completed ended when it expired.
 */
export const purgeAt = (payment: Payment, retention: number): number =>
  (payment.settledAt ?? payment.expiresAt) + Math.min(retention, MOST_DAYS * 24 * 60 * MINUTE)

/** Whether a payment's notifications go to the hub that it was made at. */
export const isOwn = ({ webhookUrl, origin }: Payment): boolean =>
  webhookUrl !== null && new URL(webhookUrl).origin === origin

/**
 * When (ms) the alarm of a payment is to run: for its notification; at its end, when somebody has to be told that it expired
 * (the hub looks after the end of its jobs itself); and else when it is deleted.
 */
export const nextWake = (payment: Payment, retention: number): number => {
  if (payment.notify !== null) return payment.notify.at
  const tellsOthers = payment.webhookUrl !== null && !isOwn(payment)
  return payment.status === 'open' && tellsOthers ? payment.expiresAt : purgeAt(payment, retention)
}

export const isCancelable = (payment: Payment): boolean => payment.status === 'open'

export const checkoutUrl = (payment: Payment): string => `${payment.origin}/sandbox/checkout/${payment.id}`

const when = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, '+00:00')

/** The payment as Mollie's API shows it: https://docs.mollie.com/reference/get-payment */
export const represent = (payment: Payment) => {
  const { id, status, origin } = payment
  const open = status === 'open'
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
    ...(status === 'paid' ? { amountRemaining: payment.amount, settlementAmount: payment.amount } : {}),
    _links: {
      self: { href: `${origin}/sandbox/v2/payments/${id}`, type: 'application/hal+json' },
      ...(open ? { checkout: { href: checkoutUrl(payment), type: 'text/html' } } : {}),
    },
  }
}
