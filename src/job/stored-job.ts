import * as v from 'valibot'
import { Job } from './rules/job.ts'
import { MoneyBack } from './rules/money-back.ts'
import { OtherPayment } from './rules/other-payment.ts'
import { type StoredShape, type Upgrade, UnreadableError, storedShape } from '../platform/stored.ts'

/** From version 1 to 2, from 2 to 3 and so on, each with a fixture in test/fixtures/stored. None so far. */
const UPGRADES: readonly Upgrade[] = []

/** A job as its object stores it, under the key `job`. */
export const storedJob = storedShape(v.omit(Job, ['moneyBack', 'otherPayments']), UPGRADES)

/**
 * What became of its money, under the key `money-back`, and the payments that other accounts may hold, under the key
 * `other-payments`: release 0.1 leaves these keys alone when it saves the job.
 */
export const storedMoneyBack = storedShape(MoneyBack)
export const storedOtherPayments = storedShape(v.object({ payments: v.array(OtherPayment) }))

type Stored = Pick<SyncKvStorage, 'get' | 'put'>

/** The job that is stored, or null where nothing is. Throws an `UnreadableError`: such a job is there, and is not to be overwritten. */
export function readStoredJob(kv: Stored): Job | null {
  const job = readFrom(kv, 'job', storedJob)
  if (job === null) return null
  const moneyBack = readFrom(kv, 'money-back', storedMoneyBack)
  const others = readFrom(kv, 'other-payments', storedOtherPayments)
  return {
    ...job,
    ...(moneyBack ? { moneyBack } : {}),
    ...(others ? { otherPayments: others.payments } : {}),
  }
}

function readFrom<Value>(kv: Stored, key: string, shape: StoredShape<Value>): Value | null {
  const stored = kv.get(key)
  if (stored === undefined) return null
  const read = shape.read(stored)
  if (!read.ok) throw new UnreadableError(`the ${key}`, read.error)
  return read.value
}

/** Saves a changed job, and what has a key of its own where that changed. */
export function writeStoredJob(kv: Stored, before: Job | null, job: Job): void {
  const { moneyBack, otherPayments, ...rest } = job
  kv.put('job', storedJob.write(rest))
  if (moneyBack && moneyBack !== before?.moneyBack) kv.put('money-back', storedMoneyBack.write(moneyBack))
  if (otherPayments && otherPayments !== before?.otherPayments) {
    kv.put('other-payments', storedOtherPayments.write({ payments: otherPayments }))
  }
}
