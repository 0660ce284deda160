import { jobNow } from '../domain/job-clock.ts'
import { type Job, isFinal } from '../domain/job.ts'
import { NOTHING_BACK } from '../domain/money-back.ts'
import { committed } from '../domain/refund.ts'
import type { Title } from './texts.ts'

/** Whether the customer is to pay. Not while money is under way or reserved: nobody is to pay twice. */
export const mayBePaid = (job: Job, now: number): boolean =>
  !isFinal(job.status) && !job.stage && job.expiresAt > jobNow(job.clock, now)

/** What a page tells of a job, at a time (ms). */
export const titleOf = (job: Job, now: number): Title => {
  if (job.status === 'SUCCESS') return isAllBack(job) ? 'RETURNED' : 'SUCCESS'
  if (isFinal(job.status)) return job.paid > 0 ? 'PART' : job.status
  if (job.stage) return 'PENDING'
  return mayBePaid(job, now) ? 'OPEN' : 'EXPIRED'
}

const isAllBack = ({ paid, moneyBack = NOTHING_BACK }: Job): boolean =>
  paid > 0 && moneyBack.refunded + moneyBack.chargedBack >= paid

/** An amount in minor units, and when (ms) it came to be. */
type Moved = { label: 'refunded' | 'refunding' | 'chargedBack'; amount: number; at: number | null }

/**
 * What went back to the customer or is on its way, where it is more than nothing. A refund that is on its way is in the PSP's
 * total at some PSPs, and counts once.
 */
export const moneyBackOf = ({ moneyBack = NOTHING_BACK }: Job): Moved[] => {
  const { refunded, chargedBack, elsewhere, refunds, steps } = moneyBack
  const lastOf = (action: 'Refund' | 'Chargeback'): number | null =>
    inMilliseconds(steps.findLast((step) => step.action === action)?.at)
  const all: Moved[] = [
    { label: 'refunded', amount: refunded, at: lastOf('Refund') },
    { label: 'refunding', amount: elsewhere + committed(refunds) - refunded, at: null },
    { label: 'chargedBack', amount: chargedBack, at: lastOf('Chargeback') },
  ]
  return all.filter(({ amount }) => amount > 0)
}

/** When (ms) the first money came; null before that. */
export const paidAt = ({ steps }: Job): number | null =>
  inMilliseconds(steps.find(({ paid }) => paid > 0)?.at)

const inMilliseconds = (micros: number | undefined): number | null =>
  micros === undefined ? null : Math.floor(micros / 1000)
