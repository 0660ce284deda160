import { type State, stageOf, statusOf } from '../job/core/state.ts'
import { chargeOf } from '../job/core/terminal.ts'
import type { Title } from './texts.ts'
import {
  releasedOf,
  arrivedRefunds,
  refundsOnTheirWay,
  heldBy,
  backOf,
  heldOf,
  paidOf,
} from '../job/core/money.ts'

/**
 * Tells whether the customer may pay on a page. Not while money is under way, so that the customer does
 * not pay twice; nor after the PSP took a part and accepts no more.
 */
export function mayBePaid({ order, standing, clock, payments: [payment] }: State, now: number): boolean {
  const isOpen = (standing.is === 'unannounced' || standing.is === 'open') && !order.terminal
  return isOpen && standing.until > now + clock.offset && !payment?.over
}

export function titleOf(job: State, now: number): Title {
  const status = statusOf(job)
  if (status === 'SUCCESS') return titleOfMoneyBack(job) ?? 'SUCCESS'
  const stage = stageOf(job)
  if (stage === 'authorized' && reservedIn(job) > 0) return paidOf(job) > 0 ? 'PART_RESERVED' : 'RESERVED'
  if (stage || (job.order.terminal && status === 'PENDING') || chargeOf(job) === 'perhaps') return 'PENDING'
  if (mayBePaid(job, now)) return 'OPEN'
  if (paidOf(job) > 0) return titleOfMoneyBack(job) ?? 'PART'
  if (releasedOf(job) > 0 && reservedIn(job) === 0) return 'RELEASED'
  return status === 'PENDING' ? 'EXPIRED' : status
}

/** Returns the amount that is reserved for a shop that captures by itself. The hub's own captures take seconds. */
function reservedIn({ order, payments }: State): number {
  return order.capture === 'manual' ? payments.reduce((sum, payment) => sum + heldBy(payment), 0) : 0
}

/** Returns the title for money that went back or is on its way back; a chargeback matters most. */
function titleOfMoneyBack(job: State): Title | undefined {
  const paid = paidOf(job)
  const refunded = arrivedRefunds(job)
  const { chargedBack } = backOf(job)
  if (chargedBack > 0) return chargedBack < paid ? 'PART_CHARGED_BACK' : 'CHARGED_BACK'
  if (refunded > 0) return refunded < paid ? 'PART_REFUNDED' : 'REFUNDED'
  return refundsOnTheirWay(job) > 0 ? 'REFUNDING' : undefined
}

/** Tells whether an order was paid, so that its page at `/receipt/{id}` is a receipt. */
export function hasReceipt(job: State): boolean {
  return statusOf(job) === 'SUCCESS'
}

/** An amount in minor units, and when (ms) it went back. */
type MoneyLine = {
  label: 'reserved' | 'released' | 'refunded' | 'refunding' | 'chargedBack'
  amount: number
  at: number | null
}

/**
 * Returns the amounts that are reserved, that were released, and that went back to the customer or are
 * on their way. The time is that of the step that reached the total; null if no step has it.
 */
export function moneyBackOf(job: State): MoneyLine[] {
  const { steps } = job
  const { chargedBack } = backOf(job)
  const refunded = arrivedRefunds(job)
  const refundedAt = steps.findLast(
    (step) => step.action === 'Refund' && (step.refunded ?? Infinity) <= refunded,
  )?.at
  const { released } = heldOf(job)
  const releasedAt = steps.find((step) => step.released === released)?.at
  const chargedBackAt = steps.findLast((step) => step.action === 'Chargeback')?.at
  const all: MoneyLine[] = [
    { label: 'reserved', amount: reservedIn(job), at: null },
    { label: 'released', amount: releasedOf(job), at: inMilliseconds(releasedAt) },
    { label: 'refunded', amount: refunded, at: inMilliseconds(refundedAt) },
    { label: 'refunding', amount: refundsOnTheirWay(job), at: null },
    { label: 'chargedBack', amount: chargedBack, at: inMilliseconds(chargedBackAt) },
  ]
  return all.filter(({ amount }) => amount > 0)
}

/** Returns when (ms) the first money arrived; null before that. */
export function paidAt({ steps }: State): number | null {
  return inMilliseconds(steps.find(({ paid }) => paid > 0)?.at)
}

function inMilliseconds(micros: number | undefined): number | null {
  return micros === undefined ? null : Math.floor(micros / 1000)
}
