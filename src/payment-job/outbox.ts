import { describeFault } from '../domain/fault.ts'
import type { Job } from '../domain/job.ts'
import { type PurgeMessage, type RowMessage, toRow } from '../domain/job-row.ts'

/** Names the job and the revision to report; the consumer asks the object for the rest. */
export type ReportMessage = { job: string; revision: number }

/**
 * Sends what a saved change owes to the queues, and says what became of the job's row. A report that cannot be sent stays
 * owed: the alarm comes back to it.
 */
export const sendOutbox = async (
  env: Env,
  before: Job | null,
  job: Job,
): Promise<'taken' | 'refused' | 'nothing'> => {
  const flight = job.flight
  const flies =
    flight !== null && (flight.revision !== before?.flight?.revision || flight.sends !== before.flight.sends)
  const indexes =
    job.indexAt !== null && (job.sequence !== before?.sequence || job.indexSends !== before.indexSends)
  const [, taken] = await Promise.all([
    flies && send(env.REPORTS, { job: job.id, revision: flight.revision } satisfies ReportMessage),
    indexes && send(env.JOB_INDEX, { row: toRow(job), listed: job.listed }),
  ])
  if (!indexes) return 'nothing'
  return taken ? 'taken' : 'refused'
}

/** Tells the index that a job is forgotten. False when the queue did not take it: then it must not be forgotten yet. */
export const sendPurged = ({ JOB_INDEX }: Env, { id, created, pos }: Job): Promise<boolean> =>
  send(JOB_INDEX, { forgotten: { id, created, pos } })

const send = async (queue: Queue, message: ReportMessage | RowMessage | PurgeMessage): Promise<boolean> => {
  try {
    await queue.send(message)
    return true
  } catch (error) {
    console.error({ event: 'queue.send-failed', error: describeFault(error) })
    return false
  }
}
