import { type Action, type Job, type Observation, type Status, type Step, isFinal } from './job.ts'
import { markIndexDue } from './job-row.ts'
import { queueReport } from './reporting.ts'
import { stampAfter } from './timestamp.ts'

/**
 * The one gate through which status and amount change: both only ever move forward. What was paid is left as it is, even
 * when it is more than the amount.
 */
export const apply = (job: Job, action: Action, seen: Observation, now: number): Job => {
  const paid = Math.max(job.paid, seen.paid)
  const status = nextStatus(job.status, seen.status, paid >= job.order.amount)
  const changed = status !== job.status || paid !== job.paid
  const before = job.steps.findLast((step) => step.action === action)
  if (!changed && before?.status === status && before.paid === paid) return job
  const at = stampAfter(job.updated, now)
  const step: Step = { at, action, status, paid }
  const next: Job = {
    ...job,
    status,
    paid,
    updated: at,
    steps: [...job.steps, step],
    // A new final status cancels the planned pull. A pull that was asked for later stays.
    pullAt: isFinal(status) && status !== job.status ? null : job.pullAt,
  }
  return changed ? markIndexDue(queueReport({ ...next, revision: job.revision + 1 }, now), now) : next
}

/**
 * SUCCESS is the end: nothing leaves it, and nothing but the whole amount leads to it. Another final status gives
 * way to SUCCESS only, for the PSP may take money after all.
 */
const nextStatus = (current: Status, seen: Status, paidInFull: boolean): Status => {
  if (current === 'SUCCESS' || seen === 'PENDING') return current
  if (seen === 'SUCCESS') return paidInFull ? 'SUCCESS' : current
  return current === 'PENDING' ? seen : current
}
