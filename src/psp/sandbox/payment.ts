import * as v from 'valibot'
import { JobClock, jobNow, realAt } from '../../contract/advance.ts'
import { DAY, MINUTE } from '../../contract/timestamp.ts'
import { Card, Progress } from '../../contract/terminals.ts'
import { Integer } from '../../contract/values.ts'
import { PlannedScene, type Scene, type PlayName, cardOf, scenesOf, tipOf } from './plays.ts'
import { Outage, outageOf, wishIn } from './wishes.ts'

/** A refund or a capture. `amount` is in minor units. `key`: the hub's id, if the hub asked for it. */
const RefundOrCapture = v.object({
  id: v.string(),
  amount: Integer,
  description: v.string(),
  createdAt: Integer,
  key: v.nullable(v.string()),
  failed: v.boolean(),
})
export type RefundOrCapture = v.InferOutput<typeof RefundOrCapture>

/** A notification to send at a time (ms), after so many tries. */
const Notice = v.object({ tries: v.number(), at: v.number() })
type Notice = v.InferOutput<typeof Notice>

/**
 * A payment, with Mollie's words for its status. Times are in milliseconds, amounts in minor units.
 * `notify`: the notifications still to send. `next`: a change that will happen by itself. `terminal`: the
 * one at which the customer pays, and the name of its object; `scenes`: what will happen there; `isLate`:
 * a cancel comes too late. `captured`: the amount that was paid, if it is not the whole. `weather`: an
 * outage that the sandbox plays. `refuses`: why the sandbox refuses refunds. `clock`: the job's own
 * clock, if it has one; all times are by that clock then.
 */
export const Payment = v.object({
  id: v.string(),
  job: v.string(),
  fingerprint: v.string(),
  /** The hub's own address, for the payment's page and its notifications. */
  origin: v.string(),
  status: v.picklist(['open', 'pending', 'authorized', 'paid', 'failed', 'canceled', 'expired']),
  currency: v.string(),
  amount: Integer,
  description: v.string(),
  returnUrl: v.string(),
  notificationUrl: v.string(),
  method: v.nullable(v.string()),
  locale: v.nullable(v.string()),
  createdAt: v.number(),
  expiresAt: v.number(),
  settledAt: v.nullable(v.number()),
  notify: v.array(Notice),
  next: v.exactOptional(v.object({ status: v.picklist(['paid', 'failed']), at: v.number() })),
  captured: v.exactOptional(Integer),
  capture: v.exactOptional(v.literal('manual')),
  authorizedAt: v.exactOptional(v.number()),
  captures: v.exactOptional(v.array(RefundOrCapture)),
  released: v.exactOptional(Integer),
  refunds: v.exactOptional(v.array(RefundOrCapture)),
  chargedBack: v.exactOptional(Integer),
  weather: v.exactOptional(Outage),
  refuses: v.exactOptional(v.string()),
  clock: v.exactOptional(JobClock),
  terminal: v.exactOptional(v.object({ id: v.string(), object: v.string() })),
  scenes: v.exactOptional(v.array(PlannedScene)),
  isLate: v.exactOptional(v.literal(true)),
  progress: v.exactOptional(Progress),
  tip: v.exactOptional(Integer),
  card: v.exactOptional(Card),
  reason: v.exactOptional(v.string()),
})
export type Payment = v.InferOutput<typeof Payment>

/**
 * How long (ms) a payment is open, as at Mollie:
 * https://docs.mollie.com/docs/payment-status-changes#expiry-times-per-payment-method
 */
const LIVES: ReadonlyMap<string | null, number> = new Map([
  ['banktransfer', 12 * DAY],
  ['creditcard', 30 * MINUTE],
])

/** How long (ms) a terminal waits, unless the hub or the customer ends the payment sooner. */
const LIFE_AT_TERMINAL = 4 * MINUTE

