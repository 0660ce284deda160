import { jobNow } from '../contract/job-clock.ts'
import { type Job, isFinal } from '../job/rules/job.ts'
import { NOTHING_BACK } from '../job/rules/money-back.ts'
import { arrivedRefunds, refundsOnTheirWay } from '../job/rules/refunds-on-their-way.ts'
import type { Title } from './texts.ts'

/** Whether the customer is to pay. Not while money is under way or reserved: nobody is to pay twice. */
export function mayBePaid(job: Job, now: number): boolean {
  return !isFinal(job.status) && !job.stage && job.expiresAt > jobNow(job.clock, now)
}

/** What a page tells of a job, at a time (ms). */
export function titleOf(job: Job, now: number): Title {
  if (job.status === 'SUCCESS') return isAllBack(job) ? 'RETURNED' : 'SUCCESS'
  if (isFinal(job.status)) return job.paid > 0 ? 'PART' : job.status
  if (job.stage) return 'PENDING'
  return mayBePaid(job, now) ? 'OPEN' : 'EXPIRED'
}

function isAllBack({ paid, moneyBack = NOTHING_BACK }: Job): boolean {
  return paid > 0 && arrivedRefunds(moneyBack) + moneyBack.chargedBack >= paid
}

/** An amount in minor units, and when (ms) it came to be. */
type Moved = { label: 'refunded' | 'refunding' | 'chargedBack'; amount: number; at: number | null }

/**
 * What went back to the customer or is on its way, where it is more than nothing. Refunds have the time of the step that brought
 * that total; none where the steps know it only together with what is on its way.
 */
export function moneyBackOf({ moneyBack = NOTHING_BACK }: Job): Moved[] {
  const { chargedBack, steps } = moneyBack
  const refunded = arrivedRefunds(moneyBack)
  const refundedAt = steps.findLast((step) => step.action === 'Refund' && step.refunded <= refunded)?.at
  const chargedBackAt = steps.findLast((step) => step.action === 'Chargeback')?.at
  const all: Moved[] = [
    { label: 'refunded', amount: refunded, at: inMilliseconds(refundedAt) },
    { label: 'refunding', amount: refundsOnTheirWay(moneyBack), at: null },
    { label: 'chargedBack', amount: chargedBack, at: inMilliseconds(chargedBackAt) },
  ]
  return all.filter(({ amount }) => amount > 0)
}

/** When (ms) the first money came; null before that. */
export function paidAt({ steps }: Job): number | null {
  return inMilliseconds(steps.find(({ paid }) => paid > 0)?.at)
}

function inMilliseconds(micros: number | undefined): number | null {
  return micros === undefined ? null : Math.floor(micros / 1000)
}
