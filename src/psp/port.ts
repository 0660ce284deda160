import * as v from 'valibot'
import type { Status } from '../domain/job.ts'
import type { AnnounceAnswer, PullAnswer, Refused, Unavailable } from '../domain/psp-answer.ts'
import type { Mode } from '../domain/account.ts'

/**
 * A payment to be announced. `amount` is in ISO 4217 minor units; `job` is both reference and idempotency key. The
 * same job always makes the same charge: PSPs refuse an idempotency key that comes again with another request.
 */
export type PaymentRequest = {
  job: string
  currency: string
  amount: number
  description: string
  paymentMethod: string
  language: string
  /** The customer's, for PSPs that judge the risk of a payment by it. */
  ipAddress: string
  /** Where the customer comes back to. */
  returnUrl: string
  /** Where a customer comes back to who gave up, for a PSP that does not mark such a payment by itself. */
  cancelUrl: string
  /** The address of this job's own notifications, for a PSP that takes one with each payment. */
  notificationUrl: string
}

/**
 * A notification as it came in at `at` (ms). `job` is the job id that its address carries, where the address carries
 * one.
 */
export type Notification = { job: string | null; headers: Headers; body: string; at: number }

/**
 * A payment that a notification is about. `reference` is null where the notification does not carry the one that was
 * announced. `claimedStatus` is set where the PSP's API cannot tell what the notification does: it counts when a pull still
 * finds the payment PENDING.
 */
export type NotifiedPayment = { job: string; reference: string | null; claimedStatus: ClaimedStatus | null }
export type ClaimedStatus = Exclude<Status, 'PENDING' | 'SUCCESS'>

/** What a notification is about. It is a reason to pull. `unauthentic`: the PSP did not sign it. */
export type NotificationReading =
  | { is: 'about'; payments: NotifiedPayment[] }
  | { is: 'unauthentic' }
  | Unavailable

/** Whether an account's credentials work. */
export type Checked = { is: 'working' } | Refused | Unavailable

/** What the hub asks of a PSP. Every answer is data; a fault of the network or the PSP is `unavailable`. */
export type Psp = {
  /** Several requests may be needed; all of them end at the deadline. */
  announce(charge: PaymentRequest, deadline: AbortSignal): Promise<AnnounceAnswer>
  pull(reference: string, currency: string): Promise<PullAnswer>
  /** Ends a payment that nobody has paid yet, and says how it then stands. */
  stop(reference: string, currency: string): Promise<PullAnswer>
  readNotification(notification: Notification): Promise<NotificationReading>
  /** The body that the PSP wants to see in answer to a notification. */
  accepted: string
  /** An authenticated call that changes nothing. */
  check(): Promise<Checked>
}

export type Fetch = (request: Request) => Promise<Response>

/**
 * What an adapter works with. In test `mode` it is the PSP's test environment. `endpoint` replaces the PSP's own address, without a slash at its end: the sandbox, tests
 * and the local run set it.
 */
export type Connection<Credentials> = {
  fetch: Fetch
  mode: Mode
  credentials: Credentials
  endpoint?: string
}

type CredentialsSchema = v.GenericSchema<object> & { entries: Record<string, v.GenericSchema> }

export type PaymentMethods = ReadonlyMap<string, string | readonly string[]>

type Definition<Schema extends CredentialsSchema> = {
  /** An object of what the operator gives, each member with a `v.description`. */
  credentials: Schema
  /** The PSP's names of payment methods, by those that points of sale use, in small letters. */
  methods: PaymentMethods
  /** The mode that the credentials are of, where they show it. */
  modeOf?: (credentials: v.InferOutput<Schema>) => Mode | null
  open: (connection: Connection<v.InferOutput<Schema>>) => Psp
}

/** A PSP that accounts can be at. `open` throws when the credentials are not of its form. */
export type Adapter = {
  credentials: CredentialsSchema
  methods: PaymentMethods
  modeOf: (credentials: unknown) => Mode | null
  open: (connection: Connection<unknown>) => Psp
}

/** Makes an adapter that parses the credentials it is given. */
export const defineAdapter = <const Schema extends CredentialsSchema>({
  credentials: schema,
  methods,
  modeOf,
  open,
}: Definition<Schema>): Adapter => ({
  credentials: schema,
  methods,
  modeOf: (credentials) => modeOf?.(v.parse(schema, credentials)) ?? null,
  open: (connection) => open({ ...connection, credentials: v.parse(schema, connection.credentials) }),
})
