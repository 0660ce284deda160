import type { Session } from '../support/psps/stripe-objects.ts'
import type { StripeFake } from '../support/psps/stripe.ts'
import { type Reader, fail } from '../support/psps/stripe-terminal.ts'
import type { Nth, PlayedTerminal, PspStatus } from './played-psp.ts'

/** How long (ms) a reader works on a card before it waits for another. */
const AUTHORISES = 120_000

/** A reader, and when (ms) it last read a card. */
export type PlayedReader = Reader & { readAt: number }

export function newPlayedReader(stripe: StripeFake, id: string, nth: Nth): PlayedReader {
  return Object.assign(stripe.addReader({ id }, nth), { readAt: 0 })
}

export function passTimeAt(readers: readonly PlayedReader[]): void {
  for (const reader of readers) reader.isAuthorising &&= Date.now() < reader.readAt + AUTHORISES
}

/** The failure code after the customer pressed the reader's red key. */
const CALLED_OFF = 'customer_canceled'

const CARDS: Partial<Record<PspStatus, string>> = { paid: '4242424242424242', failed: '4000000000000002' }

/**
 * A payment intent at a reader. `become`: the customer presents a card, or presses the red key. Only the hub
 * ends the intent itself.
 */
export function atReader(stripe: StripeFake, made: Session, readers: readonly PlayedReader[]) {
  const waiting = () =>
    readers.find(({ action }) => action?.intent === made.id && action.status === 'in_progress')
  let tip = 0
  const terminal: PlayedTerminal = {
    isSent: () => waiting() !== undefined,
    isWaiting: () => waiting() !== undefined,
    readCard() {
      const reader = waiting()
      if (reader) Object.assign(reader, { isAuthorising: true, readAt: Date.now() })
    },
    addTip: (more) => void (tip += more),
    isConnected(is) {
      for (const reader of readers) reader.status = is ? 'online' : 'offline'
    },
  }
  const isCalledOff = () =>
    readers.some(({ action }) => action?.intent === made.id && action.failure_code === CALLED_OFF)
  const become = (status: PspStatus): void => {
    const reader = waiting()
    if (reader?.action && status === 'expired') fail(reader.action, CALLED_OFF)
    const card = CARDS[status]
    if (!reader || !card) return
    stripe.present(
      reader,
      new Map([
        ['card_present[number]', card],
        ['amount_tip', String(tip)],
      ]),
    )
  }
  return { terminal, become, isCalledOff }
}
