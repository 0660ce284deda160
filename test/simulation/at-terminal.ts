import type { AtTerminal } from './commands.ts'
import { notifyNewest } from './messages.ts'
import type { Payment } from './payments.ts'
import type { PspStatus } from './played-psp.ts'
import type { World } from './world.ts'

/** What a customer gives on top (minor units). */
const TIP = 200

const ENDS: Partial<Record<AtTerminal, PspStatus>> = {
  'the card pays': 'paid',
  'the customer gives a tip': 'paid',
  'the card is declined': 'failed',
  'nobody comes': 'expired',
}

/** Something happens at the terminal of a job, of which the hub is notified where there is a `word` of it. */
export async function happenAtTerminal(
  world: World,
  id: string,
  what: AtTerminal,
  word: boolean,
): Promise<void> {
  await world.rested()
  world.psp.tick()
  const payment = world.psp.of(id).findLast(({ atTerminal }) => atTerminal !== null)
  if (!payment?.atTerminal) return
  if (what === 'it loses its connection' || what === 'it is connected again')
    return payment.atTerminal.isConnected(what === 'it is connected again')
  // A card that was declined may be followed by another.
  if (!['open', 'failed'].includes(payment.status) || !payment.atTerminal.isWaiting()) return
  if (what === 'the card is read') return payment.atTerminal.readCard()
  if (what === 'the customer gives a tip') payment.atTerminal.addTip(TIP)
  await comesToItsEnd(world, payment, ENDS[what] ?? 'paid', word)
}

async function comesToItsEnd(world: World, payment: Payment, end: PspStatus, word: boolean): Promise<void> {
  world.psp.becomes(payment, end, word)
  if (word) await notifyNewest(world, 'once')
}
