import * as v from 'valibot'
import type { Result } from '../contract/result.ts'
import type { Status } from '../contract/values.ts'
import type { AskAnswer, Refused, Unavailable, Told, InstructionAnswer, AnnounceAnswer } from './answer.ts'
import type { PayoutSource, PayoutWithLines } from './payouts.ts'
import type { CaptureMode, Mode } from '../contract/values.ts'

/**
 * A payment that the hub announces at a PSP. The same job always makes the same request: PSPs
 * refuse an idempotency key that comes with another request.
 */
export type PaymentRequest = {
  /** The id of the job: the PSP's reference to it. The request's idempotency key is made of it. */
  job: string
  /** The id of the point of sale. The sandbox gives each its own terminals. */
  pos: string
  /** The hash of the point of sale's request: tells this order from another under the same id. */
  fingerprint: string
  /** An active ISO 4217 code. */
  currency: string
  /** In minor units of ISO 4217. An adapter turns them into the PSP's own units. */
  amount: number
  /** `manual`: the PSP only reserves the money, and the hub captures or releases it later. */
  capture: CaptureMode
  /** The order's number, which the customer reads. An adapter shortens it to what the PSP takes. */
  description: string
  /** As the point of sale writes it, in any case. For an unknown name the customer chooses. */
  paymentMethod: string
  /** A BCP 47 tag as the point of sale writes it. */
  language: string
  /** The customer's IP address, by which PSPs judge the risk of a payment. */
  ipAddress: string
  /** The address to which the PSP sends the customer back. */
  returnUrl: string
  /** The address for a customer who gave up, if the PSP does not mark such payments itself. */
  cancelUrl: string
  /** The address for notifications of this payment, if the PSP takes one with each payment. */
  notificationUrl: string
  /** The terminal at which the customer pays. Missing for a payment on a page. */
  terminal?: TerminalRequest
}

/**
 * A terminal that is to take a payment. `isSent`: an earlier request may have reached it, so the adapter
 * first asks what became of that, and sends the order again only where the PSP says that it never began.
 * Without `mayStart` it then refuses the order with `terminal_unreachable`: whoever stood at the terminal
 * is gone. `isHeld`: the PSP has signed that it holds the payment, so an adapter that makes the reference
 * itself returns that, also where the terminal does not answer.
 */
export type TerminalRequest = { id: string; isSent: boolean; mayStart: boolean; isHeld?: true }

/** A notification that came in at `at` (ms). `job`: the id in the address it came to, or null. */
export type Notification = { job: string | null; headers: Headers; body: string; at: number }

/**
 * A payment that a notification is about. `reference`: the PSP's id of it, or null.
 * `claimedStatus`: a status that the PSP signed and its API may not show. An end counts while the API
 * says PENDING; SUCCESS does not count, but the hub then asks until the API says so too. `told`: news
 * that the API never tells, which the hub records before it asks.
 */
export type NotifiedPayment = {
  job: string
  reference: string | null
  claimedStatus: ClaimedStatus | null
  told?: Told
}
export type ClaimedStatus = Exclude<Status, 'PENDING'>

/**
 * The content of a notification: reasons to ask. `reports` names files of payouts that the PSP has
 * ready. `unsigned`: the PSP signs no notifications, so anybody may have sent it. `unauthentic`:
 * the PSP signed nothing of it. `item`: the first of several items that it did not sign, counted from
 * one; the others count.
 */
export type NotificationReading =
  | { is: 'about'; payments: NotifiedPayment[]; reports?: string[]; unsigned?: true; item?: number }
  | { is: 'unauthentic'; item?: number }
  | Unavailable

/**
 * A payment that a PSP has made. `payment`: the PSP's second reference of it, if only a notification
 * tells that. If several payments paid the order, the second reference of the one that is meant.
 */
export type MadePayment = { job: string; reference: string; payment: string | null }

/**
 * Something that the hub wants of a PSP about a payment: to capture reserved money, to release the
 * rest of it, or to give money back. `amount` is in minor units of ISO 4217; of a release it is all
 * that is left. `isFinal`: the rest is released with this capture. `round` counts how often the hub
 * has asked: before the second round the PSP said that it had done nothing yet. `isRepeated`: the answer
 * to the same request was lost, so the PSP may have done it.
 */
export type Instruction = {
  id: string
  amount: number
  currency: string
  description: string
  round: number
  isFinal?: boolean
  isRepeated?: boolean
}

/** How a PSP takes one kind of instruction. */
export type Instructed = {
  /** Asks the PSP to do it. The instruction's id is the idempotency key. */
  instruct(payment: MadePayment, wanted: Instruction): Promise<InstructionAnswer>
  /** Asks what became of it. Never asks the PSP to do it again. */
  check(payment: MadePayment, wanted: Instruction & { reference: string | null }): Promise<InstructionAnswer>
  /**
   * How long (ms) the PSP surely knows the idempotency key, where its API cannot say what became of an
   * instruction: for that long the hub repeats a request whose answer was lost.
   */
  keyLife?: number
}

