import { findPayment, isPending } from '../../src/job/core/state.ts'
import type { Stored } from '../support/jobs/job.ts'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import { AMOUNT } from './amounts.ts'
import {
  HELD,
  type Payment,
  heldOf,
  inWords,
  liveRefunds,
  patienceWith,
  receivedBy,
  totalsOf,
} from './payments.ts'
import { promise } from './violation.ts'

/**
 * How long (ms) after the time to pay the hub asks a silent PSP, at least: three days, less the random
 * spread.
 */
const LAST_PATIENCE = 68 * HOUR
/** The same at a terminal, from the start of the payment: a day, less the random spread. */
const LAST_PATIENCE_AT_TERMINAL = 20 * HOUR
/** How long (ms) after a job's end the hub checks a payment that may still be paid. */
const LOOKED_AFTER = 30 * DAY

/**
 * Checks that the job says what became of the payment, if the hub could know, and that nobody can pay it any
 * more.
 */
export function checkPayment(job: Stored, payment: Payment): void {
  const { id } = payment
  const excuse = excuseOf(job, payment)
  // Somebody captured only a part at the PSP, and released the rest.
  const isPart = !payment.isManual && receivedBy(payment) < AMOUNT
  const which = `payment ${id} (${[...payment.statuses].join(', ')}; ${payment.looks.length} looks) of job ${job.id}`
  promise(
    !isOver(job, payment) || payment.reportedEnd,
    `${which} counts as closed, but the PSP never said that it is over for good`,
  )
  promise(
    payment.status !== 'paid' || isPart || excuse !== null || job.status === 'SUCCESS',
    `${which} is paid, but the job is ${job.status}`,
  )
  promise(payment.status !== 'open' || excuse !== null, `${which} can still be paid: ${job.status}`)
  promise(
    !['pending', 'authorized'].includes(payment.status) || excuse !== null || wasLookedAfter(job, payment),
    `${which} is ${payment.status}, but the job is ${job.status}`,
  )
  const { refunded = 0, lost = 0, chargedBack = 0 } = knownTo(job, payment) ?? {}
  // A capture that fails after the job was paid counts as money that went back.
  const [has, says] = [totalsOf(payment), { refunded: refunded - lost, chargedBack }]
  promise(
    has.refunded <= receivedBy(payment),
    `${which} has ${inWords(has)}, which is more than the ${receivedBy(payment)} that were paid`,
  )
  promise(
    receivedBy(payment) === 0 || excuse !== null || inWords(has) === inWords(says),
    `${which} has ${inWords(has)}, but the job says ${inWords(says)}`,
  )
}

/** Returns whether the hub believes that nobody can pay any more. */
function isOver(job: Stored, payment: Payment): boolean {
  return job.standing.is === 'ended' && knownTo(job, payment)?.over === true
}

/** Returns what a job knows of a payment. Two accounts may use the same reference. */
export function knownTo(job: Stored, { account, id }: Payment) {
  return findPayment(job, { account, reference: id })
}

/**
 * Returns why the hub could not know a payment's state; null if it could. It has an excuse if it got no
 * notification of the last change that it did not cause, and need not ask again: the job is paid, or the PSP
 * called the payment over for good, or gave no answer for thirty days.
 */
export function excuseOf(job: Stored, payment: Payment): string | null {
  // A PSP may answer with an old state even after its notification.
  const isStale = payment.at.showsRefunds && payment.looks.at(-1)?.got === 'an old answer'
  if (payment.notified >= payment.foreign) return isStale ? 'answered as before' : null
  if (job.status === 'SUCCESS') return payment.shown >= payment.foreign ? null : 'paid, and never notified'
  if (isOver(job, payment)) return 'over for good'
  return wasLookedAfter(job, payment) && payment.shown < payment.changes ? 'silent for thirty days' : null
}

/**
 * Returns whether the hub checked until thirty days after a job's end. A bank transfer may take longer: if
 * the hub could not reach the PSP until the job ended, it then waits for a notification.
 */
function wasLookedAfter(job: Stored, { looks }: Payment): boolean {
  return (looks.at(-1)?.at ?? 0) >= (job.standing.is === 'ended' ? job.standing.at : Infinity) + LOOKED_AFTER
}

