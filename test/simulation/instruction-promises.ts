import type { Stored } from '../support/jobs/job.ts'
import { minorOf } from './amounts.ts'
import { excuseOf } from './payment-promises.ts'
import { type Payment, isFirstOf, isKnown as hubKnows, receivedBy, totalsOf } from './payments.ts'
import { type Kind, listInstructions } from './shop-instructions.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'
import { type MoneyTransfer, transfersOf } from '../../src/job/core/all-transfers.ts'
import { TOTAL } from '../../src/job/core/transfers.ts'
import { refundableOf } from '../../src/job/core/money.ts'
import { OF_RESERVED, ofKind } from '../../src/job/core/payment.ts'

/**
 * Checks that the PSP has each acknowledged capture and refund exactly once, unless the hub reports it as
 * failed, and that the PSP has no others.
 */
export async function checkInstructions(world: World, job: Stored): Promise<void> {
  await check(world, job, 'capture')
  if (await check(world, job, 'refund')) checkRest(world, job)
  for (const payment of world.psp.of(job.id))
    if (hubKnows(payment) && excuseOf(job, payment) === null) checkTransfers(job, payment)
}

/** Returns whether the job has instructions of this kind. */
async function check(world: World, job: Stored, kind: Kind): Promise<boolean> {
  const payments = world.psp.of(job.id)
  const acknowledged = [...world.acknowledged].filter(
    ([, wanted]) => wanted.job === job.id && wanted.kind === kind,
  )
  const made = payments.flatMap((payment) =>
    payment[`${kind}s`].flatMap((move) =>
      move.hubId === null ? [] : [{ ...move, hubId: move.hubId, payment }],
    ),
  )
  if (acknowledged.length + made.length === 0) return false
  const listed = await listInstructions(world, job.id, kind)
  for (const [id, { amount }] of acknowledged) {
    const known = listed?.find((shown) => shown.id === id)
    promise(known !== undefined, `${kind} ${id} of ${job.id} was acknowledged, and is gone`)
    promise(
      known === undefined || minorOf(known.amount, world.currency) === amount,
      `${kind} ${id} was of ${amount}, and is now of ${known?.amount}`,
    )
  }
  for (const known of listed ?? []) {
    const held = made.filter(({ hubId }) => known.id.startsWith(hubId))
    const states = held.map(({ state }) => (state === 'done' ? 'SUCCESS' : 'FAILURE'))
    const matches = (states.join() || 'FAILURE') === known.status
    const amount = minorOf(known.amount, world.currency)
    promise(
      held.every((move) => move.amount === amount),
      `${kind} ${known.id} of ${job.id} is of ${amount}, and of another amount at the PSP`,
    )
    const has = held.map(({ state }) => state).join(' and ') || `no such ${kind}`
    // A capture by hand may hide that another one failed.
    const isHidden = (payment: Payment) => payment.captures.some(({ hubId }) => hubId === null)
    const isExcused =
      kind === 'capture' && held.some(({ payment }) => isHidden(payment) || excuseOf(job, payment) !== null)
    promise(
      matches || isExcused,
      `${kind} ${known.id} of ${job.id} is ${known.status}, but the PSP has ${has}`,
    )
  }
  // The hub does not list its own captures.
  const own = ofKind(job, ...OF_RESERVED).filter(({ byHub }) => byHub)
  for (const { hubId } of made.filter((move) => !own.some(({ id }) => id.startsWith(move.hubId)))) {
    const isKnown = listed?.some(({ id }) => id.startsWith(hubId))
    promise(isKnown === true, `the PSP has ${kind} ${hubId}, which the hub does not know`)
  }
  return true
}

/** Checks that the job lists each refund and each capture of reserved money that its PSP made, and each once. */
function checkTransfers(job: Stored, payment: Payment): void {
  const listed = transfersOf(job).filter(({ account }) => account === payment.account)
  for (const kind of ['capture', 'refund'] as const)
    for (const { id, hubId, state } of kind === 'capture' && !payment.reservation
      ? []
      : payment[`${kind}s`]) {
      // Some PSPs say nothing of what others did until it is done.
      if (hubId === null && state === 'pending' && !payment.at.showsRefunds) continue
      const isIt = (one: MoneyTransfer) =>
        one.kind === kind && (one.id === id || (hubId !== null && one.own?.startsWith(hubId)))
      const times = listed.filter(isIt).length
      // Stripe has no captures, only their sum.
      const isSum = hubId === null && listed.some((one) => one.kind === kind && one.id === TOTAL)
      promise(
        times === 1 || isSum,
        `${kind} ${id} of ${job.id} is ${times} times in the list of its transfers`,
      )
    }
}

/** Checks that the hub would refund exactly what was paid and has not gone back. */
function checkRest(world: World, job: Stored): void {
  const payments = world.psp.of(job.id)
  const payment = payments.find((candidate) => isFirstOf(job, candidate))
  const isTwice = payments.filter((paid) => receivedBy(paid) > 0).length > 1
  if (!payment || receivedBy(payment) === 0 || isTwice || payment.notified < payment.foreign) return
  const { refunded, chargedBack } = totalsOf(payment)
  const rest = Math.max(receivedBy(payment) - refunded - chargedBack, 0)
  const [own] = job.payments
  const refundable = own ? refundableOf(job, own) : 0
  promise(refundable === rest, `${rest} of ${job.id} can be refunded, but the hub would refund ${refundable}`)
}
