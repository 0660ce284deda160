import { SLOW_METHODS } from '../../src/psp/multisafepay/tables.ts'
import { lapse, releaseOrder, reserve } from '../support/psps/multisafepay-captures.ts'
import {
  type Held,
  type HeldRelated,
  completedOf,
  newRelated,
  pageOf,
  remainOf,
} from '../support/psps/multisafepay-order.ts'
import { endRelated } from '../support/psps/multisafepay-refunds.ts'
import {
  type HeldMove,
  type HeldPayment,
  type PspStatus,
  type Reservation,
  pathOf,
  statusOfReserved,
} from './played-psp.ts'

const DAY = 86_400_000

function isSlow({ method, order }: Held): boolean {
  return SLOW_METHODS.has(method ?? order.gateway ?? '')
}

const STATUSES: Readonly<Record<string, PspStatus>> = {
  uncleared: 'pending',
  reserved: 'authorized',
  completed: 'paid',
  refunded: 'paid',
  partial_refunded: 'paid',
  declined: 'failed',
  cancelled: 'canceled',
  void: 'canceled',
  expired: 'expired',
}

/**
 * Returns the status of an order whose payment gets a status. The customer's cancel makes it void, the hub's
 * cancelled.
 */
function statusOf(held: Held, status: PspStatus): string {
  switch (status) {
    case 'open':
      return 'initialized'
    case 'pending':
      return isSlow(held) ? 'initialized' : 'uncleared'
    case 'authorized':
      return 'reserved'
    case 'paid':
      return 'completed'
    case 'failed':
      return 'declined'
    case 'canceled':
      return held.status === 'cancelled' ? 'cancelled' : 'void'
    case 'expired':
      return 'expired'
  }
}

function heldRefund(held: Held, made: HeldRelated): HeldMove {
  return {
    id: String(made.transaction_id),
    amount: made.amount,
    hubId: made.refund_order_id ?? null,
    get state() {
      return made.status === 'completed' ? 'done' : made.status === 'reserved' ? 'pending' : 'failed'
    },
    set state(state) {
      endRelated(held, made, state === 'done' ? 'completed' : state === 'failed' ? 'declined' : 'reserved')
    },
  }
}

/** Returns the start of the hub's capture id, with which the order id of a captured part ends. */
export function hubIdIn(order: string): string | null {
  return /_([\da-f]{8}-[\da-f]{4})$/.exec(order)?.[1] ?? null
}

/** Each captured part is a separate order. */
function heldCapture(made: HeldRelated, decline: (id: string) => void): HeldMove {
  return {
    id: made.order_id,
    amount: made.amount,
    hubId: hubIdIn(made.order_id),
    get state() {
      return made.status === 'completed' ? 'done' : 'failed'
    },
    set state(state) {
      if (state === 'failed') decline(made.order_id)
    },
  }
}

/** Returns whether a single capture took the whole reservation: then the order lists no capture. */
function isWhole(held: Held): boolean {
  return held.financialStatus === 'completed' && completedOf(held, 'capture') === 0
}

function reservationOf(held: Held): Reservation | null {
  if (!held.hold) return null
  const authorized = held.order.amount
  const captured = isWhole(held) ? authorized : completedOf(held, 'capture')
  return { authorized, captured, released: authorized - captured - remainOf(held) }
}

/** What the simulation can do to an order at MultiSafepay's double. */
export type Hands = {
  /** The bank charges this amount back, or returns it if negative. */
  moveBack: (by: number) => void
  capture: (amount: number) => void
  decline: (id: string) => void
  /** The customer pays at the terminal, with a tip (minor units). */
  payAtTerminal: (tip: number) => void
  declineAtTerminal: () => void
  /** The orders of captured parts. */
  parts: () => readonly Held[]
}

function leftOf({ status, order, related }: Held): number {
  const taken = related.filter(({ type, status: end }) => type === 'refund' && end !== 'declined')
  return status === 'declined' ? 0 : order.amount - taken.reduce((sum, { amount }) => sum + amount, 0)
}

