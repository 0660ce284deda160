import * as v from 'valibot'
import { JobReport } from './failing-reports.ts'
import { isCurrency, parseAmount } from './money.ts'
import { parseJobId } from './ids.ts'
import { type Operations, CHANGE, done, LOOK } from './operation.ts'
import { PaymentJob, PaymentJobEvents } from './payment-job.ts'
import { DAY, HOUR } from './timestamp.ts'
import { listedPosition, openRange, operatorTime, pageLimit, searched } from './queries.ts'
import { Capture, OperatorNewCapture } from './capture.ts'
import { OperatorNewRefund, Refund } from './refund.ts'
import { ListedModes, members, Mode, MUST_BE_TEXT, Stage, Status } from './values.ts'
import { Why } from './why.ts'

/** A payment job as the index has it, which may lag by seconds. CSV files keep this order. */
export const ListedJob = v.object({
  id: v.string(),
  created: v.string(),
  pos: v.string(),
  /** The name of the point of sale; its id where the hub no longer has that point of sale. */
  posName: v.string(),
  /** The mode of the point of sale: whether money moves. */
  mode: Mode,
  account: v.string(),
  /** The PSP's id of the payment, once the hub announced it. */
  reference: v.nullable(v.string()),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amount: v.string(),
  paid: v.string(),
  paidAt: v.nullable(v.string()),
  refunded: v.string(),
  chargedBack: v.string(),
  /** The rest of `paid` after refunds and chargebacks. */
  net: v.string(),
  status: Status,
  updated: v.string(),
  /** When its report began to fail; null while none fails. */
  owedSince: v.nullable(v.string()),
  givenUp: v.nullable(v.string()),
  /** The share of `net` that pays no order: a part of one that ended, too much, a second payment, or one that came late. */
  unapplied: v.string(),
  /** Other jobs of the order number that were paid too, with spaces between. */
  alsoPaidBy: v.nullable(v.string()),
  /** The money reserved for the shop to capture, and what was let go of it. It is no part of `paid` or `net`. */
  authorized: v.string(),
  released: v.string(),
  /** Until when the shop can capture what is reserved; null where nothing is. */
  captureBefore: v.nullable(v.string()),
  /** The terminal at which the customer pays; null for a payment on a page. `tip`: the part of `paid` on top of `amount`. */
  terminal: v.nullable(v.string()),
  tip: v.string(),
})
export type ListedJob = v.InferOutput<typeof ListedJob>

/**
 * The answer of `GET /jobs`, newest first. `next` is the `after` of the next page, or null at the
 * end. A page of a filtered search may have few jobs, or none, and still a `next`.
 */
export const OperatorJobList = v.object({ jobs: v.array(ListedJob), next: v.nullable(v.string()) })
export type OperatorJobList = v.InferOutput<typeof OperatorJobList>

/**
 * The answer of `GET /jobs/{id}` and `POST /jobs/{id}/resend`: the job as its point of sale reads
 * it, with the account and the reports.
 */
