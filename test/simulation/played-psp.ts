import type { PatienceTable } from '../../src/psp/answer.ts'
import type { Manner } from './commands.ts'
import type { SentNotification } from '../support/psps/fake-psp.ts'

/** How a payment stands at its PSP, in words for all of them. */
export type PspStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'failed' | 'expired'

/**
 * A refund or a capture as a PSP holds it. `hubId` is the hub's own id of it, or how that begins; null
 * for one that was made at the PSP itself.
 */
export type HeldMove = {
  readonly id: string
  readonly amount: number
  readonly hubId: string | null
  state: 'pending' | 'done' | 'failed'
}

/** Money that a PSP reserved for a later capture, of which so much is captured, and so much let go. */
export type Reservation = { authorized: number; captured: number; released: number }

/** A payment as the double of its PSP holds it. Times are in milliseconds, amounts in minor units. */
export type HeldPayment = {
  readonly id: string
  readonly job: string
  readonly amount: number
  /** The PSP's own name of the payment method; null where the customer chooses one. */
  readonly method: string | null
  readonly checkoutUrl: string
  readonly expiresAt: number | null
  /** Whether money may still come after the PSP has told an end. */
  readonly mayComeLate: boolean
  /**
   * Whether a customer who cancels ends the payment there. Else it stays open, and the hub has to
   * stop it.
   */
  readonly endsWhenCancelled: boolean
  /** A customer pays a part of it, by a gift card. Only where the PSP takes any. */
  payPart?: (amount: number) => void
  status: PspStatus
  chargedBack: number
  readonly refunds: readonly HeldMove[]
  /** Whether the shop captures by itself what the PSP reserves. */
  readonly isManual: boolean
  /** Null while nothing was reserved for a capture. */
  readonly reservation: Reservation | null
  readonly captures: readonly HeldMove[]
  /** A capture that is made at the PSP itself. A final one lets go of the rest. */
  captureThere: (amount: number, isFinal: boolean) => void
  /** What is held is let go: by hand at the PSP, or because the hub has asked for it. */
  letGo: () => void
  /** Lets go of what was held for long enough. */
  lapse: () => void
  /** A refund that is made at the PSP itself; null where it cannot be. */
  refundThere: (amount: number) => HeldMove | null
  /** The terminal at which it is paid, and what happens there; null for a payment on a page. */
  atTerminal: PlayedTerminal | null
  /** Where the PSP sends the customer back to. */
  backTo: (hasCancelled: boolean) => string
}

/**
 * `isSent`: the PSP has sent the payment to the terminal. `isWaiting`: the terminal waits for a card. `readCard`: from
 * then on nobody can cancel the payment. `addTip`: it is of so much more (minor units).
 */
export type PlayedTerminal = {
  isSent: () => boolean
  isWaiting: () => boolean
  readCard: () => void
  addTip: (tip: number) => void
  isConnected: (is: boolean) => void
}

/** What a request asks of a PSP. */
export type Asked = 'announce' | 'look' | 'stop' | 'capture' | 'release' | 'refund' | 'other'

/** The first or the second account at a PSP. */
export type Nth = 0 | 1

/** The name of an account: that of its PSP, or `mollie-2`. */
export function accountName(psp: string, nth: Nth): string {
  return nth === 0 ? psp : `${psp}-2`
}

/** An account at a PSP as the simulation moves it: the PSP's double, and what requests mean there. */
export type PlayedAccount = {
  readonly name: string
  readonly psp: string
  readonly host: string
  readonly patience: PatienceTable
  /**
   * Its credentials after so many changes of its key, as an operator gives them to the hub. Each key
   * begins with the first one.
   */
  credentials: (key: number) => object
  /** What the hub says with them, in which header. `atTerminals`: about terminals, if that is a key of its own. */
  proof: { header: string; of: (key: number) => string; atTerminals?: string }
  /** It has a terminal of this id for payments in a currency. Missing where terminals are not played. */
  hasTerminal?: (id: string, currency: string) => void
  /** So many of the next orders time out on their way to its terminal, which gets them or not. */
  timesOut?: (how: 'reached' | 'lost', orders: number) => void
  /** Whether it takes payments in a currency. */
  takes: (currency: string) => boolean
  /** How long money stays reserved that a customer has promised. */
  reserves: 'until the hub asks for it' | 'until it is let go' | 'never'
  /** Whether it notifies until a notification is taken, whatever got lost before. */
  repeats: boolean
  /** Whether a refund counts only once it is done. Else it does from the first. */
  countsWhenDone: boolean
  /**
   * Whether its API shows the refunds of a payment. Else one whose answer was lost is told by its
   * notification, if it was made.
   */
  showsRefunds: boolean
  /** Answers a request that comes with the first key. */
  handle: (request: Request) => Promise<Response>
  /**
   * All payments, in the order in which they were made; the same one is the same object each time.
   */
  held: () => readonly HeldPayment[]
  /** What a request asks, of which payment if there is one, and with which idempotency key. */
  read: (request: Request) => Promise<{ asked: Asked; payment: HeldPayment | null; key: string }>
  /** How long (ms) payments to come can be paid, where the PSP lets that be chosen. */
  lives: (life: number | null) => void
  forgetsKeys: () => void
  /** How it carries out what is asked for from now on, where it can take its time or fail. */
  behaves: (manner: Manner) => void
  /**
   * Its errors: an order or a refund is refused, a payment is not known, the same request is under
   * way, the key is wrong.
   */
  refuses: () => Response
  knowsNone: () => Response
  isBusy: () => Response
  refusesKey: () => Response
  /**
   * What it sends of a payment as it stands. `url` is null where the PSP has an address for the
   * whole account.
   */
  notifications: (payment: HeldPayment) => Promise<SentNotification[]>
}