/**
 * Checks that no job expires while its payment can be paid or its money is under way, unless the hub asked
 * three days past the time and did not learn the truth. `at` (ms): when the job ended; only what the PSP
 * reported by then counts.
 */
export function checkEnd(
  job: string,
  { status, at }: { status: string; at: number },
  payment: Payment,
): void {
  if (!['open', 'pending', 'authorized'].includes(payment.status)) return
  // The hub could not know of money reserved after the end. The clock may have stepped back by three seconds.
  if (heldOf(payment) > 0 && (payment.reserved.since ?? at) >= at - 3000) return
  const which = `job ${job} was reported as ${status} while its payment ${payment.id} was ${payment.status}`
  promise(status === 'EXPIRED', which)
  const last = payment.looks.findLast((look) => look.at <= at)
  // The hub tried to release it, but the PSP still holds it.
  const isKept = heldOf(payment) > 0 && payment.reserved.releases > 0
  const patience = payment.atTerminal ? LAST_PATIENCE_AT_TERMINAL : LAST_PATIENCE
  const isWaited = last !== undefined && last.at >= timeOf(payment, at) + patience
  promise(
    isWaited && (isKept || last.got !== 'the truth'),
    `${which}; the last look before was at ${last?.at}, and got ${last?.got}`,
  )
}

/** Returns until when (ms) the hub waits for a payment, by the status that the PSP had reported. */
function timeOf(payment: Payment, at: number): number {
  const { reported, reportedSince, expiresAt, made, reserved } = payment
  if (payment.atTerminal) return made
  const isReported = reported === 'authorized' && reportedSince <= at
  if (isReported && reserved.since !== null && payment.isManual) return reserved.since + HELD
  return (reported === 'pending' || reported === 'authorized') && reportedSince <= at
    ? reportedSince + patienceWith(payment, reported)
    : (expiresAt ?? made + DAY)
}

/**
 * Checks that no customer can pay a payment without a job, or one that its job does not know. If the answer
 * to its creation was lost and the PSP has dropped its idempotency key, it stays open until it expires, but
 * nobody has its address.
 */
export function checkOrphan(job: Stored | null, payment: Payment, wasShown: boolean): void {
  const { id } = payment
  promise(job !== null || !wasShown, `a customer was sent to payment ${id}, and there is no job of it`)
  promise(job !== null || payment.status !== 'paid', `payment ${id} is paid, and there is no job of it`)
  const known = job ? knownTo(job, payment) : undefined
  const isNotified = payment.status === 'paid' && payment.notified >= payment.foreign
  promise(
    !known || !isNotified || known.paid - known.lost === receivedBy(payment),
    `${receivedBy(payment)} of payment ${id} are paid, and its job has ${known?.paid} of it`,
  )
  if (job === null || payment.status !== 'open') return
  promise(
    known !== undefined || !wasShown,
    `payment ${id} can be paid, and its job ${job.id} does not know of it`,
  )
  promise(!known || isPending(job), `payment ${id} can be paid, and its job ${job.id} is ${job.status}`)
}

/** Checks that the hub stops no payment that the PSP reported as pending or authorised. */
export function checkStop({ id, reported }: Payment): void {
  promise(
    reported !== 'pending' && reported !== 'authorized',
    `payment ${id} was to be stopped, although the PSP had reported it as ${reported}`,
  )
}

/** Checks a new refund: the hub's refunds never exceed what was paid, and one request makes one refund. */
export function checkRefundAsked(payment: Payment, id: string | null): void {
  const own = liveRefunds(payment).filter(({ hubId }) => hubId !== null)
  const sum = own.reduce((total, refund) => total + refund.amount, 0)
  const most = Math.max(...payment.reserved.captured)
  promise(sum <= most, `the hub asked for ${sum} back of payment ${payment.id}, which has ${most}`)
  const same = payment.refunds.filter(({ hubId }) => hubId === id)
  promise(id === null || same.length === 1, `refund ${id} was made ${same.length} times at the PSP`)
}
