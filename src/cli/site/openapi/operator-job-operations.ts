import { type Operation, query, ref } from './operation.ts'
import { AFTER, body, get, post } from './operator-operation.ts'

const INSTANT = { type: 'string', format: 'date-time' }
const FROM = query('from', 'Not before this time.', INSTANT)
const TO = query('to', 'Before this time.', INSTANT)
const RANGE = [
  { ...FROM, required: true },
  { ...TO, required: true },
]

/** Payment jobs, their reports, their index, and what was purged. */
export const OPERATOR_JOB_OPERATIONS: readonly Operation[] = [
  get('searchJobs', '/jobs', 'Search the index of payment jobs, newest first', 'OperatorJobList', {
    description: 'The index may lag behind the jobs by seconds.',
    parameters: [
      query('order_number', 'Jobs of this order number.', { type: 'string', minLength: 1 }),
      query('pos', 'Jobs of this point of sale.', { type: 'string', pattern: '^[0-9a-f]{32}$' }),
      FROM,
      TO,
      query('limit', 'How many, at most.', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
      AFTER,
    ],
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
  get('showRetention', '/retention', 'See how long jobs stay, and how many were purged', 'Retention'),
]