export const JobDetail = v.object({
  ...PaymentJob.entries,
  pos: v.string(),
  mode: Mode,
  /**
   * The name of the point of sale; its id where it has no name, or where the hub cannot read it
   * now.
   */
  posName: v.string(),
  account: v.string(),
  announcement: v.picklist(['due', 'announced', 'refused']),
  /** The PSP's id of the payment, once the hub announced it. */
  reference: v.nullable(v.string()),
  /** The state of a PENDING payment that does not wait for its customer. */
  stage: v.nullable(Stage),
  /** Money came after the job had ended. */
  late: v.boolean(),
  /** The money that pays no order, until it is given back, collected or cleared. */
  unapplied: v.string(),
  captures: v.array(Capture),
  /** The most that can be captured or released. */
  capturable: v.string(),
  refunds: v.array(Refund),
  /** The most that a refund can give back. */
  refundable: v.string(),
  /**
   * Payments that other accounts hold or may hold: one of these accounts did not answer when the
   * hub announced the order there.
   */
  otherPayments: v.array(
    v.object({ account: v.string(), reference: v.nullable(v.string()), amountPaid: v.string() }),
  ),
  reports: v.array(JobReport),
  /**
   * Accounts that the hub tried in vain before the one that has the payment, or that it still
   * tries.
   */
  passedOver: v.array(v.string()),
  /**
   * Accounts earlier in the route that the hub did not ask first when it created the job: their
   * breaker was open since then, or they had too many orders at once.
   */
  skipped: v.array(v.object({ account: v.string(), since: v.string() })),
  /**
   * When the hub last asked the PSP how the payment stands, whether or not the PSP answered. As far as
   * the hub remembers: an answer that told nothing new is not stored.
   */
  askedAt: v.nullable(v.string()),
  /** When the hub asks next by itself: never in the past; null when it asks no more. */
  nextAskAt: v.nullable(v.string()),
  /** When the hub will do each thing with the job by itself; null for what it does not plan. */
  timers: v.object({
    expires: v.nullable(v.string()),
    nextPull: v.nullable(v.string()),
    nextAnnouncement: v.nullable(v.string()),
    nextReport: v.nullable(v.string()),
    purge: v.nullable(v.string()),
  }),
  why: Why,
})
export type JobDetail = v.InferOutput<typeof JobDetail>

/**
 * The answer of `GET /jobs/{id}/journal`: the job's entries, oldest first. Times in facts are in
 * milliseconds, amounts in minor units. `hash` covers the entry and all entries before it
 * (docs/storage/shapes.md).
 */
export const JobJournal = v.object({
  paymentJob: v.string(),
  entries: v.array(
    v.object({
      number: v.number(),
      at: v.string(),
      version: v.number(),
      facts: v.array(v.objectWithRest({ is: v.string() }, v.unknown())),
      hash: v.string(),
    }),
  ),
})
export type JobJournal = v.InferOutput<typeof JobJournal>

/** The answer of `POST /jobs/{id}/erase`. `erased`: there was personal data to erase. */
export const ErasedJob = v.object({ paymentJob: v.string(), erased: v.boolean() })

/**
 * The answer of `POST /jobs/{id}/personal`: the customer's personal data. `ipAddress` is null once
 * the hub erased it, and an empty text where the shop sent none.
 */
export const JobPersonal = v.object({ paymentJob: v.string(), ipAddress: v.nullable(v.string()) })

/** Reads an amount into ten-thousandths, so that one number is compared in all currencies. */
function decimal(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.description(description),
      v.examples(['12.50']),
      v.transform((text) => parseAmount(text, 'CLF')),
      v.check(({ ok: isOne }) => isOne, 'must be a decimal number such as 12.50'),
      v.transform((read) => (read.ok ? read.value : Number.NaN)),
    ),
  )
}

function isStatus(text: string): text is Status {
  return v.is(Status, text)
}

export const ofPos = searched(
  'Of this point of sale: its id, or its name if it is the only one of that name.',
)
export const ofMethod = searched('Of this payment method.')
export const atAccount = searched('At this account.')

