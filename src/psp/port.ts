import * as v from 'valibot'
import type { Order } from '../contract/order.ts'
import type { Result } from '../contract/result.ts'
import type {
  AnnounceAnswer,
  AskAnswer,
  InstructionAnswer,
  InstructionKind,
  News,
  Refused,
  Unavailable,
} from './answer.ts'
import type { PayoutSource, PayoutWithLines } from './payouts/payouts.ts'
import type { CaptureMode, Mode, Status } from '../contract/values.ts'

/**
 * A payment that the hub announces at a PSP. A job always makes the same request, because PSPs
 * refuse an idempotency key that comes with a different one.
 */
export type PaymentRequest = {
  /** The id of the job, which the PSP gets as its reference. The idempotency key is derived from it. */
  job: string
  /** The id of the point of sale. The sandbox gives each its own terminals. */
  pos: string
  /** The hash of the point of sale's request, which differs for another order under the same id. */
  fingerprint: string
  /** An active ISO 4217 code. */
  currency: string
  /** In minor units of ISO 4217. An adapter converts them to the PSP's own units. */
  amount: number
  /** `manual`: the PSP only reserves the money, and the hub captures or releases it later. */
  capture: CaptureMode
  /** The order's number, which the customer reads. An adapter shortens it to the PSP's limit. */
  description: string
  /** As the point of sale writes it, in any case. If the name is unknown, the customer chooses. */
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
 * first asks how that ended, and sends the order again only if the PSP says that it never began. Without
 * `mayStart` it refuses the order instead, with `terminal_unreachable`, because the customer has left the
 * terminal. `isHeld`: the PSP has signed that it holds the payment, so an adapter that makes the reference
 * itself returns it even if the terminal does not answer.
 */
export type TerminalRequest = { id: string; isSent: boolean; mayStart: boolean; isHeld?: true }

/** A notification that arrived at `at` (ms). `job`: the id in the address it came to, or null. */
export type Notification = { job: string | null; headers: Headers; body: string; at: number }

/**
 * A payment that a notification is about. `reference`: the PSP's id of it, or null.
 * `claimedStatus`: a status that the PSP signed, but that its API may not show. An end counts as long as
 * the API says PENDING. SUCCESS does not count, but makes the hub ask until the API shows it too. `told`:
 * news that the API never shows, which the hub records before it asks.
 */
export type NotifiedPayment = {
  job: string
  reference: string | null
  claimedStatus: ClaimedStatus | null
  told?: News
}
export type ClaimedStatus = Exclude<Status, 'PENDING'>

/**
 * The content of a notification: reasons to ask. `reports` names files of payouts that the PSP has
 * ready. `unsigned`: the PSP signs no notifications, so anyone may have sent it. `unauthentic`: no part
 * of it has the PSP's signature. `item`: the number, from one, of the first item without the PSP's
 * signature; the other items count.
 */
export type NotificationReading =
  | { is: 'about'; payments: NotifiedPayment[]; reports?: string[]; unsigned?: true; item?: number }
  | { is: 'unauthentic'; item?: number }
  | Unavailable

/**
 * A payment that exists at a PSP. `payment`: the PSP's second reference of it, if only a notification
 * shows that. If several payments paid the order, it says which one is meant.
 */
export type MadePayment = { job: string; reference: string; payment: string | null }

/**
 * Something that the hub wants a PSP to do: capture reserved money, release the rest of it, or give
 * money back. `amount` is in minor units of ISO 4217; for a release it is everything that is left.
 * `isFinal`: this capture releases the rest. `round` counts the hub's requests: a new round begins after
 * the PSP said that it had done nothing yet. `isRepeated`: the answer to the same request was lost, so
 * the PSP may have done it.
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

/**
 * Asks the PSP to capture, release or refund money; the instruction's id is the idempotency key. What becomes
 * of it, the payment's own answers show (`Rail.ask`), by the hub's id or by the reference that this returns.
 */
export type Act = (payment: MadePayment, wanted: Instruction) => Promise<InstructionAnswer>

/** Why the hub cannot book a file of payouts. It downloads an `unavailable` one again later. */
export type ReportFault = { is: 'unavailable' } | { is: 'unreadable'; why: string }

/** The result of a check: whether an account's credentials work. */
export type CheckResult = { is: 'working' } | Refused | Unavailable

/**
 * The calls that make, follow and end a payment, for one way to pay. None throws: every answer is data,
 * and a fault of the network or of the PSP is `unavailable`.
 */
export type Rail = {
  /** Makes the payment at the PSP. All its requests end at the deadline. */
  announce(payment: PaymentRequest, deadline: AbortSignal): Promise<AnnounceAnswer>
  ask(reference: string, currency: string): Promise<AskAnswer>
  /** Ends a payment that the customer has not paid yet, and asks about it. */
  stop(reference: string, currency: string): Promise<AskAnswer>
  /**
   * Takes the money of an `approved` payment, or reserves it if the order's `capture` is `manual`, and returns how the
   * payment then stands. The hub calls it only while the job wants that money. Missing if the PSP needs no confirmation.
   */
  confirm?(reference: string, order: Pick<Order, 'currency' | 'capture'>): Promise<AskAnswer>
}

/** A terminal as its PSP lists it. `isOn` is null if the PSP does not say. */
export type ListedTerminal = { id: string; name: string; isOn: boolean | null }

/** An account's terminals: the rail of their payments, and their list. */
export type Terminals = Rail & {
  list(): Promise<{ is: 'listed'; terminals: ListedTerminal[] } | Refused | Unavailable>
}

/** The calls to an account at a PSP. Its own rail is for payments on pages. None throws. */
export type Psp = Rail & {
  /** Missing if the hub drives no terminals of the PSP, or the account has no credentials for them. */
  terminals?: Terminals
  /**
   * Returns the job of a payment, which the hub gave the PSP with it. Null if the account has no such
   * payment or does not answer. Missing if the reference itself is the job's id.
   */
  jobOf?(reference: string): Promise<string | null>
  refund: Act
  capture: Act
  release: Act
  /**
   * How long (ms) the PSP is sure to remember an idempotency key, for each kind whose transfers its answers do
   * not list. For that long the hub repeats a request whose answer was lost.
   */
  keyLife?: Partial<Record<InstructionKind, number>>
  /** Checks the signature of a notification, and reads what it is about. */
  readNotification(notification: Notification): Promise<NotificationReading>
  /** The body that the PSP expects as the answer to a notification. */
  accepted: string
  /** The PSP's payouts, if its API has them. */
  payouts?: PayoutSource
  /** The PSP's name of the account, if its files of payouts name the account. */
  merchant?: string
  /** Downloads a file of payouts that a notification named. */
  readReport?(name: string): Promise<Result<PayoutWithLines[], ReportFault>>
  /** Makes an authenticated call that changes nothing. */
  check(): Promise<CheckResult>
}

export type Fetch = (request: Request) => Promise<Response>

/**
 * The inputs of an adapter. `mode` chooses the PSP's test or live environment. `endpoint` replaces the
 * PSP's own address in tests and the local run; it has no slash at its end.
 */
export type Connection<Credentials> = {
  fetch: Fetch
  mode: Mode
  credentials: Credentials
  endpoint?: string
}

type CredentialsSchema = v.GenericSchema<object> & { entries: Record<string, v.GenericSchema> }

/** The PSP's names of payment methods, by the names that points of sale use, in lower case. */
type PaymentMethods = ReadonlyMap<string, string | readonly string[]>

/**
 * The amounts that a PSP takes by a method in one currency, in minor units of ISO 4217. A bound
 * that its documents do not give is missing.
 */
export type Limit = { currency: string; minimum?: number; maximum?: number }
/** By the names that points of sale use, in lower case. A missing method has no known limits. */
export type Limits = ReadonlyMap<string, readonly Limit[]>

/**
 * How a PSP reserves money. `days`: for how long, by method, under the names that points of sale use, in
 * lower case; a missing method cannot reserve. `captures`: whether the PSP allows several captures, or
 * the first one ends the reservation. `whole`: methods of which it captures only the whole amount.
 */
export type Reserves = {
  days: ReadonlyMap<string, number>
  captures: 'once' | 'several'
  whole?: ReadonlySet<string>
}

/** The requests a second for PSPs whose documents have no number: a 429 slows the hub down. */
export const ASSUMED_REQUESTS: Record<Mode, number> = { live: 100, test: 25 }

/** A PSP that the hub supports. `open` throws for credentials in a wrong form. */
export type Adapter<Schema extends CredentialsSchema = CredentialsSchema, Credentials = unknown> = {
  /** The PSP's name, as it writes it. */
  name: string
  /** The credentials that the operator gives, each with a `v.description`. */
  credentials: Schema
  methods: PaymentMethods
  /**
   * Methods of the PSP that the hub cannot ask for, each with the reason for the shop, by the names
   * that points of sale use, in lower case.
   */
  unsupported?: ReadonlyMap<string, string>
  limits?: Limits
  /** How many requests a second an account may send, by the PSP's documents. */
  requestsPerSecond?: Record<Mode, number>
  reserves: Reserves
  /**
   * Tells the operator how to set up an account's webhook at the PSP; missing if each payment names the
   * address of its notifications.
   */
  webhook?: string
  /** True if the PSP pays out less than was paid where a gift card paid a part, which others pay out. */
  settlesParts?: true
  /** The form of the references that `jobOf` takes. */
  references?: RegExp
  /** Tells the operator how to set up card terminals; missing if the hub does not drive them. */
  terminals?: string
  /** Returns the mode of credentials, if the PSP's credentials show it. */
  modeOf?: (credentials: Credentials) => Mode
  open: (connection: Connection<Credentials>) => Psp
}

/** A credential: a text in a form. `description` says where the operator finds it. */
export function credential(form: RegExp, wrong: string, description: string) {
  return v.pipe(v.string('must be a text'), v.regex(form, wrong), v.description(description))
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
