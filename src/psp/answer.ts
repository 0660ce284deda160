import * as v from 'valibot'
import { DAY } from '../contract/timestamp.ts'
import { type Status, Integer } from '../contract/values.ts'

/**
 * A PSP's answers, the same words for all of them. `refused` is its considered no (a 4xx: asking
 * again changes nothing); `unavailable` is no answer (a time-out, a 5xx, nonsense: ask again
 * later), and never a failed payment.
 */
export type Refused = { is: 'refused'; message: string }
/**
 * `retryAfter`: the seconds that the PSP asks to be left alone for, where it does.
 * `accountRefused`: the PSP answers, but not to this account, whose key is wrong or blocked.
 */
export type Unavailable = {
  is: 'unavailable'
  message: string
  retryAfter?: number
  accountRefused?: true
}

/** The PSP holds a payment. `expiresAt` is in milliseconds, null when the PSP sets no end. */
export type Announced = { is: 'announced'; reference: string; checkoutUrl: string; expiresAt: number | null }

/**
 * The stage that a PSP tells. `patience` (ms) is how long the PSP says that the method may take.
 */
export type SeenStage = { is: 'open' } | { is: 'underway' | 'authorized'; patience: number }

/**
 * What a PSP said of a payment, in the hub's words. `paid` is in minor units of the job's currency.
 * `stage` says what a PENDING payment waits for, and leaves it as it was where it is missing.
 * `closed` is set when the PSP's word is final for good. The totals of what went back are there
 * where the PSP tells them.
 */
export type Observation = {
  status: Status
  paid: number
  stage?: SeenStage
  closed?: boolean
} & MoneyBackTotals

/**
 * How a payment stands. `expiresAt` (ms) is when the PSP ends an open payment by itself, null where
 * it sets no end. `unknown`: the PSP does not know the reference, perhaps not yet: that says
 * nothing of the money.
 */
export type Observed = { is: 'observed'; expiresAt: number | null } & Observation
export type AskAnswer = Observed | { is: 'unknown' } | Unavailable

/**
 * What a PSP says of a refund. `unknown`: it has none of that id. `not-yet`: it made none, and may
 * make it later.
 */
export type RefundAnswer =
  | { is: 'taken'; reference: string | null; state: 'pending' | 'done' }
  | { is: 'failed' | 'refused'; message: string }
  | { is: 'not-yet'; message: string }
  | { is: 'unknown' }
  | Unavailable

/**
 * What a PSP tells of money that went back, in minor units. A total that it does not tell is
 * missing.
 */
export type MoneyBackTotals = { refunded?: number; chargedBack?: number }

/** What only a notification tells: the PSP's reference of the payment, and moves of its money. */
export type Told = { payment?: string; moves?: readonly MoneyMove[] }

/**
 * Money that moved, as a PSP tells it in notifications alone. `id` is of this move and no other,
 * `amount` in minor units of `currency`, which is that of the job where it is missing. `refund` is
 * the hub's id of a refund that it asked for, `reference` the PSP's, and `error` why it failed.
 * `part`: one of several payments of an order, such as a gift card before a card.
 * `refund-not-yet`: the PSP made no refund, and may make it later.
 */
export const MoneyMove = v.object({
  id: v.string(),
  kind: v.picklist([
    'part',
    'refund',
    'refund-not-yet',
    'refund-failed',
    'chargeback',
    'chargeback-reversed',
  ]),
  amount: Integer,
  currency: v.exactOptional(v.string()),
  refund: v.exactOptional(v.string()),
  reference: v.exactOptional(v.string()),
  error: v.exactOptional(v.string()),
})
export type MoneyMove = v.InferOutput<typeof MoneyMove>

/**
 * Why a PSP refuses an order, as far as a shop can act on it: docs/pos/orders.md says what it can
 * do.
 */
export type RefusalReason = 'refused_amount' | 'refused_method' | 'refused_account' | 'refused_other'

/** A PSP's considered no to an order. */
export type RefusedOrder = Refused & { reason: RefusalReason }

/** What an account answers to an announcement. */
export type AnnounceAnswer = Announced | RefusedOrder | Unavailable

/** The reasons behind a PSP's error codes, and behind the fields that its errors name. */
export type Reasons = ReadonlyMap<string, RefusalReason>

export function refusedOrder(reason: RefusalReason, message: string): RefusedOrder {
  return { is: 'refused', reason, message }
}

/** The reason of the first of an error's words (its code, its field) that the PSP's table has. */
export function reasonIn(reasons: Reasons, ...words: readonly (string | null | undefined)[]): RefusalReason {
  return (
    words.map((word) => reasons.get(word ?? '')).find((reason) => reason !== undefined) ?? 'refused_other'
  )
}

/** An answer with a word that the hub's table does not have, for an operator to see. */
export function unknownWord(psp: string, of: string, word: string): Unavailable {
  const shown = word.slice(0, 100)
  return {
    is: 'unavailable',
    message: `${psp} says that the ${of} is "${shown}", which the hub does not know.`,
  }
}

/** What a table says of a PSP's word; undefined where it does not have the word. */
export function wordIn<Said>(table: Readonly<Record<string, Said>>, word: unknown): Said | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined
}

/**
 * What a PSP's word means. Each adapter has a table of all its words. `open`: the customer may act.
 * `underway`: the customer has acted, and money is coming. `authorized`: money is reserved.
 * `closed`: nobody can pay it any more; an end that is not closed may still be followed by money.
 */
export type Meaning =
  | { is: 'open' | 'underway' | 'authorized' | 'paid' }
  | { is: 'ended'; status: Exclude<Status, 'PENDING' | 'SUCCESS'>; closed: boolean }

export const OPEN = { is: 'open' } as const satisfies Meaning
export const UNDERWAY = { is: 'underway' } as const satisfies Meaning
export const AUTHORIZED = { is: 'authorized' } as const satisfies Meaning
export const PAID = { is: 'paid' } as const satisfies Meaning

/** An end that is final for good. */
export function closedAs(status: 'FAILURE' | 'CANCELLED' | 'EXPIRED'): Meaning {
  return { is: 'ended', status, closed: true }
}

/** An end that money may still follow. */
export function endedAs(status: 'FAILURE' | 'CANCELLED' | 'EXPIRED'): Meaning {
  return { is: 'ended', status, closed: false }
}

/** How many days the PSP says that a payment method may take, by the PSP's name of the method. */
export type PatienceTable = { methods: ReadonlyMap<string, number>; otherwise: number; authorized: number }

/**
 * What a meaning says of status and stage. `method` is the one that the customer chose, null where
 * that is unknown.
 */
export function standingOf(
  meaning: Meaning,
  { methods, otherwise, authorized }: PatienceTable,
  method: string | null,
): Pick<Observed, 'status' | 'stage' | 'closed'> {
  const { is } = meaning
  if (is === 'paid') return { status: 'SUCCESS' }
  if (is === 'ended') return { status: meaning.status, closed: meaning.closed }
  if (is === 'open') return { status: 'PENDING', stage: { is } }
  const days = is === 'authorized' ? authorized : (methods.get(method ?? '') ?? otherwise)
  return { status: 'PENDING', stage: { is, patience: days * DAY } }
}