/** The parameters of a search for jobs. */
const SEARCH = {
  q: searched('A job id, an order number, an order id, a reference of a PSP, or the name of a shop.'),
  id: v.optional(
    v.pipe(
      v.string(),
      v.metadata({ format: 'uuid' }),
      v.description('The job of this id. No other parameter goes with it.'),
      v.transform(parseJobId),
      v.check((id) => id !== null, 'must be the id of a payment job'),
    ),
  ),
  order_number: searched('Jobs of this order number.'),
  order_id: searched('Jobs of this order id.'),
  reference: searched("The job of this payment, by the PSP's own id."),
  pos: ofPos,
  status: v.optional(
    v.pipe(
      v.string(),
      v.metadata({ minLength: 1 }),
      v.description('Of one of these statuses, with commas between.'),
      v.examples(['FAILURE,EXPIRED']),
      v.transform((text) => text.split(',')),
      v.check((all) => all.every(isStatus), `must be of ${Status.options.join(', ')}, with commas between`),
      v.transform((all) => all.filter(isStatus)),
    ),
  ),
  method: ofMethod,
  account: atAccount,
  currency: v.optional(
    v.pipe(
      v.string(),
      v.description('In this currency.'),
      v.examples(['EUR']),
      v.toUpperCase(),
      v.check(isCurrency, 'must be a currency such as EUR'),
    ),
  ),
  amount: decimal('Of exactly this amount.'),
  amount_from: decimal('Of this amount or more.'),
  amount_to: decimal('Of this amount or less.'),
  mode: v.optional(v.pipe(ListedModes, v.description('Of points of sale in this mode, or `all` for both.'))),
  failing: v.optional(
    v.pipe(v.picklist(['1'], 'must be 1'), v.description('Whose report its shop does not take.')),
  ),
  unapplied: v.optional(
    v.pipe(
      v.picklist(['1'], 'must be 1'),
      v.description('With money that pays no order: it is to be given back, collected or cleared.'),
    ),
  ),
  ends_within: v.optional(
    v.pipe(
      v.string(),
      v.description('With reserved money that can be captured for this long at most: in hours or days.'),
      v.examples(['24h', '7d']),
      v.regex(/^[1-9]\d{0,2}[hd]$/, 'must be hours or days such as 24h or 7d'),
      v.transform((text) => Number.parseInt(text, 10) * (text.endsWith('d') ? DAY : HOUR)),
    ),
  ),
  ...openRange,
}
/** The parameters of a search that name something of one mode. */
export const OF_ONE_MODE = ['pos', 'account', 'q', 'id', 'order_number', 'order_id', 'reference'] as const

const JobSearch = v.object(SEARCH)
export type JobSearch = v.InferOutput<typeof JobSearch>

const format = v.pipe(
  v.picklist(['csv', 'ndjson'], 'must be csv or ndjson'),
  v.description('What kind of file.'),
)
const separator = v.optional(
  v.pipe(
    v.picklist(['comma', 'semicolon'], 'must be comma or semicolon'),
    v.description(
      'What stands between the cells of a CSV file. With `semicolon` amounts have a decimal comma, and the file begins with a byte ' +
        'order mark, as spreadsheets of countries with a decimal comma want it.',
    ),
  ),
  'comma',
)

/** The header of an export with the mode of all its lines; it is missing where they may be of both. */
export const EXPORT_MODE = 'export-mode'

/** The parameters of a search for movements of money. */
const MOVEMENTS = {
  pos: SEARCH.pos,
  account: atAccount,
  currency: SEARCH.currency,
  mode: SEARCH.mode,
  ...openRange,
}

/**
 * A movement of money; `at` is when the hub learned it. `reversal`: a refund or a chargeback came
 * back. `amount` is negative for money that left the merchant. CSV files keep this order.
 */
export const MoneyMoved = v.object({
  at: v.string(),
  is: v.picklist(['payment', 'refund', 'chargeback', 'reversal']),
  ...v.pick(ListedJob, ['orderNumber', 'orderId', 'currency', 'amount', 'posName', 'account']).entries,
  reference: v.string(),
  ...v.pick(ListedJob, ['paymentMethod', 'mode']).entries,
  paymentJob: v.string(),
  pos: v.string(),
})
export type MoneyMoved = v.InferOutput<typeof MoneyMoved>

/** Why money that pays no order is cleared. */
export const ClearedMoney = members({
  note: v.pipe(
    v.string(MUST_BE_TEXT),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(500, 'must have at most 500 characters'),
  ),
})

const LOOK_AT_JOB = { ...LOOK, problems: ['job-not-found'] } as const
const CHANGE_OF_JOB = { ...CHANGE, problems: ['job-not-found'] } as const

