import { DAY } from '../../src/contract/timestamp.ts'
import { represent } from '../../src/job/core/show.ts'
import type { Stored } from '../support/jobs/job.ts'
import { AMOUNT, minorOf } from './amounts.ts'
import { excuseOf, knownTo } from './payment-promises.ts'
import { type Payment, heldOf, receivedBy, totalsOf } from './payments.ts'
import type { HeldMove } from './played-psp.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** A job's money as the hub shows it. */
export type ShownMoney = {
  status: string
  amountPaid: string | number
  amountDue: string
  amountAuthorized?: string
  amountReleased?: string
  amountRefunded?: string
  amountChargedBack?: string
}

function hubCaptures({ captures }: Payment): HeldMove[] {
  return captures.filter(({ hubId, state }) => hubId !== null && state !== 'failed')
}

function sumOf(moves: readonly { amount: number }[]): number {
  return moves.reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * Checks a new capture: no payment is captured beyond its authorisation, the hub's captures of a job never
 * exceed the order, and one request makes one capture.
 */
export function checkCaptureMade(payment: Payment, ofJob: readonly Payment[], id: string | null): void {
  const { reservation, captures, job } = payment
  const captured = sumOf(captures.filter(({ state }) => state !== 'failed'))
  const authorized = reservation?.authorized ?? 0
  promise(
    captured <= authorized,
    `${captured} of payment ${payment.id} are captured, and ${authorized} authorised`,
  )
  const all = sumOf(ofJob.flatMap(hubCaptures))
  promise(all <= AMOUNT, `the hub had ${all} captured of the payments of ${job}, and ${AMOUNT} were ordered`)
  const same = captures.filter(({ hubId }) => hubId === id)
  promise(id === null || same.length === 1, `capture ${id} was made ${same.length} times at the PSP`)
}

/** Reports a capture that the PSP refused, although the hub knew all that had changed. */
export function checkCaptureRefused(payment: Payment, id: string): void {
  const words = JSON.stringify(payment.reservation)
  promise(
    false,
    `the hub asked for capture ${id} of payment ${payment.id}, which is ${words}: the PSP refuses it`,
  )
}

/** How long (ms) after a job's end, at most, the hub asks to release what it knows of. */
const WANTED_WITHIN = 3 * DAY

/**
 * Checks that nothing stays reserved, that the shop sees the PSP's amounts, and that the hub asked for the
 * release of the rest before the PSP released it by its own clock.
 */
export function checkReserved(world: World, job: Stored): void {
  const payments = world.psp.of(job.id)
  const reserved = payments.filter(({ reservation }) => reservation !== null)
  for (const payment of reserved) {
    const which = `payment ${payment.id} of ${job.id}, which is ${job.status}`
    const isKnown = excuseOf(job, payment) === null
    promise(heldOf(payment) === 0 || !isKnown, `${heldOf(payment)} of ${which}, are still reserved`)
    const { lapsed, releases } = payment.reserved
    const wasKnown = knownTo(job, payment) !== undefined && payment.reported === 'authorized'
    const from = Math.max(endOf(job), payment.reportedSince, payment.reserved.since ?? 0) + WANTED_WITHIN
    promise(
      lapsed === null || lapsed < from || releases > 0 || !wasKnown || world.platform.wasBroken(),
      `the hub never asked to release ${which}: the PSP did so at ${lapsed}`,
    )
  }
  if (reserved.length === 0 || payments.some((payment) => !couldKnow(job, payment))) return
  const shown = represent(job) as ShownMoney
  const minor = (name: keyof ShownMoney) => minorOf(shown[name] ?? 0, world.currency)
  const sum = (of: (payment: Payment) => number) => payments.reduce((total, one) => total + of(one), 0)
  const [taken, released] = [sum(receivedBy), sum(({ reservation }) => reservation?.released ?? 0)]
  const back = sum((payment) => totalsOf(payment).refunded)
  const isManual = job.order.capture === 'manual'
  const [paid, refunded] = [minor('amountPaid'), minor('amountRefunded')]
  const json = JSON.stringify(shown)
  const truth = JSON.stringify(payments.map(({ id, reservation }) => ({ id, ...reservation })))
  const is = `${truth} of ${job.id}, which the hub shows as ${json}`
  // A capture that fails after the job was paid counts as money that went back.
  promise(paid >= taken && paid - refunded === taken - back, `paid: ${is}`)
  const authorized = sum(({ reservation }) => reservation?.authorized ?? 0)
  promise(minor('amountAuthorized') === (isManual ? authorized : 0), `authorised: ${is}`)
  const givenUp = Math.min(released, Math.max(AMOUNT - paid, 0))
  promise(
    reserved.some(isRestUnreported) || minor('amountReleased') === (isManual ? givenUp : 0),
    `released: ${is}`,
  )
}

/** Adyen releases the rest with a first capture, and sends no notification if it was made by hand. */
function isRestUnreported({ at, captures }: Payment): boolean {
  return at.psp === 'adyen' && captures.some(({ hubId }) => hubId === null)
}

/** Returns when (ms) a job ended. */
function endOf({ standing }: Stored): number {
  return 'at' in standing ? standing.at : Infinity
}

/**
 * Returns whether the hub could know all of a payment. If money was released before the hub asked, the PSP
 * may never say that it was reserved.
 */
function couldKnow(job: Stored, payment: Payment): boolean {
  if (payment.reservation && receivedBy(payment) === 0 && !payment.reserved.wasReported) return false
  if (!knownTo(job, payment)) return payment.reservation === null && receivedBy(payment) === 0
  return excuseOf(job, payment) === null
}
