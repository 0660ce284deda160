import type { PatienceTable } from '../../src/psp/answer.ts'
import type { Manner } from './commands.ts'
import type { SentNotification } from '../support/psps/fake-psp.ts'

/** The status of a payment, in words common to all PSPs. */
export type PspStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'failed' | 'expired'

/**
 * A refund or capture at a PSP. `hubId`: the hub's id of it, or its beginning; null if made at the PSP
 * itself.
 */
export type HeldMove = {
  readonly id: string
  readonly amount: number
  readonly hubId: string | null
  state: 'pending' | 'done' | 'failed'
}

/** Money reserved for a later capture, and how much of it was captured and released (minor units). */
export type Reservation = { authorized: number; captured: number; released: number }

/** A payment in its PSP's double. Times are in ms, amounts in minor units. */
export type HeldPayment = {
  readonly id: string
  readonly job: string
  readonly amount: number
  /** The PSP's name of the payment method; null if the customer chooses. */
  readonly method: string | null
  readonly checkoutUrl: string
  readonly expiresAt: number | null
  /** Whether money may still arrive after the PSP reported an end. */
  readonly mayComeLate: boolean
  /** Whether a customer's cancel ends the payment. Otherwise the hub has to stop it. */
  readonly endsWhenCancelled: boolean
  /** Pays a part by gift card; missing if the PSP takes none. */
  payPart?: (amount: number) => void
  status: PspStatus
  chargedBack: number
  readonly refunds: readonly HeldMove[]
  /** Whether the shop captures manually what the PSP reserves. */
  readonly isManual: boolean
  /** Null if nothing was reserved. */
  readonly reservation: Reservation | null
  readonly captures: readonly HeldMove[]
  /** Makes a capture at the PSP itself. A final one releases the rest. */
  captureByHand: (amount: number, isFinal: boolean) => void
  /** Releases what is reserved: by hand at the PSP, or at the hub's request. */
  letGo: () => void
  /** Releases what was reserved for long enough. */
  lapse: () => void
  /** Makes a refund at the PSP itself. Returns null if that is impossible. */
  refundByHand: (amount: number) => HeldMove | null
  /** The terminal of the payment; null for a payment page. */
  atTerminal: PlayedTerminal | null
  /** Returns the path to which the PSP sends the customer back. */
  returnPath: (hasCancelled: boolean) => string
}

/**
 * A terminal, for one payment. `isSent`: the PSP has sent the payment to it. `isWaiting`: it waits for a
 * card. `readCard`: from then on nobody can cancel. `addTip`: raises the amount (minor units).
 */
export type PlayedTerminal = {
  isSent: () => boolean
  isWaiting: () => boolean
  readCard: () => void
  addTip: (tip: number) => void
  isConnected: (is: boolean) => void
}

/** What a request to a PSP is for. */
export type RequestKind = 'announce' | 'look' | 'stop' | 'capture' | 'release' | 'refund' | 'other'

/** The first or the second account at a PSP. */
export type Nth = 0 | 1

/** Returns the name of an account: that of its PSP, with `-2` for the second one. */
export function accountName(psp: string, nth: Nth): string {
  return nth === 0 ? psp : `${psp}-2`
}

/** Returns the path and query of an address. */
export function pathOf(url: string | null | undefined): string {
  const { pathname, search } = new URL(url ?? '')
  return pathname + search
}

/** Returns the status of a payment with reserved money. */
export function statusOfReserved({ authorized, captured, released }: Reservation): PspStatus {
  if (authorized > captured + released) return 'authorized'
  return captured > 0 ? 'paid' : 'canceled'
}

/** A simulated account: the PSP's double, and the meaning of requests to it. */
export type PlayedAccount = {
  readonly name: string
  readonly psp: string
  readonly hosts: readonly string[]
  readonly patience: PatienceTable
  /**
   * Returns its credentials after `key` changes of its key, as an operator enters them. Each key begins with
   * the first one.
   */
  credentials: (key: number) => object
  /**
   * The header that authenticates the hub, and its value. `atTerminals`: the value for terminals, if they
   * have another key.
   */
  proof: { header: string; of: (key: number) => string; atTerminals?: string }
  /** Adds a terminal for payments in a currency; missing if the simulation has no terminals of this PSP. */
  addTerminal?: (id: string, currency: string) => void
  /** Makes the next orders time out on their way to the terminal, which gets them or not. */
  addTimeouts?: (how: 'reached' | 'lost', orders: number) => void
  /** Whether it takes payments in a currency. */
  takes: (currency: string) => boolean
  /** How long money stays reserved after the customer paid. */
  reserves: 'until the hub asks for it' | 'until it is let go' | 'never'
  /** Whether it repeats a notification until the hub accepts it. */
  repeats: boolean
  /** Whether a refund counts only once it is done. Otherwise it counts from the start. */
  countsWhenDone: boolean
  /**
   * Whether its API shows the refunds of a payment. Otherwise, if the answer to one is lost, only a
   * notification shows it.
   */
  showsRefunds: boolean
  /** Answers a request, which must have the first key. */
  handle: (request: Request) => Promise<Response>
  /** Returns all payments, oldest first, as the same objects each time. */
  held: () => readonly HeldPayment[]
  /** Returns what a request is for, its payment if there is one, and its idempotency key. */
  read: (request: Request) => Promise<{ kind: RequestKind; payment: HeldPayment | null; key: string }>
  /** Sets how long (ms) new payments can be paid, if the PSP has a choice. */
  setLifetime: (life: number | null) => void
  forgetKeys: () => void
  /** How this PSP carries out the next captures and releases: at once, late, or not at all. */
  setManner: (manner: Manner) => void
  /**
   * Its errors: it refuses an order or refund, does not know a payment, is busy with the same request, or
   * rejects the key.
   */
  refusal: () => Response
  notFound: () => Response
  busy: (request: Request) => Response
  wrongKey: () => Response
  /**
   * Returns its notifications about a payment as it is now. `url` is null if the account has one address for
   * all.
   */
  notifications: (payment: HeldPayment) => Promise<SentNotification[]>
}
