import { findPayment, isPending } from '../../src/job/core/state.ts'
import type { Stored } from '../support/job.ts'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import { AMOUNT } from './amounts.ts'
import {
  HELD,
  type Payment,
  heldOf,
  inWords,
  liveRefunds,
  patienceWith,
  takenBy,
  totalsOf,
} from './payments.ts'
import { promise } from './violation.ts'

/**
 * How long (ms) the hub goes on asking a silent PSP when the time to pay is over: three days, less
 * what is drawn.
 */
const LAST_PATIENCE = 68 * HOUR
/** The same of a payment at a terminal, from its start on: a day, less what is drawn. */
const LAST_PATIENCE_AT_TERMINAL = 20 * HOUR
/** How long (ms) after its end a job is looked after whose payment may still be paid. */
const LOOKED_AFTER = 30 * DAY

/**
 * What the PSP holds in the end is what the job says, if the hub could know; and nothing that has
 * ended can be paid.
 */
export function checkPayment(job: Stored, payment: Payment): void {
  const { id } = payment
  const excuse = excuseOf(job, payment)
  // Somebody captured a part of what the hub captures as a whole, and let go of the rest.
  const isPart = !payment.isManual && takenBy(payment) < AMOUNT
  const which = `payment ${id} (${[...payment.been].join(', ')}; ${payment.looks.length} looks) of job ${job.id}`
  promise(
    !isOver(job, payment) || payment.toldItsEnd,
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
  // A capture that failed once the job was paid counts as money that went back.
  const [has, tells] = [totalsOf(payment), { refunded: refunded - lost, chargedBack }]
  promise(
    has.refunded <= takenBy(payment),
    `${which} has ${inWords(has)}, which is more than the ${takenBy(payment)} that were paid`,
  )
  promise(
    takenBy(payment) === 0 || excuse !== null || inWords(has) === inWords(tells),
    `${which} has ${inWords(has)}, but the job tells ${inWords(tells)}`,
  )
}

/** Whether the hub holds that nobody can pay the payment any more. */
function isOver(job: Stored, payment: Payment): boolean {
  return job.standing.is === 'ended' && knownTo(job, payment)?.over === true
}

/** What a job knows of a payment. Accounts may have payments of one reference. */
export function knownTo(job: Stored, { account, id }: Payment) {
  return findPayment(job, { account, reference: id })
}

/**
 * Why the hub could not know how a payment stands; null when it could. It has taken no notification
 * since the last change that it has not caused, * and needs to ask no more: the job is paid, or the
 * PSP has said that it is over for good, or has given no answer for thirty days.
 */
export function excuseOf(job: Stored, payment: Payment): string | null {
  // A PSP that answers as before, although it has notified the hub, lags behind its own word.
  const isStale = payment.at.showsRefunds && payment.looks.at(-1)?.got === 'an old answer'
  if (payment.notified >= payment.foreign) return isStale ? 'answered as before' : null
  if (job.status === 'SUCCESS') return payment.shown >= payment.foreign ? null : 'paid, and never notified'
  if (isOver(job, payment)) return 'over for good'
  return wasLookedAfter(job, payment) && payment.shown < payment.changes ? 'silent for thirty days' : null
}

/**
 * Whether the hub has looked until thirty days after the end of a job. A bank transfer may be under
 * way for longer: where the hub was kept from the PSP until the job ended, it waits for the PSP's
 * word from then on.
 */
function wasLookedAfter(job: Stored, { looks }: Payment): boolean {
  return (looks.at(-1)?.at ?? 0) >= (job.standing.is === 'ended' ? job.standing.at : Infinity) + LOOKED_AFTER
}

/**
 * No job ends by the hub's clock while its payment may be paid, or its money is on its way, but
 * where the PSP was asked three days past the time, and gave no answer: none at all, or that it
 * does not know the payment, or none to the wish to stop it. `at` (ms) is when it ended; what the
 * PSP had told by then counts.
 */
export function checkEnd(
  job: string,
  { status, at }: { status: string; at: number },
  payment: Payment,
): void {
  if (!['open', 'pending', 'authorized'].includes(payment.status)) return
  // What is reserved after the end was not to be known, also by a clock that steps back up to three seconds.
  if (heldOf(payment) > 0 && (payment.reserved.since ?? at) >= at - 3000) return
  const which = `job ${job} was told as ${status} while its payment ${payment.id} was ${payment.status}`
  promise(status === 'EXPIRED', which)
  const last = payment.looks.findLast((look) => look.at <= at)
  // The hub has tried to release it, and the PSP still holds it.
  const isKept = heldOf(payment) > 0 && payment.reserved.asks > 0
  const patience = payment.atTerminal ? LAST_PATIENCE_AT_TERMINAL : LAST_PATIENCE
  const isWaited = last !== undefined && last.at >= timeOf(payment, at) + patience
  promise(
    isWaited && (isKept || last.got !== 'the truth'),
    `${which}; the last look before was at ${last?.at}, and got ${last?.got}`,
  )
}

/** Until when (ms) a payment is waited for, by what the PSP had told. */
function timeOf(payment: Payment, at: number): number {
  const { told, toldSince, expiresAt, made, reserved } = payment
  if (payment.atTerminal) return made
  const isTold = told === 'authorized' && toldSince <= at
  if (isTold && reserved.since !== null && payment.isManual) return reserved.since + HELD
  return (told === 'pending' || told === 'authorized') && toldSince <= at
    ? toldSince + patienceWith(payment, told)
    : (expiresAt ?? made + DAY)
}

/**
 * No customer can pay what no job knows of: not a payment of a job that is not there, nor one that
 * its job has not noted. One whose answer was lost, and whose idempotency key the PSP has dropped
 * since, is open until it expires, but nobody has its address.
 */
export function checkOrphan(job: Stored | null, payment: Payment, wasShown: boolean): void {
  const { id } = payment
  promise(job !== null || !wasShown, `a customer was sent to payment ${id}, and there is no job of it`)
  promise(job !== null || payment.status !== 'paid', `payment ${id} is paid, and there is no job of it`)
  const known = job ? knownTo(job, payment) : undefined
  const isTold = payment.status === 'paid' && payment.notified >= payment.foreign
  promise(
    !known || !isTold || known.paid - known.lost === takenBy(payment),
    `${takenBy(payment)} of payment ${id} are paid, and its job has ${known?.paid} of it`,
  )
  if (job === null || payment.status !== 'open') return
  promise(
    known !== undefined || !wasShown,
    `payment ${id} can be paid, and its job ${job.id} does not know of it`,
  )
  promise(!known || isPending(job), `payment ${id} can be paid, and its job ${job.id} is ${job.status}`)
}

/** Nobody stops money that is on its way: the hub was told so. */
export function checkStop({ id, told }: Payment): void {
  promise(
    told !== 'pending' && told !== 'authorized',
    `payment ${id} was to be stopped, although the PSP had told it as ${told}`,
  )
}

/**
 * What a refund leaves: no more than was paid goes back by the hub's requests, and one request is
 * one refund.
 */
export function checkRefundAsked(payment: Payment, id: string | null): void {
  const own = liveRefunds(payment).filter(({ hubId }) => hubId !== null)
  const sum = own.reduce((total, refund) => total + refund.amount, 0)
  const most = Math.max(...payment.reserved.captured)
  promise(sum <= most, `the hub asked for ${sum} back of payment ${payment.id}, which has ${most}`)
  const same = payment.refunds.filter(({ hubId }) => hubId === id)
  promise(id === null || same.length === 1, `refund ${id} was made ${same.length} times at the PSP`)
}
