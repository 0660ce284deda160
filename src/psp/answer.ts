import * as v from 'valibot'
import { DAY } from '../contract/timestamp.ts'
import { Card, Progress } from '../contract/terminals.ts'
import { Integer, Status } from '../contract/values.ts'

/**
 * A final refusal of a PSP, by a 4xx: to ask again changes nothing. Every other failure (a timeout, a
 * 5xx, nonsense) is `unavailable`: the hub asks again later, and the payment has not failed.
 */
export type Refused = { is: 'refused'; message: string }
/**
 * `retryAfter`: for how many seconds the PSP wants no request, if it says so. `accountRefused`: the PSP
 * refuses the account, because its key is wrong or blocked. `failure`: the PSP says that the payment at a
 * terminal failed, but money may still come for a while; the error of the job if it does not.
 */
export type Unavailable = {
  is: 'unavailable'
  message: string
  retryAfter?: number
  accountRefused?: true
  failure?: string
}

/** How a customer pays: on a page of the PSP, or at a card terminal with this id of the PSP. */
export type Way = { way: 'page'; checkoutUrl: string } | { way: 'terminal'; terminal: string }

/** The PSP has made a payment. `expiresAt` (ms) is null if the PSP sets no end. */
export type Announced = { is: 'announced'; reference: string; expiresAt: number | null } & Way

/**
 * The stage of a PENDING payment. `open`: the customer may still act. `patience`: how long (ms) the
 * other stages may last, by the PSP's documentation.
 */
const Stage = v.variant('is', [
  v.object({ is: v.literal('open') }),
  v.object({ is: v.picklist(['underway', 'authorized']), patience: Integer }),
])

/**
 * A capture, a release, a refund or a dispute, as its PSP shows it. `id`: the PSP's. `own`: the hub's, if the hub
 * asked for it and the PSP shows that. `returned`: it was done, and the money then came back: a refund that
 * bounced, a capture that was refused afterwards, a dispute that was won. `why`: why it failed.
 */
export const Transfer = v.object({
  id: v.string(),
  own: v.exactOptional(v.string()),
  /** Minor units. */
  amount: Integer,
  state: v.picklist(['pending', 'done', 'failed', 'returned']),
  why: v.exactOptional(v.string()),
})
export type Transfer = v.InferOutput<typeof Transfer>

/** All transfers of a payment by kind. A missing kind: the PSP does not list it, or the list cannot be read. */
export const Transfers = v.object({
  capture: v.exactOptional(v.array(Transfer)),
  release: v.exactOptional(v.array(Transfer)),
  refund: v.exactOptional(v.array(Transfer)),
  dispute: v.exactOptional(v.array(Transfer)),
})
export type Transfers = v.InferOutput<typeof Transfers>

/**
 * What a PSP shows about a payment, in the hub's words. Amounts are in minor units of the job's
 * currency; a total is missing if the PSP does not show it. `expiresAt` (ms): when the PSP ends an open
 * payment, null for no end. Without a `stage` the earlier one stays. `closed`: the payment can no longer
 * be paid. `authorized`: all reserved money, of which `paid` was captured and `released` was released;
 * `authorizedAt` (ms): since when; `captureBefore` (ms): until when the PSP holds it. Journals store this
 * type, so members are only ever added.
 */
export const Observation = v.object({
  status: Status,
  paid: Integer,
  expiresAt: v.nullable(Integer),
  stage: v.exactOptional(Stage),
  closed: v.exactOptional(v.boolean()),
  refunded: v.exactOptional(Integer),
  chargedBack: v.exactOptional(Integer),
  /** Each by itself. A PSP's own total counts besides: it may have what is on its way already. */
  transfers: v.exactOptional(Transfers),
  authorized: v.exactOptional(Integer),
  released: v.exactOptional(Integer),
  authorizedAt: v.exactOptional(Integer),
  captureBefore: v.exactOptional(Integer),
  /** This payment allows several captures, even if its PSP usually allows one. */
  inParts: v.exactOptional(v.boolean()),
  /** How far an open payment has come at its terminal. */
  progress: v.exactOptional(Progress),
  /** The part of `paid` that the customer gave in addition to the order's amount. */
  tip: v.exactOptional(Integer),
  card: v.exactOptional(Card),
  /** The PSP's second reference of the payment, if refunds need it. */
  other: v.exactOptional(v.string()),
  /** Why a payment at a terminal failed: a `Fault`, then the PSP's words. */
  reason: v.exactOptional(v.string()),
})
export type Observation = v.InferOutput<typeof Observation>

