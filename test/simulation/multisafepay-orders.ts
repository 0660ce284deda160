import { SLOW_METHODS } from '../../src/psp/multisafepay/tables.ts'
import { type Held, type HeldRelated, newRelated, pageOf } from '../support/psps/multisafepay-order.ts'
import { endRelated } from '../support/psps/multisafepay-refunds.ts'
import type { HeldPayment, HeldRefund, PspStatus } from './played-psp.ts'

const DAY = 86_400_000

function isSlow({ method, order }: Held): boolean {
  return SLOW_METHODS.has(method ?? order.gateway ?? '')
}

const STANDS: Readonly<Record<string, PspStatus>> = {
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
 * What an order is once its payment is to stand so. One that a customer calls off is void; the hub
 * has orders cancelled.
 */
function becomes(held: Held, status: PspStatus): string {
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

function heldRefund(held: Held, made: HeldRelated): HeldRefund {
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

function backTo(url: string | undefined): string {
  const { pathname, search } = new URL(url ?? '')
  return pathname + search
}

let madeThere = 0

/**
 * An order as its payment stands. `moveBack`: the bank takes so much back, or gives it back.
 */
export function heldOrder(held: Held, moveBack: (by: number) => void): HeldPayment {
  return {
    id: held.order.order_id,
    job: held.order.order_id,
    amount: held.order.amount,
    method: held.order.gateway ?? null,
    checkoutUrl: pageOf(held),
    expiresAt: Date.now() + DAY,
    // An order may be reopened, unless the hub has ended its session.
    get mayComeLate() {
      return held.status !== 'cancelled' || isSlow(held)
    },
    endsWhenCancelled: true,
    payPart(amount) {
      held.giftCard = amount
    },
    get status() {
      return STANDS[held.status] ?? (isSlow(held) ? 'pending' : 'open')
    },
    set status(status) {
      const is = becomes(held, status)
      Object.assign(held, { status: is, financialStatus: is })
    },
    get chargedBack() {
      return held.related.reduce(
        (sum, { type, amount }) => sum + (type === 'chargeback' ? amount : type === 'refund' ? 0 : -amount),
        0,
      )
    },
    set chargedBack(amount) {
      moveBack(amount - this.chargedBack)
    },
    get refunds() {
      return held.related.filter(({ type }) => type === 'refund').map((made) => heldRefund(held, made))
    },
    refundThere(amount) {
      const transaction_id = 5_326_969 + ++madeThere
      const made = newRelated(held, { type: 'refund', status: 'reserved', amount, transaction_id })
      held.related.push(made)
      return heldRefund(held, made)
    },
    backTo: (hasCancelled) =>
      backTo(hasCancelled ? held.order.payment_options.cancel_url : held.order.payment_options.redirect_url),
  }
}
