import { type Operation, query, ref } from './operation.ts'

const POS = ['accessToken', 'apiKey'] as const
const KEYED = [ref('parameters', 'IdempotencyKey')]
const SIGNED = ['X-Signature']
/** What an `Idempotency-Key` may be refused for. */
const KEY_PROBLEMS = ['idempotency-key-malformed', 'idempotency-key-reused'] as const
/** What a body may be refused for. */
const OF_A_BODY = ['body-malformed', 'body-too-large', 'content-type-unsupported', 'fields-invalid'] as const

const TOKEN = {
  method: 'get',
  tag: 'Access',
  credentials: ['apiKey'],
  answer: { status: 200, description: 'A new access token.', schema: 'Token' },
  problems: [],
} as const

const TIME = 'An RFC 3339 time such as `2026-01-31T10:00:00Z`, or a date in UTC.'

/** What points of sale can do. */
export const POS_OPERATIONS: readonly Operation[] = [
  {
    ...TOKEN,
    id: 'createToken',
    path: '/v1/guardian',
    summary: 'Get an access token',
    description:
      'Trades the API key for an access token that is valid for 24 hours. Cache it: each call makes a new one, and the calls are ' +
      'limited. Get the next one some minutes before it expires, and once when a request is answered 401.',
  },
  {
    ...TOKEN,
    id: 'createTokenBelowApi',
    path: '/api/v1/guardian',
    summary: 'Get an access token, under its other address',
    description: 'The same as `GET /v1/guardian`, for clients that put `/api` in front of it.',
  },
  {
    id: 'listPaymentMethods',
    method: 'get',
    path: '/v2/paymentmethods',
    tag: 'Payment methods',
    summary: 'List the payment methods that can be used now',
    description:
      'Each with its name in the asked language, and its currencies and limits as far as the hub knows them.',
    credentials: POS,
    parameters: [
      query(
        'language',
        'The language of the names. Without it, `Accept-Language` counts, and then English.',
        {
          type: 'string',
          maxLength: 35,
          examples: ['nl'],
        },
      ),
    ],
    answer: {
      status: 200,
      description: 'The methods.',
      schema: 'PaymentMethods',
      headers: [...SIGNED, 'Content-Language'],
    },
    problems: ['fields-invalid'],
  },
  {
    id: 'listPaymentJobs',
    method: 'get',
    path: '/v2/paymentjobs',
    tag: 'Payment jobs',
    summary: 'Find payment jobs',
    description:
      'The jobs of this point of sale, newest first. The index lags by seconds: read a job that was just made by its id.',
    credentials: POS,
    parameters: [
      query('order_number', 'Jobs of this order number.', { type: 'string', minLength: 1, maxLength: 255 }),
      query('from', `Created at this time or later. ${TIME}`, { type: 'string', examples: ['2026-01-31'] }),
      query('to', `Created before this time, or on this day. ${TIME}`, {
        type: 'string',
        examples: ['2026-01-31'],
      }),
      query('status', 'Jobs that stand so.', ref('schemas', 'Status')),
      query('limit', 'How many, at most.', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
      query('after', 'The `next` of the page before.', { type: 'string' }),
    ],
    answer: { status: 200, description: 'A page of jobs.', schema: 'PaymentJobList', headers: SIGNED },
    problems: ['fields-invalid'],
  },
  {
    id: 'createPaymentJob',
    method: 'post',
    path: '/v2/paymentjobs',
    tag: 'Payment jobs',
    summary: 'Create a payment job',
    description:
      'Announces the order at the PSP, and creates the job. Send the customer to its `payUrl`. When you do not know what became of a ' +
      'create (no answer, 429 or 5xx), repeat it with the same `Idempotency-Key`: there is one job, and one payment.',
    credentials: POS,
    parameters: KEYED,
    body: { schema: 'NewPaymentJob', isRequired: true },
    answer: {
      status: 201,
      description:
        'The job, also where the PSP refused it (`FAILURE`), and the job of a create before with the same key.',
      schema: 'CreatedPaymentJob',
      headers: [...SIGNED, 'Location'],
    },
    problems: [...OF_A_BODY, ...KEY_PROBLEMS, 'idempotency-key-used-up'],
  },
  {
    id: 'getPaymentJob',
    method: 'get',
    path: '/v2/paymentjobs/{id}',
    tag: 'Payment jobs',
    summary: 'Read a payment job',
    description:
      'The job as it stands now, with its trace. With `Prefer: wait=30` it is answered when the job changes. With ' +
      '`Accept: text/event-stream` each step is an event, for up to eight hours. A job has 250 watchers at most: the next is a 429, and ' +
      'may read without waiting.',
    credentials: POS,
    parameters: ['Prefer', 'IfNoneMatch', 'LastEventId'].map((name) => ref('parameters', name)),
    answer: {
      status: 200,
      description: 'The job, or the stream of its events.',
      schema: 'PaymentJob',
      headers: ['X-Signature-Of-Json', 'ETag', 'X-Trace-Head', 'Preference-Applied'],
      events:
        'Server-sent events: `step` for each step of the trace, with its time in microseconds as `id`, and after them `paymentjob` with ' +
        'the whole job. A comment comes every 15 s.',
      unchanged: ['X-Signature', 'ETag', 'X-Trace-Head', 'Preference-Applied'],
    },
    problems: ['job-not-found', 'too-many-watchers'],
  },
  {
    id: 'cancelPaymentJob',
    method: 'post',
    path: '/v2/paymentjobs/{id}/cancel',
    tag: 'Payment jobs',
    summary: 'Cancel a payment job',
    description:
      'Stops what the customer can still pay. A 409 says how the job stands when it is too late. It needs no body.',
    credentials: POS,
    answer: { status: 200, description: 'The job, now `CANCELLED`.', schema: 'PaymentJob', headers: SIGNED },
    problems: ['job-not-found', 'cancel-too-late', 'psp-unavailable'],
  },
  {
    id: 'advancePaymentJob',
    method: 'post',
    path: '/v2/paymentjobs/{id}/advance',
    tag: 'Payment jobs',
    summary: 'Let time pass, in test mode',
    description:
      "Moves the job's clock, and that of its payment in the sandbox. What comes due happens at once, in its order: expiry, pulls, and " +
      'each try of a report. The answer waits for that, 15 s at most. Each call lets as much time pass: read the job before you repeat one.',
    credentials: POS,
    body: { schema: 'Advance', isRequired: true },
    answer: { status: 200, description: 'The job as it stands then.', schema: 'PaymentJob', headers: SIGNED },
    problems: [...OF_A_BODY, 'job-not-found', 'test-mode-only'],
  },
  {
    id: 'createRefund',
    method: 'post',
    path: '/v2/paymentjobs/{id}/refunds',
    tag: 'Refunds',
    summary: 'Give money back',
    description:
      'Asks the PSP to give back an amount, or all that is left where none is named. Never more goes back than was paid. Send an ' +
      '`Idempotency-Key`: a repetition is the same refund. What the PSP refuses is a 422 with its words.',
    credentials: POS,
    parameters: [ref('parameters', 'IdempotencyKeyOfRefund')],
    body: { schema: 'NewRefund', isRequired: false },
    answer: {
      status: 201,
      description: 'The refund. While it is `PENDING`, read the list of refunds until it is not.',
      schema: 'Refund',
      headers: SIGNED,
    },
    problems: [
      ...OF_A_BODY,
      ...KEY_PROBLEMS,
      'job-not-found',
      'refund-unpaid',
      'refund-nothing-left',
      'refund-limit',
      'refund-too-much',
      'refund-refused',
    ],
  },
  {
    id: 'listRefunds',
    method: 'get',
    path: '/v2/paymentjobs/{id}/refunds',
    tag: 'Refunds',
    summary: 'List the refunds of a payment job',
    description: 'The refunds that were asked for here, the oldest first, each as it stands now.',
    credentials: POS,
    answer: { status: 200, description: 'The refunds.', schema: 'RefundList', headers: SIGNED },
    problems: ['job-not-found'],
  },
]
