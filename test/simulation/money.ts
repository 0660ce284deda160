import { DAY, MINUTE } from '../../src/contract/timestamp.ts'
import type { GoesBack, WayOn } from './commands.ts'
import { shownPayment } from './customer.ts'
import { notifyNewest } from './messages.ts'
import { type Payment, liveRefunds, takenOf } from './payments.ts'
import { moveTo } from './time.ts'
import type { World } from './world.ts'

/**
 * Money that was under way or reserved arrives at the PSP, or is released; or its customer may try
 * again, where the PSP lets them.
 */
export async function moveOn(world: World, id: string, how: WayOn, word: boolean): Promise<void> {
  const payment = shownPayment(world, id)
  if (payment?.status !== 'pending' && payment?.status !== 'authorized') return
  const released = payment.status === 'authorized' ? 'expired' : 'failed'
  const isAgain = how === 'is given up for another try' && payment.at.psp === 'mollie'
  const isInTime = (payment.expiresAt ?? 0) > Date.now()
  world.psp.becomes(payment, isAgain && isInTime ? 'open' : how === 'arrives' ? 'paid' : released, word)
  if (word) await notifyNewest(world, 'once')
}

/** More (ms) than the hub shares an answer for, with what the clock may step back meanwhile. */
const SOON = 9000

/** Money goes back that the hub was not asked for, or comes again. */
export async function goBack(
  world: World,
  id: string,
  { how, part, word, soon }: { how: GoesBack; part: number; word: boolean; soon: boolean },
): Promise<void> {
  const payment = shownPayment(world, id)
  if (payment?.status !== 'paid') return
  // Not in the seconds in which the hub learns of the payment: there it takes a notification for
  // one of the payment.
  world.late.release()
  await world.settle()
  await moveTo(world, Date.now() + (soon ? SOON : MINUTE))
  const moved = MOVES[how](payment, part)
  if (moved === 'nothing') return
  world.psp.changed(payment, { word, own: moved === 'own' })
  if (word) await notifyNewest(world, 'once')
}

/** What has moved: nothing, or money; of a refund that is the hub's `own`, or not. */
type Moved = 'nothing' | 'own' | 'other'

/** What each move does to a payment. */
const MOVES: Record<GoesBack, (payment: Payment, part: number) => Moved> = {
  'refunded at the PSP': (payment, part) => {
    const amount = Math.min(part, payment.amount - takenOf(payment))
    if (amount <= 0) return 'nothing'
    const { id } = payment.refundThere(amount)
    payment.refundedAt.set(id, Date.now() - DAY)
    return 'other'
  },
  'charged back': (payment, part) => {
    const before = payment.chargedBack
    payment.chargedBack = Math.min(before + part, payment.amount)
    return payment.chargedBack > before ? 'other' : 'nothing'
  },
  'no longer charged back': (payment, part) => {
    const before = payment.chargedBack
    if (before === 0) return 'nothing'
    payment.chargedBack = Math.max(before - part, 0)
    return 'other'
  },
  'not refunded after all': (payment) => {
    const live = liveRefunds(payment)
    // Those of the hub first, also once they were done: it has to find out.
    const refund = live.find(({ hubId }) => hubId !== null) ?? live[0]
    if (refund) refund.state = 'failed'
    return refund === undefined ? 'nothing' : refund.hubId === null ? 'other' : 'own'
  },
}
