import * as v from 'valibot'
import { Job } from '../domain/job.ts'
import { MoneyBack } from '../domain/money-back.ts'
import { type Upgrade, UnreadableError, storedShape } from '../domain/stored.ts'

/** From version 1 to 2, from 2 to 3 and so on, each with a fixture in test/fixtures/stored. None so far. */
const UPGRADES: readonly Upgrade[] = []

/** A job as its object stores it, under the key `job`. */
export const storedJob = storedShape(v.omit(Job, ['moneyBack']), UPGRADES)

/** What became of its money, under the key `money-back`: release 0.1 leaves that key alone when it saves the job. */
export const storedMoneyBack = storedShape(MoneyBack)

type Stored = Pick<SyncKvStorage, 'get' | 'put'>

/** The job that is stored, or null where nothing is. Throws an `UnreadableError`: such a job is there, and is not to be overwritten. */
export const readStoredJob = (kv: Stored): Job | null => {
  const stored = kv.get('job')
  if (stored === undefined) return null
  const job = storedJob.read(stored)
  if (!job.ok) throw new UnreadableError('the job', job.error)
  const back = kv.get('money-back')
  if (back === undefined) return job.value
  const moneyBack = storedMoneyBack.read(back)
  if (!moneyBack.ok) throw new UnreadableError('the money that went back', moneyBack.error)
  return { ...job.value, moneyBack: moneyBack.value }
}

/** Saves a changed job, and what became of its money where that changed. */
export const writeStoredJob = (kv: Stored, before: Job | null, job: Job): void => {
  const { moneyBack, ...rest } = job
  kv.put('job', storedJob.write(rest))
  if (moneyBack && moneyBack !== before?.moneyBack) kv.put('money-back', storedMoneyBack.write(moneyBack))
}