/**
 * `unread`: what the PSP shows about the payment but the hub cannot count, for the log. `approved`: the customer has
 * agreed to pay an open payment, and the PSP moves money only once the hub confirms it (`Rail.confirm`).
 */
export type Observed = { is: 'observed'; unread?: string; approved?: true } & Observation
/** `unknown`: the PSP does not know the reference, or not yet. There may still be money. */
export type AskAnswer = Observed | { is: 'unknown' } | Unavailable

/** The kinds of instructions that the hub gives a PSP about a payment. */
export const InstructionKind = v.picklist(['capture', 'release', 'refund'])
export type InstructionKind = v.InferOutput<typeof InstructionKind>

/** A PSP's answer to an instruction. `not-yet`: the PSP has done nothing, and may do it later. */
export type InstructionAnswer =
  | { is: 'taken'; reference: string | null; state: 'pending' | 'done' }
  | { is: 'failed' | 'refused'; message: string }
  | { is: 'not-yet'; message: string }
  | Unavailable

/** What only a notification shows: the PSP's reference for refunds, and moves of money. */
export type News = { payment?: string; moves?: readonly MoneyMove[] }

/**
 * Money that moved, as only notifications show. `id` is unique to this move. `amount` is in minor units of
 * `currency`, or of the job's currency. `refund`: the hub's id of a refund that the hub requested. `reference`:
 * the PSP's id. `error`: why the refund failed. `part`: one of several payments for an order, such as a gift
 * card before a card. `refund-not-yet`: the PSP has made no refund, and may make it later. `of`: the PSP's
 * reference of the payment that the money belongs to. `cancelled`: the money was authorised and then released;
 * nothing was paid, or only the PSP knows. `expired`: the PSP released it because its time was up.
 * `capture-failed`: a capture was refused (of 0), or failed after all. `release-failed`: nothing was released.
 * `instruction`: the hub's id of the capture or release.
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
    'capture',
    'capture-failed',
    'release-failed',
  ]),
  amount: Integer,
  currency: v.exactOptional(v.string()),
  refund: v.exactOptional(v.string()),
  instruction: v.exactOptional(v.string()),
  reference: v.exactOptional(v.string()),
  error: v.exactOptional(v.string()),
  of: v.exactOptional(v.string()),
  cancelled: v.exactOptional(v.literal(true)),
  expired: v.exactOptional(v.literal(true)),
})
export type MoneyMove = v.InferOutput<typeof MoneyMove>

/** Why a PSP refuses an order, as far as the shop can act on it: docs/pos/orders.md. */
export type RefusalReason = 'refused_amount' | 'refused_method' | 'refused_account' | 'refused_other'

/** Why an order never began at its terminal. Another terminal may take it. */
export type TerminalReason = 'terminal_busy' | 'terminal_off' | 'terminal_unreachable'

/** Why a payment failed at its terminal. */
export type Fault = RefusalReason | TerminalReason | 'declined'

/** A PSP's words for why a payment failed at its terminal, and the hub's word for each. */
export type FaultTable = ReadonlyMap<string, Fault>

/** Makes a table of a PSP's words, which are written in lists with spaces between them. */
export function faultsIn(...lists: readonly (readonly [Fault, string])[]): FaultTable {
  return new Map(lists.flatMap(([fault, words]) => words.split(/\s+/).map((word) => [word, fault] as const)))
}

