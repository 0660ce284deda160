import { DAY } from '../../contract/timestamp.ts'
import type { Found } from './finding.ts'
import { OF_RESERVED, type Payment, isUnderWay, ofKind } from './payment.ts'
import { reservedUntil } from './reserved.ts'
import { type State, alsoPaidBy } from './state.ts'
import {
  backOf,
  capturableOf,
  isLateAccepted,
  ofPayment,
  refundedOf,
  surplusOf,
  unappliedOf,
} from './money.ts'

/** Returns what is wrong with the money, or what has gone back; the most important comes first. */
export function whyMoney(state: State): Found[] {
  const { payments, late, standing, cleared } = state
  const isElsewhere = payments.slice(1).some((payment) => payment.paid > 0)
  const lost = payments.filter((payment) => payment.lost > 0)
  const isUncaptured = lost.some(isCaptureFailed)
  const refund = whyRefund(state)
  const isFailed = refund && refund.cause === 'refund-failed'
  // Money that was refunded, collected or cleared needs no more action.
  const open = unappliedOf(state) > 0
  const isOverpaid = surplusOf(state) > 0
  const isTwice = isElsewhere && isOverpaid
  const found: (Found | false)[] = [
    open && isTwice && { cause: 'paid-twice' },
    isElsewhere && !isOverpaid && { cause: 'paid-at-other-account' },
    backOf(state).chargedBack > 0 && { cause: 'charged-back' },
    lost.length > 0 && { cause: isUncaptured ? 'capture-bounced' : 'cancelled-after-paid' },
    ...payments.map((payment) => whyHeld(state, payment)),
    isFailed && refund,
    open && !isElsewhere && isOverpaid && { cause: 'overpaid' },
    open && standing.is !== 'paid' && { cause: 'paid-in-part' },
    open && late && { cause: 'paid-late' },
    alsoPaidBy(state).length > 0 && { cause: 'order-paid-again' },
    !isFailed && refund,
    !open && isTwice && { cause: 'paid-twice', todo: ['nothing'] },
    cleared > 0 && { cause: 'cleared' },
    isLateAccepted(state) && cleared === 0 && { cause: 'late-accepted' },
  ]
  return found.filter((one) => one !== false)
}

function isCaptureFailed({ authorized, moves }: Payment): boolean {
  return authorized > 0 || moves.some(({ kind }) => kind === 'capture-failed')
}

/** Returns a cause if the PSP still holds reserved money after the end of the job. */
function whyHeld(state: State, payment: Payment): Found | false {
  const releases = ofPayment(state, payment, 'release')
  const [underWay, last] = [releases.find(isUnderWay), releases.at(-1)]
  if (underWay) return { cause: 'release-pending', instruction: underWay }
  return capturableOf(state, payment) > 0 && !!last && { cause: 'still-reserved', instruction: last }
}

function whyRefund(state: State): Found | false {
  const refunds = ofKind(state, 'refund')
  const [underWay, last] = [refunds.find(isUnderWay), refunds.at(-1)]
  if (last?.state === 'failed') return { cause: 'refund-failed', instruction: last }
  if (underWay) return { cause: 'refund-pending', instruction: underWay }
  return refundedOf(state) > 0 && { cause: 'refunded' }
}

/** Returns what money waits for that is reserved for a job that has not ended. */
export function whyReserved(state: State, payment: Payment, now: number): Found {
  const instructions = ofPayment(state, payment, ...OF_RESERVED)
  const last = instructions.at(-1)
  // The PSP may have done everything, but the hub has not asked since.
  const underWay = instructions.find(isUnderWay) ?? (capturableOf(state, payment) === 0 ? last : undefined)
  if (underWay)
    return {
      cause: underWay.kind === 'release' ? 'release-pending' : 'capture-pending',
      instruction: underWay,
    }
  const failed = last?.state === 'failed' ? last : undefined
  if (last?.unseen) return { cause: 'psp-refuses-credentials', instruction: last }
  if (failed?.kind === 'release') return { cause: 'release-failed', instruction: failed }
  const isManual = state.order.capture === 'manual'
  if (failed) return { cause: isManual ? 'capture-failed' : 'capture-refused', instruction: failed }
  if (!isManual) return { cause: 'money-reserved' }
  const ends = reservedUntil(state)
  return { cause: ends !== null && ends < now + DAY ? 'capture-ends-soon' : 'capture-awaited' }
}
