import type { Observation } from '../../psp/answer.ts'
import type { Status } from '../../contract/values.ts'
import { firstLookAt } from './after-end.ts'
import { type Action, type Job, type Step, isFinal } from './job.ts'
import { markIndexDue } from './job-row.ts'
import { queueReport } from './reporting.ts'
import { type Stage, nextStage } from './stage.ts'
import { stampAfter } from '../../contract/timestamp.ts'

/**
 * The one gate through which status, amount and stage change: status and amount only ever move forward. What was paid is left
 * as it is, even when it is more than the amount.
 */
export function apply(job: Job, action: Action, seen: Observation, now: number): Job {
  const paid = Math.max(job.paid, seen.paid)
  const status = nextStatus(job.status, seen.status, paid >= job.order.amount)
  const isChanged = status !== job.status || paid !== job.paid
  const staged = withClosed(withStage(job, stageOf(job, status, seen, now)), status, seen)
  const at = stampAfter(job.updated, now)
  const step: Step = { at, action, status, paid, ...(staged.stage ? { stage: staged.stage.is } : {}) }
  if (!isChanged && isSameStep(step, lastOf(job, action))) return staged
  const next: Job = { ...staged, status, paid, updated: at, steps: [...job.steps, step] }
  if (!isChanged) return next
  const isLate = isFinal(job.status) && job.status !== 'SUCCESS' && paid > job.paid
  const marked: Job = isLate ? { ...next, late: true } : next
  // A new final status cancels the planned pull. A pull that was asked for later stays.
  const planned =
    isFinal(status) && status !== job.status ? { ...marked, pullAt: firstLookAt(marked) } : marked
  return markIndexDue(queueReport({ ...planned, revision: job.revision + 1 }, now), now)
}

/**
 * SUCCESS is the end: nothing leaves it, and nothing but the whole amount leads to it. Another final status gives
 * way to SUCCESS only, for the PSP may take money after all.
 */
function nextStatus(current: Status, seen: Status, paidInFull: boolean): Status {
  if (seen === 'SUCCESS') return paidInFull ? 'SUCCESS' : current
  return current === 'PENDING' ? seen : current
}

/** Only a job that is PENDING has a stage. A source that tells none leaves it as it is. */
function stageOf(job: Job, status: Status, seen: Observation, now: number): Stage | undefined {
  if (status !== 'PENDING') return undefined
  return seen.status === 'PENDING' && seen.stage ? nextStage(job.stage, seen.stage, now) : job.stage
}

function withStage(job: Job, stage: Stage | undefined): Job {
  if (stage === job.stage) return job
  const { stage: _, ...open } = job
  return stage === undefined ? open : { ...open, stage }
}

/** The PSP's last word on a payment: nobody can pay it any more. */
function withClosed(job: Job, status: Status, seen: Observation): Job {
  return seen.closed && isFinal(seen.status) && status !== 'SUCCESS' && !job.closed
    ? { ...job, closed: true }
    : job
}

function lastOf(job: Job, action: Action): Step | undefined {
  return job.steps.findLast((step) => step.action === action)
}

function isSameStep(step: Step, before: Step | undefined): boolean {
  return before?.status === step.status && before.paid === step.paid && before.stage === step.stage
}
