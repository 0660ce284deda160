import * as v from 'valibot'
import { JobClock, jobNow, realAt } from '../../contract/advance.ts'
import { parseAmount } from '../../contract/money.ts'
import { Integer } from '../../contract/values.ts'
import { Weather, weatherOf, wishIn } from './weather.ts'

/** The ends of a payment that a customer can choose at once. `open` leaves without deciding. */
export const Outcome = v.picklist(['paid', 'failed', 'canceled', 'expired', 'open'])
export type Outcome = v.InferOutput<typeof Outcome>

/**
 * A refund. `amount` is in minor units, `metadata` JSON text. `key` is the idempotency key that it
 * was asked for under.
 */
export const Refund = v.object({
  id: v.string(),
  amount: Integer,
  description: v.string(),
  metadata: v.string(),
  createdAt: Integer,
  key: v.nullable(v.string()),
  fingerprint: v.string(),
  failed: v.boolean(),
})
export type Refund = v.InferOutput<typeof Refund>

/**
 * A payment of the simulated Mollie. Times are in milliseconds, what moved after the payment in
 * minor units; `notify` is the next notification, if one is still to be sent, and `notifyNext` when
 * the one after it is due. `stage` is what Mollie calls the status of a payment that has begun and
 * not ended, which is `open` here. `next` is what becomes of the payment by itself. `refuses` is
 * why the sandbox refuses refunds. `clock` is that of its job, where it has one of its own: then
 * all times are that clock's.
 */
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
  notifyNext: v.exactOptional(v.number()),
  stage: v.exactOptional(v.picklist(['pending', 'authorized'])),
  next: v.exactOptional(v.object({ status: v.picklist(['paid', 'failed']), at: v.number() })),
  captured: v.exactOptional(Integer),
  refunds: v.exactOptional(v.array(Refund)),
  chargedBack: v.exactOptional(Integer),
  weather: v.exactOptional(Weather),
  refuses: v.exactOptional(v.string()),
  clock: v.exactOptional(JobClock),
})
export type Payment = v.InferOutput<typeof Payment>

const MINUTE = 60_000

/**
 * Mollie's expiry depends on the method:
 * https://docs.mollie.com/docs/payment-status-changes#expiry-times-per-payment-method
 */
function lifeOf(method: string | null): number {
  return method === 'banktransfer'
    ? 12 * 24 * 60 * MINUTE
    : method === 'creditcard'
      ? 30 * MINUTE
      : 15 * MINUTE
}

/** A new payment, which a customer can pay from now (ms) on. */
export function openPayment(
  wanted: Omit<Payment, 'status' | 'createdAt' | 'expiresAt' | 'settledAt' | 'notify'>,
  now: number,
): Payment {
  const times = { createdAt: now, expiresAt: now + lifeOf(wanted.method), settledAt: null }
  const wish = wishIn(wanted.description)
  const isWeather = wish?.is === 'slow' || wish?.is === 'down'
  const weather = isWeather ? { weather: weatherOf(wish.is, wish.seconds, now) } : {}
  return { ...wanted, status: 'open', ...times, notify: null, ...weather }
}

export function isPaymentId(id: string): boolean {
  return /^tr_\w{10,40}$/.test(id)
}

/**
 * A notification follows shortly after the end of a payment, and is repeated ten times within 26
 * hours until it gets a 2xx.
 */
const NOTIFY_AFTER = [300, ...[1, 2, 4, 8, 16, 29, 60, 120, 480, 840].map((minutes) => minutes * MINUTE)]

/** Whether the customer can still choose. */
export function isOpen(payment: Payment): boolean {
  return payment.status === 'open' && !payment.stage
}

/**
 * Moves an open payment to an outcome, and plans the notification of it; any other payment stays as
 * it is.
 */
export function completed(payment: Payment, outcome: Outcome, now: number): Payment {
  if (!isOpen(payment) || outcome === 'open') return payment
  const isWrong = outcome === 'paid' && wishIn(payment.description)?.is === 'wrong-amount'
  return isWrong ? paidWrongly(payment, null, now) : endedAs(payment, outcome, now)
}

