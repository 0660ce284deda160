import * as v from 'valibot'
import { failingPosition, JobReportList, OwnFailingReports } from './failing-reports.ts'
import type { Right } from './key-limits.ts'
import type { Operation, Operations } from './operation.ts'
import { languageTag } from './language-tag.ts'
import { NewOrder } from './order.ts'
import { CreatedPaymentJob, PaymentJob, PaymentJobEvents, PaymentJobList } from './payment-job.ts'
import { PaymentMethods } from './payment-methods.ts'
import { pageLimit, searched, sentPosition, sentTime } from './queries.ts'
import { Advance } from './advance.ts'
import {
  CaptureList,
  Capture,
  NewCapture,
  NewRelease,
  OF_RESERVED_MONEY,
  NewRefund,
  OF_PINS,
  OF_REFUNDS,
  Refund,
  RefundList,
} from './instruction.ts'
import { TerminalList } from './terminals.ts'
import { Status, documented } from './values.ts'

export const Token = documented('An access token, and when it expires.', {
  token: v.pipe(
    v.string(),
    v.minLength(1),
    v.description('The access token. Cache it: each request makes a new one.'),
  ),
  expiration: v.pipe(
    v.number(),
    v.integer(),
    v.description('When it expires, in Unix seconds: 24 hours from now, or with its API key.'),
    v.examples([1_790_086_400]),
  ),
  expiration_datetime: v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    v.description('The same time in ISO 8601.'),
    v.examples(['2026-09-22T14:13:20+00:00']),
  ),
})
export type Token = v.InferOutput<typeof Token>

export const Health = documented('Whether the hub can serve shops, and its release.', {
  status: v.pipe(
    v.picklist(['ok', 'failing']),
    v.description('`ok`: the hub answers requests. `failing`, with the status 503: it cannot serve shops.'),
  ),
  version: v.pipe(
    v.string(),
    v.regex(/^\d+\.\d+\.\d+/),
    v.description('The release of the hub.'),
    v.examples(['0.3.0']),
  ),
  registry: v.exactOptional(
    v.pipe(
      v.literal('lost'),
      v.description('Set while the hub has lost points of sale. The operator restores them.'),
    ),
  ),
  lastBackup: v.exactOptional(
    v.pipe(
      v.string(),
      v.metadata({ format: 'date-time' }),
      v.description('The time of the last backup to a bucket, if that was within three days.'),
    ),
  ),
})
export type Health = v.InferOutput<typeof Health>

const POS = ['accessToken', 'apiKey'] as const
const SIGNED = ['X-Signature'] as const
function signed<Schema extends v.GenericSchema>(description: string, schema: Schema) {
  return { status: 200, description, schema, headers: SIGNED } as const
}

const KEY_PROBLEMS = ['idempotency-key-malformed', 'idempotency-key-reused'] as const

/** A read of one thing, not of a list. */
const SINGLE = { ignoresOtherParameters: true } as const

const TOKEN = {
  ...SINGLE,
  method: 'GET',
  tag: 'Access',
  credentials: ['apiKey'],
  answer: { status: 200, description: 'A new access token.', schema: Token },
} as const

const LIST = { method: 'GET', credentials: POS, right: 'read' } as const
const LIST_OF_JOB = { ...LIST, problems: ['job-not-found'] } as const
const READ = { ...SINGLE, ...LIST } as const
const WRITE = { method: 'POST', credentials: POS } as const

