import * as v from 'valibot'
import { JobKey, JobRow } from './core/row.ts'
import { storedShape } from '../platform/stored.ts'

/** What the queues carry. Sender and receiver use the same shape; a message may be days old when it is read. */

/** Queue `reports`: one try at the report of one revision of a job. The receiver asks the job for the rest. */
export const ReportMessage = v.object({ job: v.string(), revision: v.number() })
export type ReportMessage = v.InferOutput<typeof ReportMessage>
export const reportMessage = storedShape(ReportMessage)

/** Queue `job-index`: a row on its way to the index. `listed` is false until the job directory has the job. */
export const RowMessage = v.object({ row: JobRow, listed: v.boolean() })
export type RowMessage = v.InferOutput<typeof RowMessage>

/**
 * Queue `job-index`: a job was purged, and its row goes too, up to this `sequence`: a row that is newer is of a job that
 * changed while it was to be purged.
 */
export const PurgeMessage = v.object({
  forgotten: v.object({ ...JobKey.entries, sequence: v.exactOptional(v.number()) }),
})
export type PurgeMessage = v.InferOutput<typeof PurgeMessage>

export const IndexMessage = v.union([RowMessage, PurgeMessage])
export type IndexMessage = v.InferOutput<typeof IndexMessage>
export const indexMessage = storedShape(IndexMessage)
