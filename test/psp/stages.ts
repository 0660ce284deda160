import type { FakePsp, SentNotification } from '../support/psps/fake-psp.ts'

/** What an operator of the shop does at the PSP. Returns the notifications, if they are not the usual ones. */
export type Act = (job: string, amount: number) => Promise<SentNotification[] | Response>

/**
 * The double of a PSP, and what customers, banks and the shop's operators do there. A missing member: nobody can do
 * that, or only the PSP's own tests play it.
 */
export type Stage = {
  fake: FakePsp
  /** The method whose money the PSP reserves, if that is not a card. */
  method?: string
  byHand: { capture: Act; cancel: Act; refund?: Act }
  /** The first capture ends the reservation, as far as the hub knows. */
  isOnce?: true
  /** A capture that was made fails after all. */
  failCapture?: (job: string) => void
  /** The PSP carries out the refunds that it accepted. */
  endRefunds?: (job: string) => unknown
  /** The PSP's total has a refund only once its money is on its way. */
  countsRefundsLate?: true
  /** A terminal, and the credentials that it needs besides those of the first account, if the hub drives terminals. */
  terminal?: { id: string; credentials?: object }
  /** What happens at the terminal. */
  counter?: Counter
}

/**
 * The card that pays at the terminal, and what it does. `pay`: the customer pays, with a tip in cents. `payLate` throws if the
 * payment is over. `told`: what the PSP then sends to the hub.
 */
export type Counter = {
  card: { brand: string; lastFour: string }
  pay: (job: string, tip?: number) => void
  payLate: (job: string) => void
  told: (job: string) => Promise<SentNotification[]>
  /** The bank declines the card, but the customer may enter a PIN. */
  declineSoftly?: (job: string) => void
}

/** Opens a PSP's stage. `captures`: how often an account may capture whose PSP allows several on request. */
export type Open = (terminal?: string, captures?: 'once' | 'several') => Stage

// With a type argument here, Vitest would keep the list of files of an earlier run.
const FILES: Record<string, { stage: Open }> = import.meta.glob('./*/stage.ts', { eager: true })

/** The stage of each PSP, by the name of its folder. */
export const STAGES: Readonly<Record<string, Open>> = Object.fromEntries(
  Object.entries(FILES).map(([path, { stage }]) => [path.split('/')[1], stage]),
)

/** Sends JSON to a double, as the PSP's own dashboard does. */
export function sendJson(fake: FakePsp, method: string, url: string, headers: object, body?: object) {
  const sent = { method, headers: { 'content-type': 'application/json', ...headers } }
  return fake.handle(new Request(url, body ? { ...sent, body: JSON.stringify(body) } : sent))
}
