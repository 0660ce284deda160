import * as v from 'valibot'
import { ListedJob } from './job-search.ts'
import { isCurrency } from './money.ts'
import { type Operations, CHANGE, LOOK, done } from './operation.ts'
import { after, inMode, monthText } from './queries.ts'
import { Integer, Mode, Moment, Money, clearText } from './values.ts'

export const LineKind = v.picklist(['payment', 'refund', 'chargeback', 'reversal', 'fee', 'correction'])

/** Why a line of a payout needs a look: the hub's own records do not explain it. */
export const Finding = v.picklist([
  'unknown',
  'amount-differs',
  'refund-missing',
  'fee-unusual',
  'payout-returned',
])
export type Finding = v.InferOutput<typeof Finding>

/** The members of a payout's line that identify a payment. */
const LINE = {
  kind: LineKind,
  job: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  orderNumber: v.nullable(v.string()),
  text: v.string(),
}

/** The members of a line that the books read but do not keep. `transfer`: the PSP's id of what it is about. */
const SENT = { transfer: v.optional(v.string()), isReturn: v.optional(v.boolean()) }

/**
 * A part of a payout that a client read from a PSP's file: lines from the number `from` on. `total` is
 * how many the payout has; it counts once all have arrived. Amounts are in minor units, times in
 * milliseconds.
 */
export const PayoutPart = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w.:-]{1,100}$/, 'must be the id of a payout'), v.examples(['po_1Abc'])),
  currency: v.pipe(v.string(), v.check(isCurrency, 'must be a currency such as EUR'), v.examples(['EUR'])),
  amount: Money,
  paidAt: Moment,
  merchant: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(100, 'must have at most 100 characters'),
      v.description("Adyen's name of the merchant account that was paid. It must be that of this account."),
    ),
  ),
  from: Integer,
  total: Integer,
  lines: v.pipe(
    v.array(v.object({ ...LINE, ...SENT, at: Moment, gross: Money, fee: Money })),
    v.maxLength(400, 'must be at most 400 lines'),
  ),
})

/**
 * A payout. `amount` is what the PSP paid, `explained` the sum of its lines, and `difference` the
 * rest. `findings` counts the lines that the hub cannot explain. `corrects` is the closed month that
 * it belongs to, if it is booked in a later month for that reason.
 */
export const BookedPayout = v.object({
  id: v.string(),
  account: v.string(),
  mode: Mode,
  paid: v.string(),
  month: v.string(),
  corrects: v.nullable(v.string()),
  currency: v.string(),
  amount: v.string(),
  explained: v.string(),
  difference: v.string(),
  fees: v.string(),
  lines: v.number(),
  findings: v.number(),
  /** When the hub learnt that the bank gave it back. */
  returned: v.nullable(v.string()),
})
export type BookedPayout = v.InferOutput<typeof BookedPayout>

export const PayoutLines = v.object({
  payout: BookedPayout,
  lines: v.array(
    v.object({
      ...LINE,
      line: v.number(),
      at: v.string(),
      gross: v.string(),
      fee: v.string(),
      net: v.string(),
      finding: v.nullable(Finding),
    }),
  ),
  next: v.nullable(v.string()),
})
export type PayoutLines = v.InferOutput<typeof PayoutLines>

/** The lines of payouts that belong to one payment job, oldest first. */
export const PayoutsOfJob = v.object({
  lines: v.array(
    v.object({
      payout: v.string(),
      account: v.string(),
      paid: v.string(),
      currency: v.string(),
      kind: LineKind,
      gross: v.string(),
      fee: v.string(),
    }),
  ),
})
export type PayoutsOfJob = v.InferOutput<typeof PayoutsOfJob>

/**
 * The payouts of a mode that are booked in a month. An operator can close it once it is `over`;
 * `closed` says who did. `laterClosed` is the latest closed month after it, which must be reopened
 * first.
 */
export const BooksMonth = v.object({
  month: v.string(),
  mode: Mode,
  over: v.string(),
  closed: v.nullable(v.object({ at: v.string(), by: v.string(), note: v.string() })),
  laterClosed: v.nullable(v.string()),
  payouts: v.array(BookedPayout),
})
export type BooksMonth = v.InferOutput<typeof BooksMonth>

/**
 * How many payouts and lines a fetch wrote. `leftOut`: payouts that cannot be booked, and why; the
 * next fetch tries them again.
 */
export const FetchedPayouts = v.object({
  payouts: v.number(),
  lines: v.number(),
  leftOut: v.array(v.object({ payout: v.string(), why: v.string() })),
  next: v.nullable(v.string()),
})

/** `isWhole`: the hub has all lines of the payout. */
export const ImportedPart = v.object({ isWhole: v.boolean(), findings: v.number() })

/** Payments that were paid and are in no payout yet, oldest first; `more`: the list is cut off. */
export const OpenPayments = v.object({
  mode: Mode,
  jobs: v.array(
    v.pick(ListedJob, ['id', 'created', 'account', 'orderNumber', 'currency', 'paid', 'status', 'unapplied']),
  ),
  more: v.boolean(),
})
export type OpenPayments = v.InferOutput<typeof OpenPayments>

