import { type Operation, query, ref } from './operation.ts'
import { AFTER, body, get, post } from './operator-operation.ts'

const INSTANT = { type: 'string', format: 'date-time' }
const FROM = query('from', 'Not before this time.', INSTANT)
const TO = query('to', 'Before this time.', INSTANT)
const RANGE = [
  { ...FROM, required: true },
  { ...TO, required: true },
]

const TEXT = { type: 'string', minLength: 1 }
const DECIMAL = { type: 'string', examples: ['12.50'] }
const POS = query(
  'pos',
  'Of this point of sale: its id, or its name if it is the only one of that name.',
  TEXT,
)
const METHOD = query('method', 'Of this payment method.', TEXT)
const ACCOUNT = query('account', 'At this account.', TEXT)

/** What jobs are searched by. */
const SEARCHED = [
  query('q', 'A job id, an order number, an order id, a reference of a PSP, or the name of a shop.', TEXT),
  query('id', 'The job of this id. No other parameter goes with it.', { type: 'string', format: 'uuid' }),
  query('order_number', 'Jobs of this order number.', TEXT),
  query('order_id', 'Jobs of this order id.', TEXT),
  query('reference', "The job of this payment, by the PSP's own id.", TEXT),
  POS,
  query('status', 'Of one of these statuses, with commas between.', {
    ...TEXT,
    examples: ['FAILURE,EXPIRED'],
  }),
  METHOD,
  ACCOUNT,
  query('currency', 'In this currency.', { type: 'string', examples: ['EUR'] }),
  query('amount', 'Of exactly this amount.', DECIMAL),
  query('amount_from', 'Of this amount or more.', DECIMAL),
  query('amount_to', 'Of this amount or less.', DECIMAL),
  FROM,
  TO,
]

/** Payment jobs, their reports, their index, and what was purged. */
export const OPERATOR_JOB_OPERATIONS: readonly Operation[] = [
  get('searchJobs', '/jobs', 'Search the index of payment jobs, newest first', 'OperatorJobList', {
    description:
      'The index may lag behind the jobs by seconds; a job that is searched by its `id` is asked itself. A search by status, method, ' +
      'account, currency or amount looks through a bounded part of the index for each page: a page may have few jobs, or none, and ' +
      'still a `next`. `amount` is compared in the currency of each job.',
    parameters: [
      ...SEARCHED,
      query('limit', 'How many, at most.', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
      AFTER,
    ],
    problems: ['fields-invalid'],
  }),
  get('exportJobs', '/jobs/export', 'Take all payment jobs of a search as a file', '', {
    description:
      'The file is streamed. A fault on the way breaks the connection off: a file that ends as it should is whole. In CSV (RFC 4180) ' +
      'a text that a spreadsheet would take for a formula, which begins with = + - @, a tab or a carriage return, has an apostrophe ' +
      'before it. The order of the jobs is not promised.',
    parameters: [
      {
        ...query('format', 'What kind of file.', { type: 'string', enum: ['csv', 'ndjson'] }),
        required: true,
      },
      ...SEARCHED,
    ],
    answer: {
      status: 200,
      description: 'All that the search finds.',
      files: {
        'text/csv': 'A line of names, and a line for each job.',
        'application/x-ndjson': 'A JSON object (`ListedJob`) on a line for each job.',
      },
    },
    problems: ['fields-invalid'],
  }),
  get('showJob', '/jobs/{id}', 'See a payment job whole', 'JobDetail', {
    description:
      'As its point of sale reads it, with its account, its refunds, every try of its reports, and why it stands as it does.',
  }),
  get('watchJob', '/jobs/{id}/events', 'Follow a payment job', '', {
    description: 'For up to eight hours. A job has 250 watchers at most.',
    parameters: [ref('parameters', 'LastEventId')],
    answer: {
      status: 200,
      description: 'The stream of its events.',
      events:
        'Server-sent events: `step` for each step of the trace, with its time in microseconds as `id`, and after them `paymentjob` with ' +
        'the whole job as its point of sale reads it. A comment comes every 15 s.',
    },
    problems: ['job-not-found', 'too-many-watchers'],
  }),
  post('resendReport', '/jobs/{id}/resend', 'Send the newest report of a job again', 'JobDetail'),
  post('refundJob', '/jobs/{id}/refunds', 'Give money back', 'JobRefund', {
    ...body('OperatorNewRefund'),
    description: 'The same `id` again is the same refund.',
    problems: [
      'refund-unpaid',
      'refund-nothing-left',
      'refund-limit',
      'refund-too-much',
      'idempotency-key-reused',
    ],
  }),
  post('cancelJob', '/jobs/{id}/cancel', 'Stop what the customer can still pay', 'JobDetail', {
    problems: ['cancel-too-late', 'psp-unavailable'],
  }),
  post('pullJob', '/jobs/{id}/pull', 'Ask the PSP how a payment stands', 'JobDetail', {
    problems: ['psp-unavailable'],
  }),
  get(
    'listUndeliveredReports',
    '/reports/undelivered',
    'List the reports that were given up',
    'UndeliveredReportList',
    {
      description: 'The oldest first, 200 at most.',
      parameters: RANGE,
      problems: ['fields-invalid'],
    },
  ),
  post(
    'resendUndeliveredReports',
    '/reports/resend',
    'Send a page of given up reports again',
    'ReportsResent',
    {
      parameters: RANGE,
      problems: ['fields-invalid'],
    },
  ),
  get('listIndexDays', '/index/days', 'List the days that jobs were created on', 'IndexDays'),
  get('verifyIndexDay', '/index/{day}/verify', 'Compare a page of the index with the jobs', 'IndexPage', {
    parameters: [AFTER],
    problems: ['fields-invalid'],
  }),
  post(
    'rebuildIndexDay',
    '/index/{day}/rebuild',
    'Write what is wrong in a page of the index anew',
    'IndexPage',
    {
      parameters: [AFTER],
      problems: ['fields-invalid'],
    },
  ),
  get('showFigures', '/figures', 'See how many payments there were, and what became of them', 'Figures', {
    description:
      'Payments by the hour (UTC) that they were created in, from counters that the index keeps. The time is widened to whole hours: a ' +
      'month at most by the hour, a year by anything else. Without a time it is the last 24 hours.',
    parameters: [
      FROM,
      TO,
      query('by', 'By what they are told apart.', {
        type: 'string',
        enum: ['hour', 'day', 'psp', 'account', 'method', 'pos', 'currency'],
        default: 'hour',
      }),
      POS,
      ACCOUNT,
      METHOD,
      query('mode', 'Of points of sale in this mode: live ones where there are any, if it is left out.', {
        type: 'string',
        enum: ['test', 'live'],
      }),
    ],
    problems: ['fields-invalid'],
  }),
  get('showRetention', '/retention', 'See how long jobs stay, and how many were purged', 'Retention'),
]