/** Makes a new payment, which the customer can pay from now (ms) on. */
export function openPayment(
  wanted: Omit<Payment, 'status' | 'createdAt' | 'expiresAt' | 'settledAt' | 'notify'>,
  now: number,
): Payment {
  const life = wanted.terminal ? LIFE_AT_TERMINAL : (LIVES.get(wanted.method) ?? 15 * MINUTE)
  const expiresAt = now + life
  const wish = wishIn(wanted.description)
  const isOutage = wish?.is === 'slow' || wish?.is === 'down'
  const outage = isOutage ? { weather: outageOf(wish.is, wish.seconds, now) } : {}
  const open = { ...wanted, status: 'open' as const, createdAt: now, expiresAt, settledAt: null, notify: [] }
  const payment = { ...open, ...outage }
  return wish?.is === 'play' && wanted.terminal ? asOf(played(payment, wish.play, now), now) : payment
}

/** Plans what happens at the terminal from now (ms) on, and drops earlier plans. */
export function played(payment: Payment, play: PlayName, now: number): Payment {
  const { isLate: _, ...rest } = payment
  return { ...rest, scenes: scenesOf(play, now), ...(play === 'late-cancel' ? { isLate: true } : {}) }
}

export function isPaymentId(id: string): boolean {
  return /^tr_\w{10,40}$/.test(id)
}

export function checkoutUrl({ origin, id }: Payment): string {
  return `${origin}/sandbox/checkout/${id}`
}

export function wasReserved({ status, authorizedAt, captures, released }: Payment): boolean {
  return status === 'authorized' || (authorizedAt ?? captures ?? released) !== undefined
}

/** Returns the amount that the sandbox took (minor units); of reserved money, what was captured. */
export function taken(payment: Payment): number {
  const { captured, captures, amount } = payment
  return wasReserved(payment) ? sumOf(captures) : (captured ?? amount)
}

/** Returns how much reserved money is neither captured nor released (minor units). */
export function held(payment: Payment): number {
  return payment.amount - taken(payment) - (payment.released ?? 0)
}

/** Sums the refunds or captures that have not failed (minor units). */
function sumOf(moves: readonly RefundOrCapture[] = []): number {
  return moves.filter(({ failed }) => !failed).reduce((sum, { amount }) => sum + amount, 0)
}

export function refunded({ refunds }: Payment): number {
  return sumOf(refunds)
}

/** Returns how much can still go back (minor units). */
export function remaining(payment: Payment): number {
  return Math.max(taken(payment) - refunded(payment) - (payment.chargedBack ?? 0), 0)
}

/** How long (ms) a refund takes. At Mollie it takes up to two working days. */
const REFUND_TAKES = 30_000

export function isOnItsWay({ createdAt }: RefundOrCapture, now: number): boolean {
  return now < createdAt + REFUND_TAKES
}

/** Ends a payment, whatever its status, and plans the notification. */
export function ended(payment: Payment, status: Payment['status'], now: number): Payment {
  const { next: _, scenes: _scenes, isLate: _isLate, ...rest } = payment
  return notifying({ ...rest, status, settledAt: now }, now)
}

/** Pays a payment, or reserves the money if its order has manual capture. */
export function paid(payment: Payment, now: number): Payment {
  if (payment.terminal) return afterScene(payment, { is: 'paid', by: 'contactless' }, now)
  return payment.capture === 'manual' ? reserved(payment, now) : ended(payment, 'paid', now)
}

/** Returns a payment after a scene at its terminal. */
function afterScene(payment: Payment, scene: Scene, now: number): Payment {
  switch (scene.is) {
    case 'progress':
      return notifying({ ...payment, progress: scene.progress }, now)
    case 'paid': {
      const tip = scene.withTip ? tipOf(payment.amount) : 0
      const paidWith = { ...ended(payment, 'paid', now), card: cardOf(scene.by) }
      return tip > 0 ? { ...paidWith, tip, captured: payment.amount + tip } : paidWith
    }
    case 'failed':
      return { ...ended(payment, 'failed', now), reason: scene.reason }
    case 'expired':
      return ended(payment, 'expired', now)
    case 'silent':
      return { ...payment, weather: outageOf('down', scene.lasts / 1000, now) }
  }
}