/** Returns whether the terminal waits for a card, or after a decline for another one. */
function isWaiting({ atTerminal, status }: Held): boolean {
  const isInTime = atTerminal !== undefined && Date.now() < atTerminal.touched + 60_000
  return isInTime && (status === 'initialized' || status === 'declined')
}

let madeByHand = 0

/** An order as a payment. `whole`: the hub's id of the capture that took everything at once. */
export type HeldOrder = HeldPayment & { whole: string | null }

export function heldOrder(held: Held, hands: Hands): HeldOrder {
  const { moveBack, capture, decline, parts } = hands
  let tip = 0
  const places = () => [held, ...parts()]
  return {
    whole: null,
    id: held.order.order_id,
    // The id of an order for a terminal has a suffix after the job's id.
    job: held.order.order_id.slice(0, 36),
    get amount() {
      return held.order.amount
    },
    method: held.order.gateway ?? null,
    checkoutUrl: pageOf(held),
    expiresAt: held.atTerminal ? null : Date.now() + DAY,
    // The customer may reopen an order, unless the hub has ended its session.
    get mayComeLate() {
      return !held.hold && (held.status !== 'cancelled' || isSlow(held))
    },
    endsWhenCancelled: true,
    payPart(amount) {
      held.giftCard = amount
    },
    get status() {
      const { reservation } = this
      if (reservation) return statusOfReserved(reservation)
      return STATUSES[held.status] ?? (isSlow(held) ? 'pending' : 'open')
    },
    set status(status) {
      if (held.atTerminal) {
        if (status === 'paid') hands.payAtTerminal(tip)
        if (status === 'failed') hands.declineAtTerminal()
        return
      }
      const is = statusOf(held, status)
      if (status === 'authorized' && this.isManual) reserve(held)
      else Object.assign(held, { status: is, financialStatus: is })
    },
    isManual: held.order.capture === 'manual',
    get reservation() {
      return reservationOf(held)
    },
    get captures() {
      const listed = held.related.filter(({ type }) => type === 'capture')
      const whole: HeldMove = { id: 'whole', amount: held.order.amount, hubId: this.whole, state: 'done' }
      return isWhole(held) && held.hold ? [whole] : listed.map((made) => heldCapture(made, decline))
    },
    captureByHand(amount, isFinal) {
      capture(amount)
      if (isFinal && remainOf(held) > 0) this.letGo()
    },
    letGo: () => void releaseOrder(held, { status: 'cancelled', reason: 'By hand' }),
    lapse: () => lapse(held),
    get chargedBack() {
      return completedOf(held, 'chargeback') - completedOf(held, 'reverse-chargeback')
    },
    set chargedBack(amount) {
      moveBack(amount - this.chargedBack)
    },
    get refunds() {
      return places().flatMap((place) =>
        place.related.filter(({ type }) => type === 'refund').map((made) => heldRefund(place, made)),
      )
    },
    refundByHand(amount) {
      // Each captured part has its own refunds.
      const place = parts().length === 0 ? held : parts().find((part) => leftOf(part) >= amount)
      if (!place) return null
      const transaction_id = 5_326_969 + ++madeByHand
      const made = newRelated(place, { type: 'refund', status: 'reserved', amount, transaction_id })
      place.related.push(made)
      return heldRefund(place, made)
    },
    atTerminal: held.atTerminal
      ? {
          isSent: () => true,
          isWaiting: () => isWaiting(held),
          // Reading a card changes nothing: only the terminal's timeout or the hub ends the order.
          readCard: () => {},
          addTip: (more) => void (tip += more),
          isConnected: () => {},
        }
      : null,
    returnPath: (hasCancelled) =>
      pathOf(hasCancelled ? held.order.payment_options.cancel_url : held.order.payment_options.redirect_url),
  }
}