/** The reason why the hub cannot book a file of payouts. It fetches an `unavailable` one again. */
export type ReportFault = { is: 'unavailable' } | { is: 'unreadable'; why: string }

/** The result of a check: whether an account's credentials work. */
export type Checked = { is: 'working' } | Refused | Unavailable

/**
 * The calls that make a payment and end it, for one way to pay. None throws: every answer is data, and a
 * fault of the network or of the PSP is `unavailable`.
 */
export type Rail = {
  /** Makes the payment at the PSP. All requests for that end at the deadline. */
  announce(payment: PaymentRequest, deadline: AbortSignal): Promise<AnnounceAnswer>
  /** Asks how a payment stands. */
  ask(reference: string, currency: string): Promise<AskAnswer>
  /** Ends a payment that nobody has paid yet, and returns how it then stands. */
  stop(reference: string, currency: string): Promise<AskAnswer>
}

/** A terminal as its PSP lists it. `isOn` is null where the PSP does not say. */
export type ListedTerminal = { id: string; name: string; isOn: boolean | null }

/** An account's terminals: the rail of their payments, and their list. */
export type Terminals = Rail & {
  list(): Promise<{ is: 'listed'; terminals: ListedTerminal[] } | Refused | Unavailable>
}

/** The calls that the hub makes to an account at a PSP. Its own rail is that of pages. None throws. */
export type Psp = Rail & {
  /** Missing where the hub drives no terminals of the PSP, or the account has no credentials for them. */
  terminals?: Terminals
  /**
   * Returns the job of a payment, by what the hub gave the PSP with it. Null if the account has no
   * such payment, or does not answer. Missing where the reference itself is the job's id.
   */
  jobOf?(reference: string): Promise<string | null>
  refund: Instructed
  capture: Instructed
  release: Instructed
  /** Checks the signature of a notification, and reads what it is about. */
  readNotification(notification: Notification): Promise<NotificationReading>
  /** The body that the PSP expects in answer to a notification. */
  accepted: string
  /** The PSP's payouts, if its API tells them. */
  payouts?: PayoutSource
  /** The PSP's name of the account, if files of payouts tell whose they are. */
  merchant?: string
  /** Downloads a file of payouts that a notification named. */
  readReport?(name: string): Promise<Result<PayoutWithLines[], ReportFault>>
  /** Makes an authenticated call that changes nothing. */
  check(): Promise<Checked>
}

export type Fetch = (request: Request) => Promise<Response>

/**
 * The inputs of an adapter. `mode` chooses the PSP's test or live environment. `endpoint` replaces
 * the PSP's own address, without a slash at its end: tests and the local run set it.
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
 * The amounts that a PSP takes by a method in one currency, in minor units of ISO 4217. A bound
 * that its documents do not tell is missing.
 */
export type Limit = { currency: string; minimum?: number; maximum?: number }
/** By the names that points of sale use, in small letters. A missing method has no known limits. */
export type Limits = ReadonlyMap<string, readonly Limit[]>

/**
 * How a PSP holds money for a later capture. `days`: how long, by the methods that can, which have the
 * names that points of sale use, in small letters. `captures`: whether several parts can be captured,
 * or the first capture ends it.
 */
export type Reserves = { days: ReadonlyMap<string, number>; captures: 'once' | 'several' }

/** A PSP that the hub supports. `open` throws for credentials in a wrong form. */
export type Adapter<Schema extends CredentialsSchema = CredentialsSchema, Credentials = unknown> = {
  /** The PSP's name, as it writes it. */
  name: string
  /** The credentials that the operator gives, each with a `v.description`. */
  credentials: Schema
  methods: PaymentMethods
  /**
   * Methods of the PSP that the hub cannot ask for, with the reason for the shop, by the names that
   * points of sale use, in small letters.
   */
  unsupported?: ReadonlyMap<string, string>
  limits?: Limits
  reserves: Reserves
  /**
   * How the operator sets up an account's webhook at the PSP; missing if each payment names the
   * address of its notifications.
   */
  webhook?: string
  /** The form of the references that `jobOf` takes. */
  references?: RegExp
  /** How the operator sets up card terminals; missing for a PSP whose terminals the hub does not drive. */
  terminals?: string
  /** Returns the mode of credentials, for a PSP whose credentials show it. */
  modeOf?: (credentials: Credentials) => Mode
  open: (connection: Connection<Credentials>) => Psp
}

/** Makes an adapter that parses its credentials. */
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
