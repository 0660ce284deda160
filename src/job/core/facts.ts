import * as v from 'valibot'
import { Order } from '../../contract/order.ts'
import { Integer } from '../../contract/values.ts'
import { Observation, InstructionKind, MoneyMove } from '../../psp/answer.ts'

/**
 * The facts of a job's journal. The hub appends facts and never changes them, so this file only
 * ever grows. Amounts are minor units of the order's currency. An entry's `at` is in microseconds;
 * all other times are in milliseconds. All times are by the job's own clock (see `clock-moved`).
 */

/** A payment at an account. */
const WHERE = { account: v.string(), reference: v.string() }

/**
 * An account's answer to the order. `not-asked`: its breaker has been open since `since`; or, with
 * `tooMany`, the hub was already sending that account as many orders as it may at once.
 */
export const Outcome = v.variant('is', [
  v.object({
    is: v.literal('took'),
    reference: v.string(),
    checkoutUrl: v.string(),
    expiresAt: v.nullable(Integer),
  }),
  v.object({
    is: v.literal('took'),
    reference: v.string(),
    terminal: v.string(),
    expiresAt: v.nullable(Integer),
  }),
  v.object({ is: v.literal('refused'), message: v.string() }),
  v.object({
    is: v.literal('no-answer'),
    message: v.string(),
    /** The PSP refused the account, whose key is wrong or blocked. The account holds no payment. */
    accountRefused: v.exactOptional(v.literal(true)),
    /** The PSP wants no request before this time. */
    notBefore: v.exactOptional(Integer),
  }),
  v.object({ is: v.literal('not-asked'), since: Integer, tooMany: v.exactOptional(v.literal(true)) }),
])
export type Outcome = v.InferOutput<typeof Outcome>

export const Wisher = v.picklist(['shop', 'operator'])
export type Wisher = v.InferOutput<typeof Wisher>

/** A reason why the hub stops a payment. The trace shows it. */
export const StopReason = v.picklist(['gave-up', 'cancel', 'expiry', 'not-wanted'])
export type StopReason = v.InferOutput<typeof StopReason>

/** A PSP's answer to an instruction. */
export const InstructionOutcome = v.variant('is', [
  v.object({ is: v.literal('taken'), reference: v.nullable(v.string()) }),
  v.object({ is: v.literal('done'), reference: v.nullable(v.string()) }),
  /** `accountRefused`: the PSP refused the account. `overdue`: it never said what became of the instruction. */
  v.object({
    is: v.literal('failed'),
    message: v.string(),
    accountRefused: v.exactOptional(v.literal(true)),
    overdue: v.exactOptional(v.literal(true)),
  }),
  /** The PSP has done nothing, but may do it later. */
  v.object({ is: v.literal('not-yet'), message: v.string() }),
  /** The hub did not reach the PSP, or the PSP does not know the instruction yet. */
  v.object({ is: v.literal('no-answer'), message: v.string() }),
])
export type InstructionOutcome = v.InferOutput<typeof InstructionOutcome>

/** An instruction about a payment. `fingerprint`: of the request, to recognise another one. */
const WANTED = {
  fingerprint: v.string(),
  call: v.string(),
  amount: Integer,
  description: v.string(),
  part: v.exactOptional(v.string()),
  ...WHERE,
}

