import { refundableOf } from '../../src/job/core/instruct.ts'
import type { Stored } from '../support/job.ts'
import { minorOf } from './amounts.ts'
import { isOwn, totalsOf } from './payments.ts'
import { type RefundJson, listRefunds } from './shop-refunds.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/**
 * Each refund that was acknowledged is at the PSP exactly once, or is told as failed; and the PSP
 * has no other. Where the PSP does not show refunds, one that it never answered waits for a
 * notification: nobody can know.
 */
export async function checkRefunds(world: World, job: Stored): Promise<void> {
  const payments = world.psp.of(job.id)
  const payment = payments.find((one) => isOwn(job, one))
  const acknowledged = [...world.refunds].filter(([, refund]) => refund.job === job.id)
  const made = payments.flatMap(({ refunds }) => refunds.filter(({ hubId }) => hubId !== null))
  if (acknowledged.length + made.length === 0) return
  const listed = await listRefunds(world, job.id)
  for (const [id, { amount }] of acknowledged) {
    const known = listed?.find(({ refund }) => refund === id)
    promise(known !== undefined, `refund ${id} of ${job.id} was acknowledged, and is gone`)
    promise(
      known === undefined || minorOf(known.amount, world.currency) === amount,
      `refund ${id} was of ${amount}, and is now of ${known?.amount}`,
    )
  }
  const isUnseen = ({ refund, status }: RefundJson): boolean =>
    payments.some(({ at }) => !at.showsRefunds) &&
    status === 'PENDING' &&
    !world.psp.answered.has(refund) &&
    !made.some(({ hubId }) => hubId === refund)
  for (const known of listed ?? []) {
    const held = made.filter(({ hubId }) => hubId === known.refund)
    const states = held.map(({ state }) => (state === 'done' ? 'SUCCESS' : 'FAILURE'))
    const isSo =
      held.length === 0 ? known.status === 'FAILURE' || isUnseen(known) : states.join() === known.status
    const amount = minorOf(known.amount, world.currency)
    promise(
      held.every((one) => one.amount === amount),
      `refund ${known.refund} of ${job.id} is of ${amount}, and of another amount at the PSP`,
    )
    const has = held.map(({ state }) => state).join(' and ') || 'no such refund'
    promise(isSo, `refund ${known.refund} of ${job.id} is ${known.status}, but the PSP has ${has}`)
  }
  for (const { hubId } of made) {
    const isKnown = listed?.some(({ refund }) => refund === hubId)
    promise(isKnown === true, `the PSP has refund ${hubId}, which the hub does not know`)
  }
  const isTwice = payments.filter(({ status }) => status === 'paid').length > 1
  if (payment?.status !== 'paid' || isTwice || payment.notified < payment.foreign) return
  const { refunded, chargedBack } = totalsOf(payment)
  const unseen = (listed ?? [])
    .filter(isUnseen)
    .reduce((sum, { amount }) => sum + minorOf(amount, world.currency), 0)
  const rest = Math.max(payment.amount - refunded - chargedBack - unseen, 0)
  const [own] = job.payments
  const refundable = own ? refundableOf(job, own) : 0
  promise(refundable === rest, `${rest} of ${job.id} can be refunded, but the hub would refund ${refundable}`)
}