/** The operations of points of sale that take no access token. */
export const OPEN_OPERATIONS = {
  createToken: {
    ...TOKEN,
    path: '/v1/guardian',
    summary: 'Get an access token',
    description:
      'Exchanges the API key for an access token with its rights, which is valid for 24 hours, or until the key ends. Cache it: each call makes a new one, and calls are ' +
      'limited. Get the next one some minutes before it expires, and once after a 401.',
  },
  createTokenBelowApi: {
    ...TOKEN,
    path: '/api/v1/guardian',
    summary: 'Get an access token, at the other address',
    description: 'The same as `GET /v1/guardian`, for clients that put `/api` in front.',
  },
  /**
   * A WebSocket, which OpenAPI cannot describe. A browser sends its token as a subprotocol, so the
   * handler authenticates it.
   */
  listenToReports: {
    method: 'GET',
    path: '/v2/reports/listen',
    tag: 'Reports',
    summary: 'Listen to the reports of a point of sale in test mode',
    credentials: [],
    right: 'read',
    // The handler checks it, after authentication.
    query: v.object({ as: v.optional(v.string()) }),
    answer: { status: 101, description: 'The socket. `report-frames.ts` has its messages.' },
    problems: ['test-mode-only', 'too-many-listeners', 'upgrade-required'],
  },
} as const satisfies Operations

/**
 * The operations of points of sale that take an access token. The hub serves only known points of
 * sale whose key has the right, and signs the answer.
 */
