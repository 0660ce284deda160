import type { AnnounceAnswer, PullAnswer } from '../domain/psp-answer.ts'

/** A payment to be announced. `amount` is in ISO 4217 minor units; `job` is both reference and idempotency key. */
export type Charge = {
  job: string
  currency: string
  amount: number
  description: string
  paymentMethod: string
  language: string
  returnUrl: string
  notificationUrl: string
}

/** A notification as it came in. `job` is the job id that its address carries, where the address carries one. */
export type Notification = { job: string | null; headers: Headers; body: string }

/** What a notification is about. It is a reason to pull, never a fact. */
export type NotificationReading =
  | { is: 'about'; payments: { job: string; reference: string | null }[] }
  | { is: 'unauthentic' }

/** What the hub asks of a PSP. Every answer is data; a fault of the network or the PSP is `unavailable`. */
export type Psp = {
  announce(charge: Charge): Promise<AnnounceAnswer>
  pull(reference: string, currency: string): Promise<PullAnswer>
  /** Ends a payment that nobody has paid yet, and says how it then stands. */
  stop?(reference: string, currency: string): Promise<PullAnswer>
  readNotification(notification: Notification): Promise<NotificationReading>
}

export type Fetch = (request: Request) => Promise<Response>

/** What an adapter works with. `endpoint` replaces the PSP's own address: the sandbox and tests set it. */
export type Connection = { fetch: Fetch; credentials: unknown; endpoint?: string }

/** Makes a PSP of an account's connection. Throws when the credentials are not of its form. */
export type Adapter = (connection: Connection) => Psp
