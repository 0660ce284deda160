import * as v from 'valibot'
import { JobKey, JobRow, rowOf } from './core/row.ts'
import { storedShape } from '../platform/stored.ts'
import type { State } from './core/state.ts'

/** Queue `reports`: one try at a report. The consumer reads the rest from the job. */
export const ReportMessage = v.object({ job: v.string(), revision: v.number() })
export type ReportMessage = v.InferOutput<typeof ReportMessage>
export const reportMessage = storedShape(ReportMessage)

/** Queue `job-index`: a new row. `listed`: the directory already has the job. */
const RowMessage = v.object({ row: JobRow, listed: v.boolean() })

/** Queue `job-index`: a job was purged. Its row goes too, unless that has a higher `sequence`. */
export const PurgeMessage = v.object({
  forgotten: v.object({ ...JobKey.entries, sequence: v.exactOptional(v.number()) }),
})
export type PurgeMessage = v.InferOutput<typeof PurgeMessage>

export const IndexMessage = v.union([RowMessage, PurgeMessage])
export type IndexMessage = v.InferOutput<typeof IndexMessage>
export const indexMessage = storedShape(IndexMessage)

/** Hands the report of a revision to the queue. Throws when the queue does not take it. */
export async function sendReport({ REPORTS }: Env, { id }: State, revision: number): Promise<void> {
  await REPORTS.send(reportMessage.write({ job: id, revision }))
}

/** Hands the job's row to the index. Throws when the queue does not take it. */
export async function sendRow({ JOB_INDEX }: Env, state: State): Promise<void> {
  await JOB_INDEX.send(indexMessage.write({ row: rowOf(state), listed: state.index.written > 0 }))
}

/** Tells the index that the job is purged. Throws when the queue does not take it. */
export async function sendPurged({ JOB_INDEX }: Env, row: JobRow): Promise<void> {
  const key = v.parse(JobKey, row)
  await JOB_INDEX.send(indexMessage.write({ forgotten: { ...key, sequence: row.sequence } }))
}
