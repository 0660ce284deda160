/** A customer's action at the PSP or the passing of time, in the hub's words. */
export type Outcome = 'paid' | 'failed' | 'cancelled' | 'expired'

/** A notification as the PSP POSTs it. */
export type SentNotification = { url: string | null; headers: Record<string, string>; body: string }

/**
 * A PSP as the hub and the PSP's official client see it: its API, its customers and its notifications. It
 * does no I/O, so it runs both in workerd and behind a local port.
 */
export type FakePsp = {
  /** The PSP's default addresses, in test mode and in live mode. */
  origins: readonly string[]
  /** Credentials of two live accounts, in the adapter's form. */
  accounts: readonly [credentials: object, other: object]
  /** Outcomes of an attempt after which the customer can still pay. The default is none. */
  leavesOpen?: readonly Outcome[]
  /** What a customer approves pays only once the hub confirms it, and then without a sign of the customer's. */
  needsConfirmation?: true
  /** Answers a request as the PSP's API does, refusals included. */
  handle: (request: Request) => Promise<Response>
  /** Gives the payment of a job an outcome. Throws if there is no payment or it has ended. */
  bring: (job: string, outcome: Outcome) => void
  /**
   * The PSP's notifications about the current state of a payment; empty if it sends none. `at` (ms) is when
   * the PSP signs them. `url` is the address given with the payment; null if the PSP has one address per
   * account.
   */
  notify: (job: string, at: number) => Promise<SentNotification[]>
}
