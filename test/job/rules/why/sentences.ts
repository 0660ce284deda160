import { expect, it } from 'vitest'
import { MINUTE } from '../../../../src/contract/timestamp.ts'
import type { Cause } from '../../../../src/job/rules/why/causes.ts'
import { why } from '../../../../src/job/rules/why/why.ts'
import { NOW } from '../../../support/sample-job.ts'
import type { Job } from '../../../../src/job/rules/job.ts'

/** What an operator reads of a payment that is paid, and of a report that was taken. */
export const LEARNT = 'The customer paid EUR 12.50 at sandbox; the hub learnt it at 2026-01-31T10:00:20Z.'
export const TOLD = ' The shop was told at 2026-01-31T10:00:20Z: its receiver answered 200.'

type Row = readonly [what: string, job: Job, now: number, cause: Cause, happened: string]

/** Tests that of such a job such a sentence is told. */
export function told(rows: readonly Row[]): void {
  it.each(rows)('%s', (_, job, now, cause, happened) => {
    expect(why(job, now)).toMatchObject({ cause, happened })
  })
}

/** An account that was not asked, since five minutes before the job. */
export function inTrouble(account: string) {
  return {
    account,
    since: NOW - 5 * MINUTE,
  }
}
