import * as v from 'valibot'
import { Order } from '../../contract/order.ts'
import { Integer, Status } from '../../contract/values.ts'
import { MoneyMove } from '../../psp/answer.ts'

/**
 * What a job's journal holds: facts, each something that happened, with its source. A fact is
 * appended and never changed, so this file only ever grows. Amounts are minor units of the order's
 * currency. `at` of an entry is in microseconds; all other times are milliseconds. All are by the
 * job's own clock (see `clock-moved`).
 */

/** How long a PSP may take, in the stage that it told. `open`: the customer may still act. */
const Stage = v.variant('is', [
  v.object({ is: v.literal('open') }),
  v.object({ is: v.picklist(['underway', 'authorized']), patience: Integer }),
])

/** How a payment stands, as its PSP says. Totals that the PSP does not tell are missing. */
export const Answer = v.object({
  status: Status,
  paid: Integer,
  expiresAt: v.nullable(Integer),
  stage: v.exactOptional(Stage),
  closed: v.exactOptional(v.boolean()),
  refunded: v.exactOptional(Integer),
  chargedBack: v.exactOptional(Integer),
})
export type Answer = v.InferOutput<typeof Answer>

/** A payment at an account. */
const WHERE = { account: v.string(), reference: v.string() }

/**
 * What an account made of the order. `not-asked`: its breaker was open, since then; or, with
 * `tooMany`, the hub had sent it as many orders as it does at once.
 */
export const Outcome = v.variant('is', [
  v.object({
    is: v.literal('took'),
    reference: v.string(),
    checkoutUrl: v.string(),
    expiresAt: v.nullable(Integer),
  }),
  v.object({ is: v.literal('refused'), message: v.string() }),
  v.object({
    is: v.literal('no-answer'),
    message: v.string(),
    /** The PSP answered, but not to the account: its key is wrong or blocked. It holds nothing. */
    accountRefused: v.exactOptional(v.literal(true)),
    /** Until when the PSP asked to be left alone. */
    notBefore: v.exactOptional(Integer),
  }),
  v.object({ is: v.literal('not-asked'), since: Integer, tooMany: v.exactOptional(v.literal(true)) }),
])
export type Outcome = v.InferOutput<typeof Outcome>

export const Wisher = v.picklist(['shop', 'operator'])
export type Wisher = v.InferOutput<typeof Wisher>

/** Why a payment is stopped: the trace shows it. */
export const StopReason = v.picklist(['gave-up', 'cancel', 'expiry', 'not-wanted'])
export type StopReason = v.InferOutput<typeof StopReason>

export const RefundOutcome = v.variant('is', [
  v.object({ is: v.literal('taken'), reference: v.nullable(v.string()) }),
  v.object({ is: v.literal('done'), reference: v.nullable(v.string()) }),
  /** `accountRefused`: the PSP answered, but not to the account. */
  v.object({
    is: v.literal('failed'),
    message: v.string(),
    accountRefused: v.exactOptional(v.literal(true)),
  }),
  /** The PSP made no refund, and may make it later. */
  v.object({ is: v.literal('not-yet'), message: v.string() }),
  /** The PSP could not be reached, or does not know it yet. */
  v.object({ is: v.literal('no-answer'), message: v.string() }),
])
export type RefundOutcome = v.InferOutput<typeof RefundOutcome>

/** Every kind of fact. docs/storage/shapes.md lists them. */
export const Fact = v.variant('is', [
  v.object({
    is: v.literal('created'),
    id: v.string(),
    transactionId: v.string(),
    fingerprint: v.string(),
    pos: v.string(),
    origin: v.string(),
    /** What the addresses of the job have in place of its id. */
    link: v.string(),
    isLive: v.boolean(),
    /** Without the customer's IP address, which the entry keeps apart. */
    order: Order,
    /** SHA-256 of what the entry keeps apart, with its salt: it stays when that is erased. */
    personalHash: v.string(),
  }),
  /** One account was asked to take the order, at `asked`; it took `ms`. */
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
   * The hub acknowledged a notification: of which payment, and what only the notification tells. It
   * prompts a question. `claims` is a signed status; a final one counts where the API shows none.
   */
  v.object({
    is: v.literal('notified'),
    /** When it came. */
    came: Integer,
    account: v.string(),
    reference: v.nullable(v.string()),
    payment: v.exactOptional(v.string()),
    moves: v.exactOptional(v.array(MoneyMove)),
    claims: v.exactOptional(v.picklist(['SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])),
  }),
  /** The PSP's answer to a question. `back`: the customer's return was the reason. */
  v.object({
    is: v.literal('seen'),
    ...WHERE,
    asked: Integer,
    answer: Answer,
    back: v.exactOptional(v.literal(true)),
  }),
  /** The PSP was asked, and did not say how the payment stands. */
  v.object({
    is: v.literal('unanswered'),
    ...WHERE,
    asked: Integer,
    how: v.picklist(['silent', 'refused', 'unknown']),
    message: v.string(),
    notBefore: v.exactOptional(Integer),
  }),
  /** The hub stopped the payment; how it stands after that. */
  v.object({ is: v.literal('stopped'), ...WHERE, asked: Integer, why: StopReason, answer: Answer }),
  v.object({ is: v.literal('expired') }),
  v.object({ is: v.literal('cancel-asked'), by: Wisher }),
  /**
   * The hub is about to ask for a refund; once more under its id after a `not-yet`. `part` is the
   * PSP's reference of the payment that it goes back to, where several paid the order.
   */
  v.object({
    is: v.literal('refund-asked'),
    refund: v.string(),
    fingerprint: v.string(),
    call: v.string(),
    amount: Integer,
    description: v.string(),
    part: v.exactOptional(v.string()),
    ...WHERE,
  }),
  v.object({ is: v.literal('refund-answered'), refund: v.string(), asked: Integer, outcome: RefundOutcome }),
  /** An operator wants the newest report sent again. */
  v.object({ is: v.literal('report-asked') }),
  /** A try that reached out to the receiver. The next comes not before `notBefore`. */
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
  /** The index knows the job up to this entry. */
  v.object({ is: v.literal('row-written'), entry: Integer }),
  /** Test mode: the shop lets time pass, until the job's clock is `to` ahead of the real one. */
  v.object({ is: v.literal('time-asked'), to: Integer }),
  /** Test mode: from the next entry on, the job's clock is `offset` ahead of the real one. */
  v.object({ is: v.literal('clock-moved'), offset: Integer }),
])
export type Fact = v.InferOutput<typeof Fact>
export type FactOf<Name extends Fact['is']> = Extract<Fact, { is: Name }>

/** What the journal knows of the customer. `salt` keeps its hash from telling it. */
export const Personal = v.object({ ipAddress: v.string(), salt: v.string() })
export type Personal = v.InferOutput<typeof Personal>

/** An entry of the journal: its number, its time (µs), and what happened. */
export type Entry = {
  number: number
  at: number
  facts: readonly Fact[]
  personal?: Personal
}
