import { Job } from '../../src/job/rules/job.ts'
import { Payment } from '../../src/sandbox/payment.ts'
import type { Dumped } from './dump-state.ts'

/** Members of a job that have keys of their own. */
const BESIDE = new Map([
  ['moneyBack', 'money-back'],
  ['otherPayments', 'other-payments'],
])

/** What this release can store and the played state has nowhere: members of jobs and payments, columns of D1. */
export function unplayed({ d1, objects }: Dumped): string[] {
  const kept = [...Object.values(objects.PAYMENT_JOB), ...Object.values(objects.SANDBOX_PAYMENT)].map(
    ({ kv }) => kv,
  )
  const under = (key: string) => kept.flatMap((kv) => (kv[key] === undefined ? [] : [kv[key] as object]))
  const seenIn = (key: string) => new Set(under(key).flatMap((value) => Object.keys(value)))
  const [ofJob, ofPayment] = [seenIn('job'), seenIn('payment')]
  return [
    ...Object.keys(Job.entries)
      .filter((name) => !ofJob.has(name) && under(BESIDE.get(name) ?? '').length === 0)
      .map((name) => `job: ${name}`),
    ...Object.keys(Payment.entries)
      .filter((name) => !ofPayment.has(name))
      .map((name) => `sandbox payment: ${name}`),
    ...(under('tombstone').length === 0 ? ['tombstone'] : []),
    ...Object.entries(d1).flatMap(([table, rows]) => unfilled(table, rows)),
  ]
}

/** A table without rows, or columns that are null in all of them. */
function unfilled(table: string, rows: readonly Record<string, unknown>[]): string[] {
  const [first] = rows
  if (!first) return [`table: ${table}`]
  return Object.keys(first)
    .filter((column) => rows.every((row) => row[column] === null))
    .map((column) => `column: ${table}.${column}`)
}