export function reserved(payment: Payment, now: number): Payment {
  const { next: _, ...rest } = payment
  return notifying({ ...rest, status: 'authorized', authorizedAt: now }, now)
}

/**
 * Returns a reserved payment after a capture or a release. Once nothing is held it ends: as paid if
 * something was captured, otherwise as `end`.
 */
export function afterMove(payment: Payment, end: Payment['status'], now: number): Payment {
  if (held(payment) > 0) return notifying({ ...payment, status: 'authorized', settledAt: null }, now)
  return ended(payment, taken(payment) > 0 ? 'paid' : end, now)
}

export function letGo(payment: Payment, end: Payment['status'], now: number): Payment {
  return afterMove({ ...payment, released: (payment.released ?? 0) + held(payment) }, end, now)
}

/** How long (ms) the sandbox holds reserved money: as long as Mollie does for any card. */
const HOLD = 7 * DAY

/** Returns until when (ms) the sandbox holds reserved money. */
export function captureBefore({ authorizedAt, createdAt }: Payment): number {
  return (authorizedAt ?? createdAt) + HOLD
}

/**
 * The pauses (ms) before the tries at a notification: one soon after the change, then ten within 26
 * hours, until it gets a 2xx.
 */
const NOTIFY_AFTER = [300, ...[1, 2, 4, 8, 16, 29, 60, 120, 480, 840].map((minutes) => minutes * MINUTE)]

function notifyAfter(tries: number, now: number): Notice[] {
  const after = NOTIFY_AFTER[tries]
  return after === undefined ? [] : [{ tries, at: now + after }]
}

/** The most notifications of a payment that wait to be sent. */
const MOST_NOTICES = 10

/** Plans a notification. Mollie sends one for each change. */
export function notifying(payment: Payment, now: number): Payment {
  return { ...payment, notify: [...payment.notify, ...notifyAfter(0, now)].slice(-MOST_NOTICES) }
}

export function dueNotice({ notify }: Payment, now: number): Notice | undefined {
  return notify.find(({ at }) => at <= now)
}

/** Returns a payment after a try at a notification, which comes again until it is delivered. */
export function notified(payment: Payment, sent: Notice, isDelivered: boolean, now: number): Payment {
  const others = payment.notify.filter(({ tries, at }) => tries !== sent.tries || at !== sent.at)
  return { ...payment, notify: isDelivered ? others : [...others, ...notifyAfter(sent.tries + 1, now)] }
}

/** Returns a payment as it is now (ms), after the planned changes that are due. */
export function asOf(payment: Payment, now: number): Payment {
  const { status, next, expiresAt, scenes: [first, ...scenes] = [] } = payment
  if (first && first.at <= now) return asOf(afterScene({ ...payment, scenes }, first.scene, first.at), now)
  if (next && next.at <= now)
    return next.status === 'paid' ? paid(payment, next.at) : ended(payment, next.status, next.at)
  const holdsUntil = captureBefore(payment)
  if (status === 'authorized' && holdsUntil <= now) return letGo(payment, 'expired', holdsUntil)
  return status === 'open' && expiresAt <= now ? ended(payment, 'expired', now) : payment
}

/** Returns when (ms) a payment next changes or notifies by itself; Infinity for never. */
export function nextChange(payment: Payment): number {
  const { notify, next, status, scenes } = payment
  const holdsUntil = status === 'authorized' ? captureBefore(payment) : Infinity
  return Math.min(
    ...notify.map(({ at }) => at),
    next?.at ?? Infinity,
    scenes?.[0]?.at ?? Infinity,
    holdsUntil,
  )
}

/**
 * Returns when (ms) the sandbox deletes a payment. After its end it stays as long as a job does after
 * its last change (`retention`, ms), but at most 30 days of real time. A payment that was never completed
 * ends when it expires.
 */
export function purgeAt(payment: Payment, retention: number): number {
  const end = realAt(payment.clock, payment.settledAt ?? payment.expiresAt)
  return jobNow(payment.clock, end + Math.min(retention, 30 * DAY))
}