/** Every kind of fact. docs/storage/shapes.md lists them. */
export const Fact = v.variant('is', [
  v.object({
    is: v.literal('created'),
    id: v.string(),
    transactionId: v.string(),
    fingerprint: v.string(),
    pos: v.string(),
    origin: v.string(),
    /** The link: the part of the job's addresses that names the job. */
    link: v.string(),
    isLive: v.boolean(),
    /** Without the customer's IP address, which the entry keeps apart. */
    order: Order,
    /** SHA-256 of the IP address and its salt. The hash stays when the hub erases the address. */
    personalHash: v.string(),
  }),
  /** The hub asked one account to take the order, at `asked`; the answer took `ms`. */
  v.object({
    is: v.literal('attempted'),
    account: v.string(),
    asked: Integer,
    ms: Integer,
    outcome: Outcome,
  }),
  /** The customer came back. */
  v.object({ is: v.literal('returned'), gaveUp: v.exactOptional(v.literal(true)) }),
  /**
   * The hub acknowledged a notification, which prompts a question. The fact keeps what only the
   * notification says. `claims`: a signed status; an end counts while the API says PENDING.
   */
  v.object({
    is: v.literal('notified'),
    /** When the notification came. */
    came: Integer,
    account: v.string(),
    reference: v.nullable(v.string()),
    payment: v.exactOptional(v.string()),
    moves: v.exactOptional(v.array(MoneyMove)),
    claims: v.exactOptional(v.picklist(['SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])),
  }),
  /** The PSP's answer to a question. `back`: the hub asked because the customer came back. */
  v.object({
    is: v.literal('seen'),
    ...WHERE,
    asked: Integer,
    answer: Observation,
    back: v.exactOptional(v.literal(true)),
  }),
  /** The hub asked, and the PSP did not say how the payment stands. */
  v.object({
    is: v.literal('unanswered'),
    ...WHERE,
    asked: Integer,
    how: v.picklist(['silent', 'refused', 'unknown']),
    message: v.string(),
    notBefore: v.exactOptional(Integer),
    /** The terminal said that the payment failed, but money may still come: why it failed. */
    failure: v.exactOptional(v.string()),
  }),
  /** The hub stopped the payment. `answer`: how the payment stands after that. */
  v.object({ is: v.literal('stopped'), ...WHERE, asked: Integer, why: StopReason, answer: Observation }),
  v.object({ is: v.literal('expired') }),
  v.object({ is: v.literal('cancel-asked'), by: Wisher }),
  /**
   * The hub is about to ask a PSP to capture, release or refund money; again under the same id after
   * a `not-yet`. `part`: the PSP's reference of the payment, if several payments paid the order.
   * `final`: the PSP releases what this capture leaves. `byHub`: the hub decided this itself.
   */
  v.object({
    is: v.literal('instructed'),
    kind: InstructionKind,
    id: v.string(),
    ...WANTED,
    final: v.exactOptional(v.literal(true)),
    byHub: v.exactOptional(v.literal(true)),
  }),
  v.object({
    is: v.literal('instruction-answered'),
    id: v.string(),
    asked: Integer,
    outcome: InstructionOutcome,
  }),
  /** Release 1.0 wrote these two for refunds. The hub reads them as `instructed` and its answer. */
  v.object({ is: v.literal('refund-asked'), refund: v.string(), ...WANTED }),
  v.object({
    is: v.literal('refund-answered'),
    refund: v.string(),
    asked: Integer,
    outcome: InstructionOutcome,
  }),
  /** An operator wants the newest report sent again. */
  v.object({ is: v.literal('report-asked') }),
  /** The hub tried to deliver a report. The next try comes no sooner than `notBefore`. */
  v.object({
    is: v.literal('report-tried'),
    revision: Integer,
    began: Integer,
    ms: Integer,
    outcome: v.string(),
    result: v.picklist(['delivered', 'failed', 'unwanted']),
    answer: v.exactOptional(v.string()),
    notBefore: v.exactOptional(Integer),
  }),
  /** Another job with this order number was paid, and still has this much (minor units). */
  v.object({ is: v.literal('also-paid'), job: v.string(), paid: Integer }),
  /** An operator has cleared this much money that paid no order. */
  v.object({ is: v.literal('cleared'), amount: Integer }),
  /** The index queue took the row of this entry. `digest`: of the row; release 1.0 stored none. */
  v.object({ is: v.literal('row-written'), entry: Integer, digest: v.exactOptional(v.string()) }),
  /** Test mode: the shop lets time pass, until the job's clock is `to` ahead of the real one. */
  v.object({ is: v.literal('time-asked'), to: Integer }),
  /** Test mode: from the next entry on, the job's clock is `offset` ahead of the real one. */
  v.object({ is: v.literal('clock-moved'), offset: Integer }),
])
export type Fact = v.InferOutput<typeof Fact>
export type FactOf<Name extends Fact['is']> = Extract<Fact, { is: Name }>

/** The customer's personal data. `salt` makes it impossible to guess the address from its hash. */
export const Personal = v.object({ ipAddress: v.string(), salt: v.string() })
export type Personal = v.InferOutput<typeof Personal>

/** A new job: its creation, the attempts at accounts, and the customer's personal data. */
export type Birth = {
  created: FactOf<'created'>
  attempts: readonly FactOf<'attempted'>[]
  personal: Personal
}

/**
 * The occasion of an entry, if its facts do not show it: the hub's reason to ask the PSP, or a create
 * that came again. A rehearsal needs it to let the rules of another release decide once more.
 */
export const Writer = v.picklist(['duty', 'back', 'other', 'create-again'])
export type Writer = v.InferOutput<typeof Writer>

/** An entry of the journal: its number, its time (µs), and what happened. */
export type Entry = {
  number: number
  at: number
  facts: readonly Fact[]
  by?: Writer
  personal?: Personal
}
