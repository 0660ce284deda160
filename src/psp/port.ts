import * as v from 'valibot'
import type { Result } from '../contract/result.ts'
import type { Status } from '../contract/values.ts'
import type { AskAnswer, Refused, Unavailable, Told, RefundAnswer, AnnounceAnswer } from './answer.ts'
import type { PayoutSource, PayoutWithLines } from './payouts.ts'
import type { Mode } from '../registry/profile.ts'

/**
 * A payment that the hub announces at a PSP. The same job always makes the same request: PSPs
 * refuse an idempotency key that comes again with another one.
 */
export type PaymentRequest = {
  /** The id of the job: the PSP's reference to it, and the idempotency key of the request. */
  job: string
  /**
   * Tells this order from another one under the same id: the hash of what the point of sale asked
   * for.
   */
  fingerprint: string
  /** An active ISO 4217 code. */
  currency: string
  /** In minor units of ISO 4217. An adapter turns them into the PSP's own units. */
  amount: number
  /** What the customer reads: the order's number. An adapter shortens it to what the PSP takes. */
  description: string
  /**
   * As the point of sale writes it, in any case. A name that the PSP does not have leaves the
   * choice to the customer.
   */
  paymentMethod: string
  /** A BCP 47 tag as the point of sale writes it. */
  language: string
  /** The customer's, for PSPs that judge the risk of a payment by it. */
  ipAddress: string
  /** Where the PSP sends the customer back to. */
  returnUrl: string
  /**
   * Where the PSP sends a customer back to who gave up, if it does not tell such a payment from
   * others by itself.
   */
  cancelUrl: string
  /** Where the PSP sends the notifications of this payment, if it takes an address with each. */
  notificationUrl: string
}

/**
 * A notification that came in at `at` (ms). `job` is the id in the address that it was sent to,
 * null where that has none.
 */
export type Notification = { job: string | null; headers: Headers; body: string; at: number }

/**
 * A payment that a notification is about. `reference` is the PSP's id of it, null where the
 * notification does not have that. `claimedStatus` is what the notification says where the PSP's
 * API cannot: it counts when an answer still has the payment PENDING. `told` is what the API never
 * tells: it is remembered before anything is asked.
 */
export type NotifiedPayment = {
  job: string
  reference: string | null
  claimedStatus: ClaimedStatus | null
  told?: Told
}
export type ClaimedStatus = Exclude<Status, 'PENDING' | 'SUCCESS'>

/**
 * What a notification is about: a reason to ask. `reports` names files of payouts that the PSP has
 * ready. `unsigned`: the PSP signs none, so anybody may
 * have sent it. `unauthentic`: it is not signed by the PSP. `item` says which of several items is
 * not, counted from one.
 */
export type NotificationReading =
  | { is: 'about'; payments: NotifiedPayment[]; reports?: string[]; unsigned?: true }
  | { is: 'unauthentic'; item?: number }
  | Unavailable

/**
 * A payment that money goes back from. `payment` is the PSP's other reference of it, where only a
 * notification tells that; of the part that the money goes back to, where several paid the order.
 */
export type PaidPayment = { job: string; reference: string; payment: string | null }

/**
 * A refund as a PSP is asked for it. `amount` is in minor units of ISO 4217. `round` counts how
 * often the hub has asked: before the second round the PSP said that it made none yet.
 */
export type RefundRequest = {
  id: string
  amount: number
  currency: string
  description: string
  round: number
}

/** Why a file of payouts cannot be booked: one that cannot be read now is asked for again. */
export type ReportFault = { is: 'unavailable' } | { is: 'unreadable'; why: string }

/** Whether an account's credentials work. */
export type Checked = { is: 'working' } | Refused | Unavailable

/**
 * What the hub asks of an account at a PSP. Nothing here throws: every answer is data, and a fault
 * of the network or of the PSP is `unavailable`.
 */
