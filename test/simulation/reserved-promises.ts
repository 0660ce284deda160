import { DAY } from '../../src/contract/timestamp.ts'
import { represent } from '../../src/job/core/show.ts'
import type { Stored } from '../support/job.ts'
import { AMOUNT, minorOf } from './amounts.ts'
import { excuseOf, knownTo } from './payment-promises.ts'
import { type Payment, heldOf, takenBy, totalsOf } from './payments.ts'
import type { HeldMove } from './played-psp.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** How the hub tells a job's money. */
export type Standing = {
  status: string
  amountPaid: string | number
  amountDue: string
  amountAuthorized?: string
  amountReleased?: string
  amountRefunded?: string
  amountChargedBack?: string
}

function ofHub({ captures }: Payment): HeldMove[] {
  return captures.filter(({ hubId, state }) => hubId !== null && state !== 'failed')
}

function sumOf(moves: readonly { amount: number }[]): number {
  return moves.reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * What a capture leaves: of no payment is more captured than was authorised, nor do the hub's captures of
 * all payments of a job come to more than was ordered, and one request is one capture.
 */
export function checkCaptureMade(payment: Payment, ofJob: readonly Payment[], id: string | null): void {
  const { reservation, captures, job } = payment
  const captured = sumOf(captures.filter(({ state }) => state !== 'failed'))
  const authorized = reservation?.authorized ?? 0
  promise(
    captured <= authorized,
    `${captured} of payment ${payment.id} are captured, and ${authorized} authorised`,
  )
  const all = sumOf(ofJob.flatMap(ofHub))
  promise(all <= AMOUNT, `the hub had ${all} captured of the payments of ${job}, and ${AMOUNT} were ordered`)
  const same = captures.filter(({ hubId }) => hubId === id)
  promise(id === null || same.length === 1, `capture ${id} was made ${same.length} times at the PSP`)
}

/** The PSP has refused a capture, although nothing had changed there that the hub was not told. */
export function checkCaptureRefused(payment: Payment, id: string): void {
  const words = JSON.stringify(payment.reservation)
  promise(
    false,
    `the hub asked for capture ${id} of payment ${payment.id}, which is ${words}: the PSP refuses it`,
  )
}

/** How long (ms) after a job's end the hub has surely wanted to release what it knew of. */
const WANTED_WITHIN = 3 * DAY

/**
 * In the end nothing is reserved, and what the shop is told is the ledger of the PSP. The hub has wanted
 * what was left of it to be released, before the PSP let go of it by its own clock.
 */
export function checkReserved(world: World, job: Stored): void {
  const payments = world.psp.of(job.id)
  const reserved = payments.filter(({ reservation }) => reservation !== null)
  for (const payment of reserved) {
    const which = `payment ${payment.id} of ${job.id}, which is ${job.status}`
    const isKnown = excuseOf(job, payment) === null
    promise(heldOf(payment) === 0 || !isKnown, `${heldOf(payment)} of ${which}, are still reserved`)
    const { lapsed, asks } = payment.reserved
    const wasKnown = knownTo(job, payment) !== undefined && payment.told === 'authorized'
    const from = Math.max(endOf(job), payment.toldSince, payment.reserved.since ?? 0) + WANTED_WITHIN
    promise(
      lapsed === null || lapsed < from || asks > 0 || !wasKnown || world.platform.wasBroken(),
      `the hub never wanted to release ${which}: the PSP did at ${lapsed}`,
    )
  }
  if (reserved.length === 0 || payments.some((payment) => !isTold(job, payment))) return
  const shown = represent(job) as Standing
  const minor = (name: keyof Standing) => minorOf(shown[name] ?? 0, world.currency)
  const sum = (of: (payment: Payment) => number) => payments.reduce((total, one) => total + of(one), 0)
  const [taken, released] = [sum(takenBy), sum(({ reservation }) => reservation?.released ?? 0)]
  const back = sum((payment) => totalsOf(payment).refunded)
  const isManual = job.order.capture === 'manual'
  const [paid, refunded] = [minor('amountPaid'), minor('amountRefunded')]
  const told = JSON.stringify(shown)
  const truth = JSON.stringify(payments.map(({ id, reservation }) => ({ id, ...reservation })))
  const is = `${truth} of ${job.id}, of which is told ${told}`
  // A capture that failed once the job was paid counts as money that went back.
  promise(paid >= taken && paid - refunded === taken - back, `paid: ${is}`)
  const authorized = sum(({ reservation }) => reservation?.authorized ?? 0)
  promise(minor('amountAuthorized') === (isManual ? authorized : 0), `authorised: ${is}`)
  const givenUp = Math.min(released, Math.max(AMOUNT - paid, 0))
  promise(
    reserved.some(isRestUntold) || minor('amountReleased') === (isManual ? givenUp : 0),
    `released: ${is}`,
  )
}

/** Adyen lets go of the rest with a first capture, and says nothing of that where it was made by hand. */
function isRestUntold({ at, captures }: Payment): boolean {
  return at.psp === 'adyen' && captures.some(({ hubId }) => hubId === null)
}

/** When (ms) a job has ended. */
function endOf({ standing }: Stored): number {
  return 'at' in standing ? standing.at : Infinity
}

/**
 * Whether the hub could know all of a payment. Of one that was let go before the hub asked, the PSP may
 * not say that it was ever reserved.
 */
function isTold(job: Stored, payment: Payment): boolean {
  if (payment.reservation && takenBy(payment) === 0 && !payment.reserved.isTold) return false
  if (!knownTo(job, payment)) return payment.reservation === null && takenBy(payment) === 0
  return excuseOf(job, payment) === null
}