export const SIGNED_OPERATIONS = {
  listPaymentMethods: {
    ...LIST,
    path: '/v2/paymentmethods',
    tag: 'Payment methods',
    summary: 'List the payment methods that you can use now',
    description:
      'Each with its name in the language you ask for, and its currencies and limits as far as the hub knows them.',
    query: v.object({
      language: v.optional(
        v.pipe(
          languageTag,
          v.description('The language of the names. By default that of `Accept-Language`, or English.'),
          v.examples(['nl']),
        ),
      ),
    }),
    answer: {
      status: 200,
      description: 'The methods.',
      schema: PaymentMethods,
      headers: [...SIGNED, 'Content-Language'],
    },
  },
  listTerminals: {
    ...READ,
    path: '/v2/terminals',
    tag: 'Terminals',
    summary: 'List your card terminals',
    description:
      'The terminals that the operator gave this point of sale, whether each is on, and which of your jobs it is working on. Send an `id` as the ' +
      '`terminal` of an order. In test mode there are three simulated ones.',
    answer: signed('The terminals.', TerminalList),
  },
  listPaymentJobs: {
    ...LIST,
    path: '/v2/paymentjobs',
    tag: 'Payment jobs',
    summary: 'Find payment jobs',
    description:
      'The jobs of this point of sale, newest first. The index lags by seconds: read a new job by its id.',
    limit: 'search',
    query: v.object({
      order_number: searched('Jobs of this order number.'),
      order_id: v.optional(
        v.pipe(
          v.string(),
          v.regex(/^\d{1,32}$/, 'must be 1 to 32 digits'),
          v.description('Jobs of this order id, such as the parts of an order that is paid in several.'),
        ),
      ),
      from: sentTime('from', 'Created at this time or later.'),
      to: sentTime('to', 'Created before this time, or on this day.'),
      status: v.optional(
        v.pipe(
          v.picklist(Status.options, `must be one of ${Status.options.join(', ')}`),
          v.metadata({ $ref: Status }),
          v.description('Jobs with this status.'),
        ),
      ),
      limit: pageLimit,
      after: sentPosition,
    }),
    answer: signed('A page of jobs.', PaymentJobList),
  },
  createPaymentJob: {
    ...WRITE,
    right: 'create',
    path: '/v2/paymentjobs',
    tag: 'Payment jobs',
    summary: 'Create a payment job',
    description:
      'Announces the order at the PSP, and creates the job. Send the customer to its `payUrl`. An order with a `terminal` goes to that ' +
      'card terminal at once: follow the job until it ends. If you do not know whether a create succeeded ' +
      '(no answer, 429 or 5xx), repeat it with the same `Idempotency-Key`: there will be one job and one payment.',
    limit: 'create',
    headers: ['IdempotencyKey'],
    body: NewOrder,
    keepsDigits: true,
    // The handler reads the body, so that one answer names every invalid field, including addresses
    // that lead to the hub itself.
    isBodyReadByHandler: true,
    answer: {
      status: 201,
      description:
        'The job; also if the PSP refused it (`FAILURE`), or if an earlier create with the same key made it.',
      schema: CreatedPaymentJob,
      headers: [...SIGNED, 'Location'],
    },
    problems: [...KEY_PROBLEMS, 'idempotency-key-used-up'],
  },
  getPaymentJob: {
    ...READ,
    path: '/v2/paymentjobs/:id',
    tag: 'Payment jobs',
    summary: 'Read a payment job',
    description:
      'The job as it stands now, with its trace. With `Prefer: wait=30` the hub answers when the job changes. With ' +
      '`Accept: text/event-stream` each step is an event, for up to eight hours. A job has at most 250 watchers: the next one gets a 429, and ' +
      'can read without waiting.',
    headers: ['Prefer', 'IfNoneMatch', 'LastEventId'],
    answer: {
      status: 200,
      description: 'The job, or the stream of its events.',
      schema: PaymentJob,
      headers: ['X-Signature-Of-Json', 'ETag', 'X-Trace-Head', 'Preference-Applied'],
      events: PaymentJobEvents,
      unchanged: ['X-Signature', 'ETag', 'X-Trace-Head', 'Preference-Applied'],
    },
    problems: ['job-not-found', 'too-many-watchers'],
  },
  cancelPaymentJob: {
    ...WRITE,
    right: 'cancel',
    path: '/v2/paymentjobs/:id/cancel',
    tag: 'Payment jobs',
    summary: 'Cancel a payment job',
    description:
      'Stops a payment that is still open. If it is too late, a 409 says how the job stands. At a terminal it is only a request: the hub passes it on, ' +
      'and a job that is still `PENDING` ends as `CANCELLED`, or as `SUCCESS` if the card was quicker. Needs no body.',
    answer: signed('The job, now `CANCELLED`; at a terminal it may still be `PENDING`.', PaymentJob),
    problems: ['job-not-found', 'cancel-too-late', 'psp-unavailable'],
  },
  advancePaymentJob: {
    ...WRITE,
    right: 'create',
    path: '/v2/paymentjobs/:id/advance',
    tag: 'Payment jobs',
    summary: 'Advance the time of a job in test mode',
    description:
      "Moves the job's clock, and that of its payment in the sandbox. Whatever becomes due happens at once, in order: expiry, questions to the PSP, and " +
      'each try of a report. The answer waits for that, at most 15 s. A repeated call lets the time pass again: read the job before you repeat one.',
    body: Advance,
    answer: signed('The job as it then stands.', PaymentJob),
    problems: ['job-not-found', 'job-limit', 'test-mode-only'],
  },
  createCapture: {
    ...WRITE,
    right: 'capture',
    path: '/v2/paymentjobs/:id/captures',
    tag: 'Captures',
    summary: 'Capture reserved money',
    description:
      'For an order with `capture: "manual"`: captures an amount, or all that is left if you name none; with `final`, releases the rest. It never captures more ' +
      'than is reserved. Send an `Idempotency-Key`: a repetition is then the same capture. If the PSP refuses, a 422 has its words.',
    limit: 'create',
    headers: ['IdempotencyKeyOfCapture'],
    body: NewCapture,
    isBodyOptional: true,
    keepsDigits: true,
    answer: {
      ...signed('The capture. If it is `PENDING`, read the list of captures until it is not.', Capture),
      status: 201,
    },
    problems: [...KEY_PROBLEMS, 'job-not-found', ...OF_RESERVED_MONEY, 'capture-too-much', 'capture-refused'],
  },
  listCaptures: {
    ...LIST_OF_JOB,
    path: '/v2/paymentjobs/:id/captures',
    tag: 'Captures',
    summary: 'List the captures of a payment job',
    description: 'The captures that were requested here, the oldest first, each as it stands now.',
    answer: signed('The captures.', CaptureList),
  },
  releasePaymentJob: {
    ...WRITE,
    right: 'capture',
    path: '/v2/paymentjobs/:id/release',
    tag: 'Captures',
    summary: 'Release reserved money',
    description:
      'Releases what is not captured: the job becomes `CANCELLED`, or `SUCCESS` if a part was captured. Some PSPs release it later: the job stays ' +
      '`PENDING` until then. Needs no body, and is safe to repeat.',
    body: NewRelease,
    isBodyOptional: true,
    answer: signed('The job as it then stands.', PaymentJob),
    problems: ['job-not-found', ...OF_RESERVED_MONEY, 'release-refused'],
  },
  createRefund: {
    ...WRITE,
    right: 'refund',
    path: '/v2/paymentjobs/:id/refunds',
    tag: 'Refunds',
    summary: 'Give money back',
    description:
      'Asks the PSP to give back an amount, or all that is left if you name none. It never gives back more than was paid. Send an ' +
      '`Idempotency-Key`: a repetition is then the same refund. If the PSP refuses, a 422 has its words. A key without the right to ' +
      'refund needs the `Refund-PIN`.',
    limit: 'create',
    headers: ['IdempotencyKeyOfRefund', 'RefundPin'],
    body: NewRefund,
    isBodyOptional: true,
    keepsDigits: true,
    answer: {
      ...signed('The refund. If it is `PENDING`, read the list of refunds until it is not.', Refund),
      status: 201,
    },
    problems: [
      ...KEY_PROBLEMS,
      'job-not-found',
      ...OF_PINS,
      ...OF_REFUNDS,
      'refund-day-limit',
      'refund-refused',
    ],
  },
  listRefunds: {
    ...LIST_OF_JOB,
    path: '/v2/paymentjobs/:id/refunds',
    tag: 'Refunds',
    summary: 'List the refunds of a payment job',
    description: 'The refunds that were requested here, the oldest first, each as it stands now.',
    answer: signed('The refunds.', RefundList),
  },
  listReports: {
    ...LIST_OF_JOB,
    path: '/v2/paymentjobs/:id/reports',
    tag: 'Reports',
    summary: 'See the reports of a payment job',
    description: 'Each with its tries, and what your receiver answered.',
    answer: signed('The reports.', JobReportList),
  },
  resendReport: {
    ...WRITE,
    right: 'read',
    path: '/v2/paymentjobs/:id/reports/resend',
    tag: 'Reports',
    summary: 'Resend the newest report of a payment job',
    description: 'The hub sends it at once, even if it had given it up. Needs no body.',
    limit: 'create',
    answer: signed('The reports; one of them is due.', JobReportList),
    problems: ['job-not-found', 'job-limit'],
  },
  listFailingReports: {
    ...LIST,
    path: '/v2/reports',
    tag: 'Reports',
    summary: 'List the reports that your receiver does not accept',
    description:
      'Reports that have been failing for more than a minute, and those that the hub gave up. The list lags by seconds.',
    limit: 'search',
    query: v.object({
      failing: v.pipe(
        v.literal('1', 'must be 1'),
        v.description('Only failing reports, which is all that the list has.'),
      ),
      after: failingPosition,
    }),
    answer: signed('A page of reports.', OwnFailingReports),
  },
} as const satisfies Readonly<Record<string, Operation & { right: Right }>>

export const POS_OPERATIONS = { ...OPEN_OPERATIONS, ...SIGNED_OPERATIONS }

/** The operations for monitors. */
export const HEALTH_OPERATIONS = {
  showHealth: {
    method: 'GET',
    path: '/healthz',
    tag: 'Health',
    summary: 'See whether the hub works',
    description:
      'Needs no token. It is quick, and you may call it often: it looks at the storage once a minute at most.',
    credentials: [],
    answer: {
      status: 200,
      description: 'The hub answers.',
      schema: Health,
      unwell: { status: 503, description: 'The hub has lost points of sale, or is not set up.' },
    },
  },
} as const satisfies Operations
