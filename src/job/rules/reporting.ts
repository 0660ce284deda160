import { markIndexDue, owedSince } from './job-row.ts'
import type { Attempt, Job, Report } from './job.ts'
import { lease, nextReportAt } from './schedule.ts'
import { DAY } from '../../contract/timestamp.ts'

/**
 * What became of one try to deliver a report. `retryAfter` is in seconds (RFC 9110, section 10.2.3). `answer` is how the answer of one
 * that failed began, `milliseconds` how long the try took.
 */
export type DeliveryOutcome = { milliseconds?: number } & (
  | { is: 'delivered'; outcome: string }
  | { is: 'failed'; outcome: string; retryAfter: number | null; answer?: string }
  | { is: 'stopped'; outcome: string; answer?: string }
)

/** So many tries of a report keep how the answer began: a job is to stay small. */
const ANSWERS_KEPT = 3

/** Adds a pending report of the job's present revision. */
export function queueReport(job: Job, now: number): Job {
  return {
    ...job,
    reports: [
      ...job.reports,
      { revision: job.revision, state: 'waiting', dueAt: now, tries: 0, attempts: [] },
    ],
  }
}

/**
 * Hands the report that has waited longest to the queue, unless one is under way: two at once could arrive in the
 * wrong order, and the receiver would end with the older truth.
 */
export function dispatch(job: Job, now: number): Job {
  if (job.flight !== null) {
    if (job.flight.until > now) return job
    const sends = job.flight.sends + 1
    return { ...job, flight: { ...job.flight, sends, until: now + lease(sends) } }
  }
  const due = job.reports
    .filter((report) => report.state === 'waiting' && report.dueAt <= now)
    .toSorted((a, b) => a.dueAt - b.dueAt)[0]
  return due === undefined
    ? job
    : { ...job, flight: { revision: due.revision, sends: 1, until: now + lease(1) } }
}

/** Whether a message from the queue is still wanted: duplicates and late ones are not. */
export function isWanted(job: Job, revision: number): boolean {
  return (
    job.flight?.revision === revision &&
    job.reports.some((report) => report.revision === revision && report.state === 'waiting')
  )
}

/**
 * Records a try, and plans the next one where there is one. A report that is not wanted any more changes nothing, unless it
 * was delivered: it may have come after a newer one, so the newest is sent again.
 */
export function recordDelivery(
  job: Job,
  revision: number,
  delivery: DeliveryOutcome,
  now: number,
  random: number,
): Job {
  if (!isWanted(job, revision)) return delivery.is === 'delivered' ? afterOvertaking(job, revision, now) : job
  const reports = job.reports.map((report) =>
    report.revision === revision ? afterAttempt(report, delivery, now, random) : report,
  )
  const recorded = { ...job, reports, flight: null }
  return isSameForOperators(recorded, job) ? recorded : markIndexDue(recorded, now)
}

/** The newest report is the last that the receiver gets: now, or once it has been delivered. */
function afterOvertaking(job: Job, revision: number, now: number): Job {
  const newest = job.reports.at(-1)
  if (!newest || newest.revision <= revision || newest.state === 'dead') return job
  if (newest.state === 'delivered') return resend(job, now)
  return { ...job, reports: [...job.reports.slice(0, -1), { ...newest, again: true }] }
}

/** Starts the newest report anew, with its whole schedule before it: the operator wants it sent again. */
export function resend(job: Job, now: number): Job {
  const newest = job.reports.at(-1)
  if (newest?.revision !== job.revision) return queueReport(job, now)
  const again: Report = { ...newest, state: 'waiting', dueAt: now, tries: 0 }
  const renewed = { ...job, reports: [...job.reports.slice(0, -1), again] }
  return isSameForOperators(renewed, job) ? renewed : markIndexDue(renewed, now)
}

/** Whether the index still says the truth about what is owed to the receiver. */
function isSameForOperators(one: Job, other: Job): boolean {
  return isGivenUp(one) === isGivenUp(other) && owedSince(one) === owedSince(other)
}

function isGivenUp(job: Job): boolean {
  return job.reports.at(-1)?.state === 'dead'
}

function withAttempt(attempts: readonly Attempt[], delivery: DeliveryOutcome, now: number): Attempt[] {
  const { outcome, milliseconds } = delivery
  const answer = delivery.is === 'delivered' ? undefined : delivery.answer
  const attempt: Attempt = {
    at: now,
    outcome,
    // The Worker's clock may have stepped back during the try, and a time below zero could not be read again.
    ...(milliseconds === undefined ? {} : { milliseconds: Math.max(milliseconds, 0) }),
    ...(answer === undefined ? {} : { answer }),
  }
  const all = [...attempts, attempt]
  const oldest = all.filter((one) => one.answer !== undefined).at(-ANSWERS_KEPT)
  if (oldest === undefined) return all
  return all.map((one, at) => (at < all.indexOf(oldest) ? withoutAnswer(one) : one))
}

function withoutAnswer(attempt: Attempt): Attempt {
  const { answer: _, ...rest } = attempt
  return rest
}

function afterAttempt(report: Report, delivery: DeliveryOutcome, now: number, random: number): Report {
  const attempts = withAttempt(report.attempts, delivery, now)
  const tries = report.tries + 1
  switch (delivery.is) {
    case 'delivered': {
      const { again, ...delivered } = report
      return again
        ? { ...delivered, attempts, tries: 0, dueAt: now }
        : { ...delivered, attempts, state: 'delivered' }
    }
    case 'stopped':
      return { ...report, attempts, state: 'dead' }
    case 'failed': {
      const at = nextReportAt(tries, now, random)
      if (at === null) return { ...report, attempts, state: 'dead' }
      const asked = now + Math.min((delivery.retryAfter ?? 0) * 1000, DAY)
      return { ...report, attempts, tries, dueAt: Math.max(at, asked) }
    }
  }
}