/** The customer pays another amount (minor units) than was asked for; null for one unit less. */
export function paidWrongly(payment: Payment, amount: number | null, now: number): Payment {
  return { ...endedAs(payment, 'paid', now), captured: amount ?? Math.max(total(payment) - 1, 1) }
}

/** What a payment is over, in minor units. It was checked when it was made. */
export function total({ amount: { value, currency } }: Payment): number {
  const parsed = parseAmount(value, currency)
  return parsed.ok ? parsed.value : 0
}

/** Ends a payment, whatever it was, and plans the notification of that. */
export function endedAs(payment: Payment, status: Outcome, now: number): Payment {
  const { stage: _, next: __, ...rest } = payment
  return told({ ...rest, status, settledAt: now }, now)
}

/**
 * Plans the notification of a change. Mollie sends one for each: where another is still to be sent,
 * this one follows it. One that has failed before is not waited for.
 */
export function told(payment: Payment, now: number): Payment {
  const first = notifyAfter(payment, 0, now)
  if (payment.notify === null || first === null) return { ...payment, notify: first }
  return {
    ...payment,
    notify: payment.notify.tries === 0 ? payment.notify : first,
    notifyNext: first.at,
  }
}

/**
 * A payment as it stands now: what was to become of it has, and an open one has ended at its time.
 */
export function asOf(payment: Payment, now: number): Payment {
  const { next, expiresAt } = payment
  if (next && next.at <= now) return endedAs(payment, next.status, next.at)
  return expiresAt <= now ? completed(payment, 'expired', now) : payment
}

/**
 * When (ms) a payment changes or notifies by itself, and its alarm is to run; undefined when it
 * does not.
 */
export function wakeOf({ notify, next }: Payment): number | undefined {
  const times = [notify?.at, next?.at].filter((at) => at !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}

/**
 * What becomes of the notification that was `sent` after a try: once it was delivered, or given up,
 * the next one follows.
 */
export function notified(
  payment: Payment,
  sent: Payment['notify'],
  delivered: boolean,
  now: number,
): Payment {
  if (payment.notify === null || payment.notify.at !== sent?.at) return payment
  const again = delivered ? null : notifyAfter(payment, payment.notify.tries + 1, now)
  if (again !== null) return { ...payment, notify: again }
  const { notifyNext, ...rest } = payment
  return { ...rest, notify: notifyNext === undefined ? null : { tries: 0, at: notifyNext } }
}

function notifyAfter(payment: Payment, tries: number, now: number): Payment['notify'] {
  const after = NOTIFY_AFTER[tries]
  return after === undefined || payment.webhookUrl === null ? null : { tries, at: now + after }
}

/**
 * Days that a payment stays after its end, at most: it is there to be tried, and the job keeps what
 * came of it.
 */
const MOST_DAYS = 30

/**
 * When (ms) a payment is deleted: after its end as long as a job stays after its last change
 * (`retention`, ms), but 30 days at most, of the real time. One that nobody completed ended when it
 * expired.
 */
export function purgeAt(payment: Payment, retention: number): number {
  const ended = realAt(payment.clock, payment.settledAt ?? payment.expiresAt)
  return jobNow(payment.clock, ended + Math.min(retention, MOST_DAYS * 24 * 60 * MINUTE))
}

/** Whether a payment's notifications go to the hub that it was made at. */
export function isOwn({ webhookUrl, origin }: Payment): boolean {
  return webhookUrl !== null && new URL(webhookUrl).origin === origin
}

/**
 * When (ms) the alarm of a payment is to run: for its notification, or what becomes of it by
 * itself; at its end, when somebody has to be told that it expired (the hub looks after the end of
 * its jobs itself); and else when it is deleted.
 */
export function nextWake(payment: Payment, retention: number): number {
  const tellsOthers = payment.webhookUrl !== null && !isOwn(payment)
  const atTheEnd = isOpen(payment) && tellsOthers ? payment.expiresAt : purgeAt(payment, retention)
  return wakeOf(payment) ?? atTheEnd
}

export function checkoutUrl(payment: Payment): string {
  return `${payment.origin}/sandbox/checkout/${payment.id}`
}