export type Psp = {
  /**
   * Makes the payment at the PSP. That may take several requests; all of them end at the deadline.
   */
  announce(payment: PaymentRequest, deadline: AbortSignal): Promise<AnnounceAnswer>
  /** Asks how a payment stands. */
  ask(reference: string, currency: string): Promise<AskAnswer>
  /**
   * Which job a payment is of, by what the hub gave the PSP with it. Null where the account has no
   * such payment, and while the PSP does not answer. Where the reference is the id of the job,
   * nobody has to ask.
   */
  jobOf?(reference: string): Promise<string | null>
  /** Ends a payment that nobody has paid yet, and says how it then stands. */
  stop(reference: string, currency: string): Promise<AskAnswer>
  /**
   * Captures what is reserved, and says how the payment then stands. Only where the PSP waits for
   * it.
   */
  capture?(reference: string, amount: number, currency: string): Promise<AskAnswer>
  /** Asks for money to go back. The id of the refund is the idempotency key. */
  refund(payment: PaidPayment, refund: RefundRequest): Promise<RefundAnswer>
  /**
   * How long (ms) the PSP surely knows the idempotency key of a refund. Only where its API does not
   * show refunds: for so long, one whose answer was lost is asked for again.
   */
  refundKeyLife?: number
  /** Asks what became of a refund that was asked for before. It never asks for it again. */
  askRefund(payment: PaidPayment, refund: RefundRequest & { reference: string | null }): Promise<RefundAnswer>
  /** Checks the signature of a notification, and says what it is about. */
  readNotification(notification: Notification): Promise<NotificationReading>
  /** The body that the PSP wants to see in answer to a notification. */
  accepted: string
  /** What the PSP paid out, where its API tells it. */
  payouts?: PayoutSource
  /** Downloads a file of payouts that a notification named. */
  readReport?(name: string): Promise<Result<PayoutWithLines[], ReportFault>>
  /** An authenticated call that changes nothing. */
  check(): Promise<Checked>
}

export type Fetch = (request: Request) => Promise<Response>

/**
 * What an adapter works with. `mode` chooses the PSP's test or live environment. `endpoint`
 * replaces the PSP's own address, and has no slash at its end: the sandbox, tests and the local run
 * set it.
 */
export type Connection<Credentials> = {
  fetch: Fetch
  mode: Mode
  credentials: Credentials
  endpoint?: string
}

type CredentialsSchema = v.GenericSchema<object> & { entries: Record<string, v.GenericSchema> }

/** The PSP's names of payment methods, by the names that points of sale use, in small letters. */
type PaymentMethods = ReadonlyMap<string, string | readonly string[]>

/**
 * What a PSP takes of a method in one currency, in minor units of ISO 4217. An end that its
 * documents do not tell is missing.
 */
export type Limit = { currency: string; minimum?: number; maximum?: number }
/** By the names that points of sale use, in small letters. What is not here is not known. */
export type Limits = ReadonlyMap<string, readonly Limit[]>

/** A PSP that accounts can be at. `open` throws when the credentials are not of its form. */
export type Adapter<Schema extends CredentialsSchema = CredentialsSchema, Credentials = unknown> = {
  /** An object of what the operator gives, each member with a `v.description`. */
  credentials: Schema
  methods: PaymentMethods
  /**
   * Methods that the PSP has and the hub cannot ask for, by the names that points of sale use, in
   * small letters: each with the reason, for the shop.
   */
  unsupported?: ReadonlyMap<string, string>
  limits?: Limits
  /**
   * How the operator sets up the webhook of an account at the PSP; missing where each payment names
   * the address of its notifications.
   */
  webhook?: string
  /** The form of what `jobOf` takes. */
  references?: RegExp
  /** The mode that credentials are of, for a PSP whose credentials show it. */
  modeOf?: (credentials: Credentials) => Mode
  open: (connection: Connection<Credentials>) => Psp
}

/** Makes an adapter that parses the credentials it is given. */
export function defineAdapter<const Schema extends CredentialsSchema>({
  modeOf,
  open,
  ...adapter
}: Adapter<Schema, v.InferOutput<Schema>>): Adapter {
  const { credentials: schema } = adapter
  return {
    ...adapter,
    ...(modeOf ? { modeOf: (credentials: unknown) => modeOf(v.parse(schema, credentials)) } : {}),
    open: (connection) => open({ ...connection, credentials: v.parse(schema, connection.credentials) }),
  }
}