/** The operations with which operators find and repair payment jobs. */
export const JOB_OPERATIONS = {
  searchJobs: {
    ...LOOK,
    path: '/operator/v1/jobs',
    summary: 'Search the index of payment jobs, newest first',
    description:
      'The index may lag behind the jobs by seconds; a job that is searched by its `id` is asked itself. A search by status, method, ' +
      'account, currency or amount looks through a bounded part of the index for each page: a page may have few jobs, or none, and ' +
      'still a `next`. Without a `mode` it has both. `amount` is compared in the currency of each job.',
    query: v.object({ ...SEARCH, limit: pageLimit, after: listedPosition }),
    repeatable: ['status'],
    answer: done(OperatorJobList),
  },
  exportJobs: {
    ...LOOK,
    path: '/operator/v1/jobs/export',
    audit: { action: 'export.jobs', keeps: ['format', 'separator', ...Object.keys(SEARCH)] },
    summary: 'Take all payment jobs of a search as a file',
    description:
      'The file is streamed. A fault on the way breaks the connection off: a file that ends as it should is whole. In CSV (RFC 4180) ' +
      'a text that a spreadsheet would take for a formula, which begins with = + - @, a tab or a carriage return, has an apostrophe ' +
      'before it. Without a `mode` they are of live points of sale where there are any, unless the search names a shop, an account or ' +
      'an order; the header `Export-Mode` says which mode they are of. The order of the jobs is not promised.',
    query: v.object({
      format,
      separator,
      ...SEARCH,
    }),
    repeatable: ['status'],
    answer: {
      status: 200,
      description: 'All that the search finds.',
      files: {
        'text/csv': 'A line of names, and a line for each job.',
        'application/x-ndjson': 'A JSON object (`ListedJob`) on a line for each job.',
      },
    },
  },
  exportMovements: {
    ...LOOK,
    path: '/operator/v1/movements/export',
    audit: { action: 'export.movements', keeps: ['format', 'separator', ...Object.keys(MOVEMENTS)] },
    summary: 'Take every movement of money of a time as a file',
    description:
      'A line for each payment, capture, refund and chargeback, and for each of the latter two that came back (`reversal`), when the hub ' +
      'learnt it. A capture is a `payment`, on its own date; if it fails while its order still waits, another `payment` below zero ' +
      'takes it off again. Reserved money has not moved, and is in no line: the export of jobs has it. ' +
      '`amount` is what the merchant has more, so the sum of all is what is left. Without a `mode` they are of live points of ' +
      'sale where there are any, unless a shop or an account is named; the header `Export-Mode` says which. The order is not promised.',
    query: v.object({ format, separator, ...MOVEMENTS }),
    answer: {
      status: 200,
      description: 'All movements of the time.',
      files: {
        'text/csv': 'A line of names, and a line for each movement.',
        'application/x-ndjson': 'A JSON object (`MoneyMoved`) on a line for each movement.',
      },
    },
  },
  showJob: {
    ...LOOK_AT_JOB,
    path: '/operator/v1/jobs/:id',
    summary: 'See a payment job whole',
    description:
      'As its point of sale reads it, with its account, its refunds, every try of its reports, and why it stands as it does. With `at` ' +
      'it is told as it stood then, with what the hub knew and was about to do.',
    query: v.object({
      at: v.optional(
        operatorTime(
          'As it stood at the end of this millisecond of its own clock; at a time to come, as it stands now.',
        ),
      ),
    }),
    answer: done(JobDetail),
  },
  showJournal: {
    ...LOOK_AT_JOB,
    path: '/operator/v1/jobs/:id/journal',
    summary: 'Read the journal of a payment job',
    description:
      'Every fact that the hub knows about the payment, in the order in which it learned them. Nothing in it ever changes: keep a ' +
      '`hash`, and you can tell later whether all up to it is still as it was. Nothing of the customer is in it.',
    answer: done(JobJournal),
  },
  watchJob: {
    ...LOOK_AT_JOB,
    path: '/operator/v1/jobs/:id/events',
    summary: 'Follow a payment job',
    description: 'For up to eight hours. A job has 250 watchers at most.',
    headers: ['LastEventId'],
    answer: {
      status: 200,
      description: 'The stream of its events.',
      events: PaymentJobEvents,
    },
    problems: ['job-not-found', 'too-many-watchers'],
  },
  resendReport: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/resend',
    role: 'support',
    audit: { action: 'report.resend' },
    summary: 'Send the newest report of a job again',
    answer: done(JobDetail),
    problems: ['job-not-found', 'job-limit'],
  },
  captureJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/captures',
    audit: { action: 'job.capture', keeps: ['id', 'amount', 'final'] },
    summary: 'Capture reserved money',
    description: 'The same `id` again is the same capture. With `final`, what it leaves is released.',
    body: OperatorNewCapture,
    answer: done(Capture),
    problems: [
      'capture-not-reserved',
      'capture-nothing-left',
      'capture-limit',
      'capture-too-much',
      'idempotency-key-reused',
      'job-not-found',
    ],
  },
  releaseJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/release',
    audit: { action: 'job.release' },
    summary: 'Release what is reserved and not captured',
    description: 'Some PSPs let go of it later: the job stays as it is until then.',
    answer: done(JobDetail),
    problems: [
      'capture-not-reserved',
      'capture-nothing-left',
      'capture-limit',
      'release-refused',
      'job-not-found',
    ],
  },
  refundJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/refunds',
    audit: { action: 'job.refund', keeps: ['id', 'amount'] },
    summary: 'Give money back',
    description: 'The same `id` again is the same refund.',
    body: OperatorNewRefund,
    answer: done(Refund),
    problems: [
      'refund-unpaid',
      'refund-nothing-left',
      'refund-limit',
      'refund-too-much',
      'idempotency-key-reused',
      'job-not-found',
    ],
  },
  clearMoney: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/clear-money',
    audit: { action: 'job.clear-money' },
    summary: 'Say that money which pays no order is cleared',
    description:
      'It was collected at the counter, say, or delivered for after all. Nothing happens at the PSP; the audit log keeps the note.',
    body: ClearedMoney,
    answer: done(JobDetail),
    problems: ['nothing-to-clear', 'job-not-found'],
  },
  cancelJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/cancel',
    audit: { action: 'job.cancel' },
    summary: 'Stop what the customer can still pay',
    answer: done(JobDetail),
    problems: ['cancel-too-late', 'psp-unavailable', 'job-not-found'],
  },
  eraseJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/erase',
    audit: { action: 'job.erase' },
    summary: "Erase the customer's personal data of a job",
    description:
      "The customer's IP address leaves the journal for good, and the hashes of the journal stay what they were. Nothing else of the job " +
      'changes, and it can be asked for twice.',
    answer: done(ErasedJob),
  },
  showPersonal: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/personal',
    audit: { action: 'job.personal' },
    summary: "See the customer's personal data of a job",
    description: 'A POST, so that the audit log has who saw it.',
    answer: done(JobPersonal),
  },
  pullJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/pull',
    role: 'support',
    audit: { action: 'job.pull' },
    summary: 'Ask the PSP how a payment stands',
    answer: done(JobDetail),
    problems: ['psp-unavailable', 'job-not-found'],
  },
  announceJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/announce',
    role: 'support',
    audit: { action: 'job.announce' },
    summary: 'Announce a payment now that waits for its PSP',
    description:
      'By the route that its point of sale has now, so an account that was added since takes over. One that is announced stays as it is.',
    answer: done(JobDetail),
    problems: ['announce-too-late', 'psp-unavailable', 'job-not-found'],
  },
} as const satisfies Operations
