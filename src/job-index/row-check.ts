import * as v from 'valibot'
import { JobRow } from '../job/rules/job-row.ts'

/**
 * Whether a row of the index is what it promises of a job: all of the job's newest row (`truth`), but for when the job was
 * last changed. A step that tells nothing new moves that in the job and sends no row, so the row may be behind with it.
 */
export function isRightRow(row: JobRow, truth: JobRow): boolean {
  return wrongColumns(row, truth).length === 0 && row.updated <= truth.updated
}

/** The columns in which a row differs from what a job's row should be, `updated` left out. */
export function wrongColumns(row: JobRow, truth: JobRow): (keyof JobRow)[] {
  return COLUMNS.options.filter((column) => column !== 'updated' && row[column] !== truth[column])
}

const COLUMNS = v.keyof(JobRow)
