import { DAY, MINUTE } from '../../src/contract/timestamp.ts'
import type { AtPsp, GoesBack, WayOn } from './commands.ts'
import { shownPayment } from './customer.ts'
import { notifyNewest } from './messages.ts'
import { type Payment, heldOf, liveRefunds, takenBy, takenOf } from './payments.ts'
import type { HeldMove } from './played-psp.ts'
import { moveTo } from './time.ts'
import type { World } from './world.ts'

/**
 * Money that was under way or reserved arrives at the PSP, or is released; or its customer may try
 * again, where the PSP lets them.
 */
export async function moveOn(world: World, id: string, how: WayOn, word: boolean): Promise<void> {
  const payment = shownPayment(world, id)
  if (payment?.status !== 'pending' && payment?.status !== 'authorized') return
  if (payment.reservation) {
    const ways = { arrives: 'captures the rest', 'does not come': 'lets go' } as const
    return moveReserved(
      world,
      id,
      how === 'is given up for another try' ? 'captures a part' : ways[how],
      word,
    )
  }
  const released = payment.status === 'authorized' ? 'expired' : 'failed'
  const isAgain = how === 'is given up for another try' && payment.at.psp === 'mollie'
  const isInTime = (payment.expiresAt ?? 0) > Date.now()
  world.psp.becomes(payment, isAgain && isInTime ? 'open' : how === 'arrives' ? 'paid' : released, word)
  if (word) await notifyNewest(world, 'once')
}

/** Somebody captures reserved money at the PSP, or lets go of it; or a capture fails after all. */
export async function moveReserved(world: World, id: string, how: AtPsp, word: boolean): Promise<void> {
  const payment = shownPayment(world, id)
  if (!payment?.reservation) return
  await afterAnswers(world, SOON)
  world.psp.moves(payment, () => RESERVED[how](payment), { word, own: false })
  if (word) await notifyNewest(world, 'once')
}

/** A capture may fail that was done, but at Stripe; not one whose money has gone back since. */
function mayFail({ amount, state }: HeldMove, payment: Payment): boolean {
  const isLeft = takenBy(payment) - amount >= takenOf(payment)
  return payment.at.psp !== 'stripe' && state === 'done' && isLeft
}

const RESERVED: Record<AtPsp, (payment: Payment) => void> = {
  'captures a part': (payment) => {
    if (heldOf(payment) > PART) payment.captureThere(PART, false)
  },
  'captures the rest': (payment) => {
    const rest = heldOf(payment) - underWay(payment)
    if (rest > 0) payment.captureThere(rest, true)
  },
  'lets go': (payment) => {
    if (heldOf(payment) > 0 && underWay(payment) === 0) payment.letGo()
  },
  'fails a capture': (payment) => {
    const capture = payment.captures.find((one) => mayFail(one, payment))
    if (capture) capture.state = 'failed'
  },
}

/** What the PSP is capturing. */
function underWay({ captures }: Payment): number {
  return captures.filter(({ state }) => state === 'pending').reduce((sum, { amount }) => sum + amount, 0)
}

/** What is captured by hand. */
const PART = 400

/** More (ms) than the hub shares an answer for, with what the clock may step back meanwhile. */
const SOON = 9000

/**
 * Not in the seconds in which the hub learns of the payment: there it takes a notification of what
 * moves for one of the payment. What it asks for at the same moment is the PSP's to refuse.
 */
async function afterAnswers(world: World, ms: number): Promise<void> {
  world.late.release()
  await world.settle()
  await moveTo(world, Date.now() + ms)
}

/** Money goes back that the hub was not asked for, or comes again. */
export async function goBack(
  world: World,
  id: string,
  { how, part, word, soon }: { how: GoesBack; part: number; word: boolean; soon: boolean },
): Promise<void> {
  const { psp } = world
  const payment = shownPayment(world, id) ?? psp.of(id).find((one) => psp.begun.has(one))
  if (!payment || takenBy(payment) === 0) return
  await afterAnswers(world, soon ? SOON : MINUTE)
  const moved = MOVES[how](payment, part)
  if (moved === 'nothing') return
  psp.changed(payment, { word, own: moved === 'own' })
  if (word) await notifyNewest(world, 'once')
}

/** What has moved: nothing, or money; of a refund that is the hub's `own`, or not. */
type Moved = 'nothing' | 'own' | 'other'

/** What each move does to a payment. */
const MOVES: Record<GoesBack, (payment: Payment, part: number) => Moved> = {
  'refunded at the PSP': (payment, part) => {
    const amount = Math.min(part, takenBy(payment) - takenOf(payment))
    if (amount <= 0) return 'nothing'
    const made = payment.refundThere(amount)
    if (made) payment.madeAt.set(made.id, Date.now() - DAY)
    return made ? 'other' : 'nothing'
  },
  'charged back': (payment, part) => {
    const before = payment.chargedBack
    payment.chargedBack = Math.min(before + part, takenBy(payment))
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
