import { isRowDue, markIndexDueAgain, markIndexed } from './job-row.ts'
import type { Job } from './job.ts'

/**
 * The row of a change that calls for a report. Who tries the report has the job in hand, so it writes the row too, and the object
 * saves both at once. That spares the row a message and a write of its own.
 */

/** Whether a change of the job has handed a report to the queue, or once more. */
export function isReportDue(before: Job | null, { flight }: Job): boolean {
  return (
    flight !== null && (flight.revision !== before?.flight?.revision || flight.sends !== before.flight.sends)
  )
}

/**
 * A row that is due with a report rests until that has been tried. When the report counts as lost, the alarm sends the row by its
 * own queue.
 */
export function restUntilReported(before: Job | null, job: Job): Job {
  return isRowDue(before, job) && job.indexSends === 0 && isReportDue(before, job) && job.flight?.sends === 1
    ? { ...job, indexAt: job.flight.until }
    : job
}

/** Whether the newest row is for who tries the report that is under way. */
export function isRowForReport({ indexAt, indexSends, flight }: Job): boolean {
  return flight?.sends === 1 && indexSends === 0 && indexAt === flight.until
}

/**
 * After a try: `written` is the number of the row that the index got meanwhile. A row that rested and was not written goes by its
 * queue now.
 */
export function recordRow(job: Job, written: number | undefined, now: number): Job {
  if (written !== undefined) return markIndexed(job, written)
  return isRowForReport(job) ? markIndexDueAgain(job, now) : job
}