/** The accounts of double entry. `unexplained`: money of a payout that no line explains. */
export const Post = v.picklist([
  'bank',
  'payments',
  'refunds',
  'chargebacks',
  'fees',
  'corrections',
  'unexplained',
])
export type Post = v.InferOutput<typeof Post>

/**
 * Double entry: a journal for each day, account and currency, whose postings add up to zero. What
 * `corrects` a closed month has a journal of its own.
 */
export const DoubleEntry = v.object({
  month: v.string(),
  mode: Mode,
  journals: v.array(
    v.object({
      date: v.string(),
      account: v.string(),
      currency: v.string(),
      corrects: v.nullable(v.string()),
      payouts: v.array(v.string()),
      postings: v.array(v.object({ post: Post, amount: v.string() })),
    }),
  ),
})
export type DoubleEntry = v.InferOutput<typeof DoubleEntry>

const mode = inMode('Of this mode: by default live payouts, or test ones while no point of sale is live.')
export const OfMode = v.object({ mode })

export const ClosingNote = v.object({
  mode,
  note: v.optional(
    v.pipe(clearText(500), v.description('Why it may be closed although something is not explained.')),
    '',
  ),
})

const ofMonth = v.object({ month: monthText('A month in UTC.', '2026-01') })
const account = v.optional(v.pipe(v.string(), v.description('Of this account.')))

export const BOOKS_OPERATIONS = {
  fetchPayouts: {
    ...CHANGE,
    path: '/operator/v1/books/accounts/:id/fetch',
    audit: { action: 'books.fetch' },
    summary: 'Ask a PSP for its payouts, and book the new ones',
    description:
      'One part at a time: continue with `next`. The hub does not fetch a booked payout again, and one that cannot be booked holds up no other.',
    query: v.object({ after }),
    answer: done(FetchedPayouts),
    problems: ['account-not-found', 'account-conflict', 'psp-unavailable'],
  },
  importPayout: {
    ...CHANGE,
    isLarge: true,
    path: '/operator/v1/books/accounts/:id/payouts',
    audit: { action: 'books.import' },
    summary: "Book a part of a payout from a PSP's file",
    description:
      'Line 1 begins the payout, which counts once all its lines have arrived. It replaces a payout that is booked already, or corrects it if its month is closed.',
    body: PayoutPart,
    answer: done(ImportedPart),
    problems: ['account-not-found', 'payout-conflict'],
  },
  showMonth: {
    ...LOOK,
    path: '/operator/v1/books/months/:month',
    params: ofMonth,
    summary: 'See the payouts of a month, and whether they are explained',
    query: OfMode,
    answer: done(BooksMonth),
  },
  showPayout: {
    ...LOOK,
    path: '/operator/v1/books/payouts/:id',
    summary: 'See what is in a payout, line by line',
    query: v.object({
      account,
      findings: v.optional(v.pipe(v.literal('1'), v.description('`1`: only unexplained lines.'))),
      after,
    }),
    answer: done(PayoutLines),
    problems: ['payout-not-found'],
  },
  listPayoutsOfJob: {
    ...LOOK,
    path: '/operator/v1/jobs/:id/payouts',
    summary: 'See which payouts have money of a payment job, and the fees of the PSP',
    answer: done(PayoutsOfJob),
  },
  listOpenPayments: {
    ...LOOK,
    path: '/operator/v1/books/open',
    summary: 'List payments that were paid and are in no payout yet',
    description:
      'At every account of the mode, also one that has never paid out. At most 200, of the last 120 days.',
    query: v.object({
      mode,
      account,
      days: v.pipe(
        v.optional(v.string(), '0'),
        v.description('Created at least this many days ago.'),
        v.regex(/^\d{1,3}$/, 'must be a number of days'),
        v.transform(Number),
      ),
    }),
    answer: done(OpenPayments),
  },
  closeMonth: {
    ...CHANGE,
    path: '/operator/v1/books/months/:month/close',
    params: ofMonth,
    audit: { action: 'books.close' },
    summary: 'Close a month',
    description:
      "Later payouts are booked in the next open month. A month that is not explained to the cent needs a note. A month can be closed once it is over, in UTC and in the hub's time zone.",
    body: ClosingNote,
    answer: done(BooksMonth, 'The month is closed.'),
    problems: ['books-unexplained', 'month-not-over', 'month-conflict'],
  },
  reopenMonth: {
    ...CHANGE,
    path: '/operator/v1/books/months/:month/reopen',
    params: ofMonth,
    audit: { action: 'books.reopen' },
    summary: 'Reopen a month',
    description:
      'Payouts that were booked later because the month was closed move back into it. Not possible once a later month is closed.',
    body: OfMode,
    answer: done(BooksMonth, 'The month is open again.'),
    problems: ['month-conflict'],
  },
  showDoubleEntry: {
    ...LOOK,
    path: '/operator/v1/books/months/:month/double-entry',
    params: ofMonth,
    summary: 'Get a month as double entry',
    query: OfMode,
    answer: done(DoubleEntry),
  },
} as const satisfies Operations
