import type { Finding, Todo } from './causes.ts'
import { isUnconfirmed } from './instructions.ts'
import { type Instruction, type Payment, isUnderWay, ofKind } from './payment.ts'
import { type State, alsoPaidBy, findPayment } from './state.ts'
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
export function whyMoney(state: State, now: number): Finding[] {
  const { payments, late, standing, cleared } = state
  const elsewhere = payments.slice(1).filter((payment) => payment.paid > 0)
  const { chargedBack } = backOf(state)
  const lost = payments.filter((payment) => payment.lost > 0)
  const isUncaptured = lost.some(isCaptureFailed)
  const refund = refundFinding(state, now)
  const isFailed = refund && refund.cause === 'refund-failed'
  // Money that was refunded, collected or cleared needs no more action.
  const open = unappliedOf(state) > 0
  const clear: Todo = { do: 'clear' }
  const isOverpaid = surplusOf(state) > 0
  const isTwice = elsewhere.length > 0 && isOverpaid
  const found: (Finding | false)[] = [
    open && isTwice && { cause: 'paid-twice', todo: [{ do: 'refund' }, clear] },
    elsewhere.length > 0 && !isOverpaid && { cause: 'paid-at-other-account', todo: [{ do: 'nothing' }] },
    chargedBack > 0 && { cause: 'charged-back', todo: [{ do: 'answer-dispute' }] },
    isUncaptured && { cause: 'capture-bounced', todo: [{ do: 'keep-goods' }, { do: 'new-job' }] },
    lost.length > 0 &&
      !isUncaptured && { cause: 'cancelled-after-paid', todo: [{ do: 'keep-goods' }, { do: 'new-job' }] },
    ...payments.map((payment) => whyHeld(state, payment, now)),
    isFailed && refund,
    open &&
      elsewhere.length === 0 &&
      isOverpaid && { cause: 'overpaid', todo: [{ do: 'refund-rest' }, clear] },
    open &&
      standing.is !== 'paid' && {
        cause: 'paid-in-part',
        todo: [{ do: 'refund' }, { do: 'collect-rest' }, clear],
      },
    open && late && { cause: 'paid-late', todo: [{ do: 'deliver-or-refund' }, clear] },
    alsoPaidBy(state).length > 0 && { cause: 'order-paid-again', todo: [{ do: 'look-at-others' }] },
    !isFailed && refund,
    !open && isTwice && { cause: 'paid-twice', todo: [{ do: 'nothing' }] },
    cleared > 0 && { cause: 'cleared', todo: [{ do: 'nothing' }] },
    isLateAccepted(state) && cleared === 0 && { cause: 'late-accepted', todo: [{ do: 'nothing' }] },
  ]
  return found.filter((one) => one !== false)
}

function isCaptureFailed({ authorized, moves }: Payment): boolean {
  return authorized > 0 || moves.some(({ kind }) => kind === 'capture-failed')
}

/** Returns a finding if the PSP still holds reserved money after the end of the job. */
function whyHeld(state: State, payment: Payment, now: number): Finding | false {
  const releases = ofPayment(state, payment, 'release')
  const underWay = releases.find(isUnderWay)
  if (underWay) return { cause: 'release-pending', todo: [...lookFor(state, underWay, now), { do: 'wait' }] }
  return (
    capturableOf(state, payment) > 0 &&
    releases.length > 0 && { cause: 'still-reserved', todo: [lookAt(payment), { do: 'release' }] }
  )
}

export function lookAt({ account, reference, other }: Payment): Todo {
  return { do: 'look-at-psp', account, reference: other ?? reference }
}

/** Returns that a person should look at the PSP, if it does not say what became of an instruction. */
export function lookFor(state: State, one: Instruction, now: number): Todo[] {
  const payment = findPayment(state, one)
  return payment && isUnconfirmed(one, now) ? [lookAt(payment)] : []
}

function refundFinding(state: State, now: number): Finding | false {
  const last = ofKind(state, 'refund').at(-1)
  if (last?.state === 'failed')
    return { cause: 'refund-failed', todo: [...lookFor(state, last, now), { do: 'refund-again' }] }
  const underWay = ofKind(state, 'refund').find(isUnderWay)
  if (underWay) return { cause: 'refund-pending', todo: [...lookFor(state, underWay, now), { do: 'wait' }] }
  return refundedOf(state) > 0 && { cause: 'refunded', todo: [{ do: 'nothing' }] }
}