/**
 * Returns why a payment failed, for the shop: the hub's word, then the PSP's word and sentence. For an
 * unknown word the card counts as declined, so that the till offers to pay another way.
 */
export function faultOf(
  table: FaultTable,
  { psp, code, says }: { psp: string; code: string | null | undefined; says: string | null | undefined },
): string {
  const fault = table.get(code ?? '') ?? 'declined'
  const said = [code === fault ? null : code, says].filter(Boolean).join(': ')
  return `${fault}: ${said || `${psp} does not say why.`}`
}

export type RefusedOrder = Refused & { reason: Fault }

export type AnnounceAnswer = Announced | RefusedOrder | Unavailable

/** The reasons that a PSP's error codes, and the fields that its errors name, stand for. */
export type Reasons = ReadonlyMap<string, RefusalReason>

export function refusedOrder(reason: RefusedOrder['reason'], message: string): RefusedOrder {
  return { is: 'refused', reason, message }
}

/** Returns the reason for the first of an error's words (code, field) that the table has. */
export function reasonIn(reasons: Reasons, ...words: readonly (string | null | undefined)[]): RefusalReason {
  return (
    words.map((word) => reasons.get(word ?? '')).find((reason) => reason !== undefined) ?? 'refused_other'
  )
}

/** Treats a word that the hub's table lacks as no answer. The operator sees the word in the log. */
export function unknownWord(psp: string, of: string, word: string): Unavailable {
  const shown = word.slice(0, 100)
  return {
    is: 'unavailable',
    message: `${psp} says that the ${of} is "${shown}", which the hub does not know.`,
  }
}

/** Looks a PSP's word up in a table; undefined for an unknown word. */
export function wordIn<Said>(table: Readonly<Record<string, Said>>, word: unknown): Said | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined
}

/**
 * The meaning of a PSP's word; each adapter has a table of its PSP's words. `open`: the customer may act.
 * `underway`: the customer has acted, and money is coming. `authorized`: the PSP has reserved the money.
 * `closed`: the payment can no longer be paid. After an end that is not closed money may still come.
 */
export type Meaning =
  | { is: 'open' | 'underway' | 'authorized' | 'paid' }
  | { is: 'ended'; status: Exclude<Status, 'PENDING' | 'SUCCESS'>; closed: boolean }

export const OPEN = { is: 'open' } as const satisfies Meaning
export const UNDERWAY = { is: 'underway' } as const satisfies Meaning
export const AUTHORIZED = { is: 'authorized' } as const satisfies Meaning
export const PAID = { is: 'paid' } as const satisfies Meaning

/** Returns an end after which no money can come. */
export function closedAs(status: 'FAILURE' | 'CANCELLED' | 'EXPIRED'): Meaning {
  return { is: 'ended', status, closed: true }
}

/** Returns an end after which money may still come. */
export function endedAs(status: 'FAILURE' | 'CANCELLED' | 'EXPIRED'): Meaning {
  return { is: 'ended', status, closed: false }
}

/** How many days a payment may take, by the PSP's name of the method; `otherwise` for any other method. */
export type PatienceTable = { methods: ReadonlyMap<string, number>; otherwise: number; authorized: number }

/** Converts a meaning to a status and a stage. `method`: the customer's choice, null if unknown. */
export function standingOf(
  meaning: Meaning,
  { methods, otherwise, authorized }: PatienceTable,
  method: string | null,
): Pick<Observed, 'status' | 'stage' | 'closed'> {
  const { is } = meaning
  if (is === 'paid') return { status: 'SUCCESS' }
  if (is === 'ended') return { status: meaning.status, closed: meaning.closed }
  if (is === 'open') return { status: 'PENDING', stage: { is } }
  const days = methods.get(method ?? '') ?? (is === 'authorized' ? authorized : otherwise)
  return { status: 'PENDING', stage: { is, patience: days * DAY } }
}
