import { type JobRow, JobKey, rowOf } from './core/row.ts'
import type { State } from './core/state.ts'
import { indexMessage, reportMessage } from './messages.ts'
import * as v from 'valibot'

/** Hands the report of a revision to the queue. Throws when the queue does not take it. */
export async function sendReport({ REPORTS }: Env, { id }: State, revision: number): Promise<void> {
  await REPORTS.send(reportMessage.write({ job: id, revision }))
}

/** Hands the job's row to the index. Throws when the queue does not take it. */
export async function sendRow({ JOB_INDEX }: Env, state: State): Promise<void> {
  await JOB_INDEX.send(indexMessage.write({ row: rowOf(state), listed: state.index.written > 0 }))
}

/** Tells the index that the job is purged, up to this row. Throws when the queue does not take it. */
export async function sendPurged({ JOB_INDEX }: Env, row: JobRow): Promise<void> {
  const key = v.parse(JobKey, row)
  await JOB_INDEX.send(indexMessage.write({ forgotten: { ...key, sequence: row.sequence } }))
}
