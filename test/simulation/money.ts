import { DAY, MINUTE } from '../../src/contract/timestamp.ts'
import type { ReservationEvent, MoneyMove, PendingOutcome } from './commands.ts'
import { shownPayment } from './customer.ts'
import { notifyNewest } from './messages.ts'
import { type Payment, heldOf, liveRefunds, receivedBy, goneBackOf } from './payments.ts'
import type { HeldMove } from './played-psp.ts'
import { moveTo } from './time.ts'
import type { World } from './world.ts'

/**
 * Settles money that is under way or reserved: it arrives, or does not come, or the customer tries again if
 * the PSP allows that.
 */
export async function moveOn(
  world: World,
  id: string,
  how: PendingOutcome,
  notifies: boolean,
): Promise<void> {
  const payment = shownPayment(world, id)
  if (payment?.status !== 'pending' && payment?.status !== 'authorized') return
  if (payment.reservation) {
    const ways = { arrives: 'captures the rest', 'does not come': 'lets go' } as const
    return moveReserved(
      world,
      id,
      how === 'is given up for another try' ? 'captures a part' : ways[how],
      notifies,
    )
  }
  const released = payment.status === 'authorized' ? 'expired' : 'failed'
  const isAgain = how === 'is given up for another try' && payment.at.psp === 'mollie'
  const isInTime = (payment.expiresAt ?? 0) > Date.now()
  world.psp.setStatus(payment, isAgain && isInTime ? 'open' : how === 'arrives' ? 'paid' : released, notifies)
  if (notifies) await notifyNewest(world, 'once')
}

/** Captures or releases reserved money at the PSP itself, or fails a capture after all. */
export async function moveReserved(
  world: World,
  id: string,
  how: ReservationEvent,
  notifies: boolean,
): Promise<void> {
  const payment = shownPayment(world, id)
  if (!payment?.reservation) return
  await afterAnswers(world, SOON)
  world.psp.noteMove(payment, () => RESERVED[how](payment), { notifies, byHub: false })
  if (notifies) await notifyNewest(world, 'once')
}

/** Returns whether a completed capture may still fail: not at Stripe, nor once its money has gone back. */
function mayFail({ amount, state }: HeldMove, payment: Payment): boolean {
  const isLeft = receivedBy(payment) - amount >= goneBackOf(payment)
  return payment.at.psp !== 'stripe' && state === 'done' && isLeft
}

const RESERVED: Record<ReservationEvent, (payment: Payment) => void> = {
  'captures a part': (payment) => {
    if (heldOf(payment) > PART) payment.captureByHand(PART, false)
  },
  'captures the rest': (payment) => {
    const rest = heldOf(payment) - underWay(payment)
    if (rest > 0) payment.captureByHand(rest, true)
  },
  'lets go': (payment) => {
    if (heldOf(payment) > 0 && underWay(payment) === 0) payment.letGo()
  },
  'fails a capture': (payment) => {
    const capture = payment.captures.find((made) => mayFail(made, payment))
    if (capture) capture.state = 'failed'
  },
}

/** Returns the sum of pending captures. */
function underWay({ captures }: Payment): number {
  return captures.filter(({ state }) => state === 'pending').reduce((sum, { amount }) => sum + amount, 0)
}

/** The amount of a capture by hand (minor units). */
const PART = 400

/** Longer (ms) than the hub shares an answer, even if the clock steps back meanwhile. */
const SOON = 9000

/**
 * Waits until no answer about the payment is on its way or shared: before that the hub would take a
 * notification of this move for one of the payment.
 */
async function afterAnswers(world: World, ms: number): Promise<void> {
  world.late.release()
  await world.settle()
  await moveTo(world, Date.now() + ms)
}

/** Moves money back without a request to the hub, or undoes that. */
export async function goBack(
  world: World,
  id: string,
  { how, part, notifies, soon }: { how: MoneyMove; part: number; notifies: boolean; soon: boolean },
): Promise<void> {
  const { psp } = world
  const payment = shownPayment(world, id) ?? psp.of(id).find((begun) => psp.begun.has(begun))
  if (!payment || receivedBy(payment) === 0) return
  await afterAnswers(world, soon ? SOON : MINUTE)
  const moved = MOVES[how](payment, part)
  if (moved === 'nothing') return
  psp.noteChange(payment, { notifies, byHub: moved === 'refund of the hub' })
  if (notifies) await notifyNewest(world, 'once')
}

/** What moved: nothing, a refund of the hub, or other money. */
type Moved = 'nothing' | 'refund of the hub' | 'other'

/** Makes a move, and returns what moved. */
const MOVES: Record<MoneyMove, (payment: Payment, part: number) => Moved> = {
  'refunded at the PSP': (payment, part) => {
    const amount = Math.min(part, receivedBy(payment) - goneBackOf(payment))
    if (amount <= 0) return 'nothing'
    const made = payment.refundByHand(amount)
    if (made) payment.madeAt.set(made.id, Date.now() - DAY)
    return made ? 'other' : 'nothing'
  },
  'charged back': (payment, part) => {
    const before = payment.chargedBack
    payment.chargedBack = Math.min(before + part, receivedBy(payment))
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
    // The hub's refunds first, even completed ones: it has to find out.
    const refund = live.find(({ hubId }) => hubId !== null) ?? live[0]
    if (refund) refund.state = 'failed'
    return refund === undefined ? 'nothing' : refund.hubId === null ? 'other' : 'refund of the hub'
  },
}
