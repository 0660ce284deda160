import type { Job } from './rules/job.ts'
import { isRowDue, toRow } from './rules/job-row.ts'
import { indexMessage, reportMessage } from './rules/messages.ts'
import { isReportDue, isRowForReport } from './rules/row-with-report.ts'
import { log } from '../platform/log.ts'

/**
 * Sends to the queues what a saved change is to send, and says what became of the job's row. A report that cannot be sent
 * stays pending: the alarm comes back to it. The row of its change does not wait for that. With `tried`, the caller has the report.
 */
export async function sendOutbox(
  env: Env,
  before: Job | null,
  job: Job,
  tried: boolean,
): Promise<'taken' | 'refused' | 'nothing'> {
  const { flight } = job
  const reporting =
    flight && isReportDue(before, job) && !tried
      ? send(env.REPORTS, job, reportMessage.write({ job: job.id, revision: flight.revision }))
      : Promise.resolve(tried)
  const isDue = isRowDue(before, job) && !(isRowForReport(job) && (await reporting))
  const [isTaken] = await Promise.all([
    isDue && send(env.JOB_INDEX, job, indexMessage.write({ row: toRow(job), listed: job.listed })),
    reporting,
  ])
  if (!isDue) return 'nothing'
  return isTaken ? 'taken' : 'refused'
}

/** Tells the index that a job is purged. False when the queue did not take it: then it must not be purged yet. */
export function sendPurged({ JOB_INDEX }: Env, job: Job): Promise<boolean> {
  const { id, created, pos, sequence } = job
  return send(JOB_INDEX, job, indexMessage.write({ forgotten: { id, created, pos, sequence } }))
}

async function send(queue: Queue, { id, pos }: Job, message: object): Promise<boolean> {
  try {
    await queue.send(message)
    return true
  } catch (error) {
    log.fault('queue.send-failed', error, { job: id, pos })
    return false
  }
}
