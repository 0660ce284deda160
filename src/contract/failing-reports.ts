import * as v from 'valibot'
import { isJobId } from './ids.ts'
import { type Operations, CHANGE, done, LOOK } from './operation.ts'
import { inMode, limitOf, openRange, operatorTime, positionRead, range } from './queries.ts'
import { described, documented, id, Mode, Status } from './values.ts'

export const JobReport = documented('The report of one revision of a job, with every try of it.', {
  revision: v.pipe(v.number(), v.integer(), v.description('Grows with every change that the hub reports.')),
  state: v.pipe(
    v.picklist(['due', 'delivered', 'given-up']),
    v.description(
      '`due`: the hub tries it next at `due`. `delivered`: you have it. `given-up`: the hub gave up, or a newer report replaced it.',
    ),
  ),
  due: v.pipe(v.nullable(v.string()), v.description('When the hub tries it next; `null` if it does not.')),
  attempts: v.pipe(
    v.array(
      v.object({
        at: described('When the try ended.'),
        outcome: described('The status of your answer, or a word that says why there was none.', '500'),
        milliseconds: v.optional(v.pipe(v.number(), v.description('How long your answer took.'))),
        answer: v.optional(described('The beginning of your answer.', 'Internal Server Error')),
      }),
    ),
    v.description('The tries, the oldest first.'),
  ),
})
export type JobReport = v.InferOutput<typeof JobReport>

export const JobReportList = documented('The reports of a payment job.', {
  reports: v.pipe(v.array(JobReport), v.description('The oldest first. Empty before the first change.')),
})
export type JobReportList = v.InferOutput<typeof JobReportList>

export const OwnFailingReports = documented('Reports that your receiver does not accept.', {
  reports: v.pipe(
    v.array(
      v.object({
        paymentJob: id('The id of the job.'),
        orderNumber: described('Your `order_number`.', 'A-1001'),
        status: Status,
        failingSince: described('Since when its report has been failing.', '2026-11-21T10:00:00.000Z'),
        givenUp: v.pipe(
          v.nullable(v.string()),
          v.description('When the hub gave it up; `null` while it still tries.'),
        ),
      }),
    ),
    v.description('The oldest first.'),
  ),
  next: v.pipe(v.nullable(v.string()), v.description('The `after` of the next page; `null` at the end.')),
})
export type OwnFailingReports = v.InferOutput<typeof OwnFailingReports>

/** The mode of a point of sale. A hub of release 1.0 does not send it. */
const ofShop = v.optional(Mode, 'live')

/**
 * A shop whose reports fail. `owed` counts the jobs whose report has been failing for more than a
 * minute, `givenUp` those whose report the hub gave up. `since` is when the oldest began to fail.
 */
export const FailingShop = v.object({
  pos: v.string(),
  name: v.string(),
  mode: ofShop,
  owed: v.number(),
  givenUp: v.number(),
  since: v.string(),
  /** The answer to the newest try, or why there was none. */
  lastOutcome: v.nullable(v.string()),
})
export type FailingShop = v.InferOutput<typeof FailingShop>

/** A job whose report has been failing since `owedSince`. */
export const FailingReport = v.object({
  paymentJob: v.string(),
  pos: v.string(),
  name: v.string(),
  mode: ofShop,
  orderNumber: v.string(),
  status: Status,
  owedSince: v.string(),
  givenUp: v.nullable(v.string()),
})
export type FailingReport = v.InferOutput<typeof FailingReport>

/**
 * The answer of `GET /reports/failing`: the shops, live ones first, and the jobs, oldest first. `next` is the
 * `after` of the next page, or null at the end.
 */
export const FailingReports = v.object({
  shops: v.array(FailingShop),
  reports: v.array(FailingReport),
  next: v.nullable(v.string()),
})
export type FailingReports = v.InferOutput<typeof FailingReports>

/** A job whose newest report the hub gave up at `givenUp`. */
export const UndeliveredReport = v.object({
  ...v.omit(FailingReport, ['owedSince', 'givenUp']).entries,
  givenUp: v.string(),
})

export const UndeliveredReportList = v.object({ undelivered: v.array(UndeliveredReport) })
export type UndeliveredReportList = v.InferOutput<typeof UndeliveredReportList>

/**
 * The answer of `POST /reports/resend` and `POST /pos/{id}/reports/resend`, for one page. `next` is
 * the `from` of the next page (for one shop, the `after`), or null at the end.
 */
export const ReportsResent = v.object({ resent: v.number(), next: v.nullable(v.string()) })

/**
 * A position in a list of failing reports: when the report began to fail (ms), when its job was
 * created (µs), and the id of the job.
 */
type FailingPosition = { failingSince: number; created: number; id: string }

export function writeFailingPosition(position: FailingPosition): string {
  return `${position.failingSince}.${position.created}.${position.id}`
}

function readFailingPosition(text: string): FailingPosition | null {
  const [, failingSince, created, job = ''] = /^(\d{1,15})\.(\d{1,16})\.(.+)$/.exec(text) ?? []
  return isJobId(job) ? { failingSince: Number(failingSince), created: Number(created), id: job } : null
}

export const failingPosition = positionRead(readFailingPosition, 'must be the `next` of a previous page')

const mode = inMode('Of points of sale in this mode; of both by default.')

export const REPORT_OPERATIONS = {
  listFailingReports: {
    ...LOOK,
    path: '/operator/v1/reports/failing',
    summary: 'List the reports that shops do not accept',
    description:
      'Reports that have been failing for more than a minute, and those that the hub gave up, oldest first; and how many each shop has. For each shop, the hub counts at most a thousand in each database of the index.',
    query: v.object({
      pos: v.optional(v.pipe(v.string(), v.description('Of this point of sale: its id or name.'))),
      mode,
      after: failingPosition,
      limit: limitOf(200),
    }),
    answer: done(FailingReports),
  },
  listUndeliveredReports: {
    ...LOOK,
    path: '/operator/v1/reports/undelivered',
    summary: 'List the reports that the hub gave up',
    description: 'The oldest first, at most 200; all, or those of a time range.',
    query: v.object({ ...openRange, mode }),
    answer: done(UndeliveredReportList),
  },
  resendUndeliveredReports: {
    ...CHANGE,
    path: '/operator/v1/reports/resend',
    role: 'support',
    audit: { action: 'report.resend-all', keeps: ['from', 'to'] },
    summary: 'Send the reports that the hub gave up',
    description: 'Each to its shop, a page at a time.',
    query: v.object(range),
    answer: done(ReportsResent, 'The hub is sending the reports.'),
  },
  resendReportsOfShop: {
    ...CHANGE,
    path: '/operator/v1/pos/:id/reports/resend',
    role: 'support',
    audit: { action: 'report.resend-shop', keeps: ['until', 'after'] },
    summary: 'Send the reports that a shop did not accept',
    description:
      'Those that failed or were given up before `until`, a page at a time, the oldest first. First make sure that its receiver works again.',
    query: v.object({
      until: operatorTime('The time of the first page. Reports that fail later are left out.'),
      after: failingPosition,
    }),
    answer: done(ReportsResent, 'The hub is sending the reports.'),
    problems: ['pos-not-found'],
  },
} as const satisfies Operations
