import type { TerminalEvent } from './commands.ts'
import { notifyNewest } from './messages.ts'
import type { PspStatus } from './played-psp.ts'
import type { World } from './world.ts'

/** The tip of a customer (minor units). */
const TIP = 200

/** How many pauses (of 1 ms) an order may take to its terminal, if it gets there. */
const ARRIVES_WITHIN = 100

const ENDS: Partial<Record<TerminalEvent, PspStatus>> = {
  'the card pays': 'paid',
  'the customer gives a tip': 'paid',
  'the card is declined': 'failed',
  'nobody comes': 'expired',
}

/** Plays an event at a job's terminal. `notifies`: the PSP notifies the hub. */
export async function happenAtTerminal(
  world: World,
  id: string,
  what: TerminalEvent,
  notifies: boolean,
): Promise<void> {
  await world.idle()
  // The hub needs several requests to begin at a terminal, with pauses between them.
  const ofJob = () => world.psp.of(id).filter(({ atTerminal }) => atTerminal !== null)
  const isThere = () => ofJob().some(({ atTerminal, status }) => status !== 'open' || atTerminal?.isWaiting())
  if (!world.late.anyHeld()) await world.late.doneWhen(isThere, ARRIVES_WITHIN)
  world.psp.tick()
  const payment = ofJob().at(-1)
  if (!payment?.atTerminal) return
  if (what === 'it loses its connection' || what === 'it is connected again')
    return payment.atTerminal.isConnected(what === 'it is connected again')
  // After a declined card, the customer may try another.
  if (!['open', 'failed'].includes(payment.status) || !payment.atTerminal.isWaiting()) return
  if (what === 'the card is read') return payment.atTerminal.readCard()
  if (what === 'the customer gives a tip') payment.atTerminal.addTip(TIP)
  world.psp.setStatus(payment, ENDS[what] ?? 'paid', notifies)
  if (notifies) await notifyNewest(world, 'once')
}
