/** What happens to a payment at its PSP, in the hub's words: the customer acts, or time passes. */
export type Outcome = 'paid' | 'failed' | 'cancelled' | 'expired'

/** A notification as the PSP POSTs it. */
export type SentNotification = { url: string | null; headers: Record<string, string>; body: string }

/**
 * A PSP as far as the hub and its own official client see it: its API, its customers, and its
 * notifications. It does no I/O, so it plays its part in workerd and behind a port of this machine
 * alike.
 */
export type FakePsp = {
  /** Where the adapter finds the PSP when nothing else is said, in test mode and in live mode. */
  origins: readonly string[]
  /** Credentials of two accounts, in the form the adapter asks for, both of live mode. */
  accounts: readonly [credentials: object, other: object]
  /** Outcomes of one attempt after which the payment can still be paid. None, unless given. */
  leavesOpen?: readonly Outcome[]
  /** Answers a request to the PSP's API as the PSP does, its refusals included. */
  handle: (request: Request) => Promise<Response>
  /**
   * The payment announced under a job's id meets an outcome. Throws when there is none, or when it
   * has ended.
   */
  bring: (job: string, outcome: Outcome) => void
  /**
   * The notifications that the PSP sends of a payment as it stands. `at` (ms) is when it signs
   * them. `url` is the address that was given with the payment; null where the PSP has one for its
   * whole account. Empty where the PSP sends none for this outcome.
   */
  notify: (job: string, at: number) => Promise<SentNotification[]>
}
