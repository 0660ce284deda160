import type { Meaning, RefusalReason } from '../../src/psp/answer.ts'
import type { Adapter, PaymentRequest } from '../../src/psp/port.ts'
import type { Answer, Answers, Scripted } from './scripted.ts'

/**
 * What a PSP answers, and what the hub makes of it: each sample once, with the PSP's own words. The tests in this
 * folder play them all at every PSP. `busy`: its answer, if it has one, that it is already processing the same
 * announcement. `refused`: answers to an announcement, and the hub's words. `quoted`: the same, for an answer that
 * quotes the account's key. `nonsense`: no answer to an announcement or a question. `unpayable`: an announcement
 * without a way to pay. `unbelievable`: a paid payment of another order, amount or currency.
 */
export type Samples = {
  adapter: Adapter
  /** What the adapter sends for a payment request, as the PSP would read it. */
  announced: (changes: Partial<PaymentRequest>) => Promise<Record<string, unknown>>
  credentials: object
  at: (...answers: Answers) => Scripted
  /** The header of idempotency keys; missing if the PSP has none. */
  keyHeader?: string
  reference: string
  created: Answer
  checkoutUrl: string
  /** When a payment announced now expires; null if the PSP does not say. */
  expiresAt: number | null
  /** How the requests to announce, to ask and to check begin, and what they say about the account. */
  asks: [announce: string, ask: string, check: string]
  account: Record<string, string>
  working: Answer
  /** Answers that the payment is unknown. */
  unknown: Answer[]
  /** The requests before a request for a refund, and the answer that the refund was accepted. */
  beforeRefund: Answer[]
  refund: Answer
  /** Answers to the announcement with a payment of another amount or in another currency. */
  others: readonly [Answers, Answers]
  /** How the PSP refuses a key, and how it refuses an order, by reason. */
  keys: Answers
  refusals: Record<RefusalReason, Answer>
  /** The payment, paid, with these members instead of its own. */
  paid: (changes: object) => Answer
  /** Members that decide nothing about a paid payment, in undocumented forms. */
  cosmetic: readonly object[]
  busy: Record<string, Answer>
  refused: [Answer, string][]
  quoted?: [Answer, string]
  nonsense: Answer[]
  unpayable: Answer[]
  unbelievable: Answer[]
  amounts: Amounts
  locales: Locales
  notifications: Notifications
  /** Tables of the PSP's page in docs/psps, by their headings: each word, and what it means. */
  words?: Readonly<Record<string, Readonly<Record<string, Meaning>>>>
  /** A file of payouts with one payment of 12.50. */
  payoutFile?: string
}

/**
 * Notifications about the sample job: bodies of them, of which the fuzzer makes similar ones, as JSON or, if it is a
 * text, as it is. `sent`: how the PSP signs one (`at`, in ms) and sends it; an unsigned one has none of these headers.
 * `answer`: what the PSP answers, as JSON or as it is, if the adapter asks about one. `isUnsigned`: the PSP signs none.
 * `isAlwaysRead`: a signed one is never refused, whatever it says, because the PSP would repeat it for days.
 */
type Notifications = {
  examples: readonly object[] | readonly string[]
  sent: (body: unknown, at: number) => Promise<{ headers: Record<string, string>; body: string }>
  answer?: object | string
  isUnsigned?: true
  isAlwaysRead?: true
}

/**
 * How the PSP counts. `step`: the multiples of a currency's minor units (ISO 4217) that it takes; Infinity for
 * none. `values`: amounts in minor units, and what the PSP gets, by its documents. `sent`: the same, in the body of
 * an announcement. `most`: the most minor units of one payment, if the PSP takes less than an order may have.
 * `isChoosy`: the PSP refuses some currencies or amounts itself.
 */
type Amounts = {
  step: (currency: string) => number
  values: readonly (readonly [currency: string, amount: number, value: string | number])[]
  sent: (body: Record<string, unknown>) => unknown
  most?: number
  isChoosy?: true
}

/**
 * `shown`: a customer's languages, each with the locale that the PSP gets, in the member `as`. `none`: languages
 * that the PSP does not have, for which it uses those of the browser.
 */
type Locales = { as: string; shown: string; none: string }

// With a type argument here, Vitest would keep the list of files of an earlier run.
const FILES: Record<string, { samples: Samples }> = import.meta.glob('./*/samples.ts', { eager: true })

/** The samples of each PSP, by the name of its folder. */
export const SAMPLES: Readonly<Record<string, Samples>> = Object.fromEntries(
  Object.entries(FILES).map(([path, { samples }]) => [path.split('/')[1], samples]),
)
