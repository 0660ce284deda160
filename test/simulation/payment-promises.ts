import { LAST_PULL_PATIENCE } from '../../src/domain/schedule.ts'
import { type Job, endedAt } from '../../src/domain/job.ts'
import { DAY } from '../../src/domain/timestamp.ts'
import { type Payment, amountOf, inWords, totalsOf } from './payments.ts'
import { promise } from './violation.ts'

/** How long (ms) after its end a job is looked after whose payment may still be paid. */
const LOOKED_AFTER = 30 * DAY

/** What the PSP holds in the end is what the job says, if the hub could know; and nothing that has ended can be paid. */
export const checkPayment = (job: Job, payment: Payment): void => {
  const { id } = payment
  const excuse = excuseOf(job, payment)
  const which = `payment ${id} (${[...payment.been].join(', ')}; ${payment.looks.length} looks) of job ${job.id}`
  promise(
    !job.closed || payment.toldItsEnd,
    `${which} counts as closed, but the PSP never said that it is over for good`,
  )
  promise(
    payment.status !== 'paid' || excuse !== null || job.status === 'SUCCESS',
    `${which} is paid, but the job is ${job.status}`,
  )
  promise(payment.status !== 'open' || excuse !== null, `${which} can still be paid: ${job.status}`)
  promise(
    !['pending', 'authorized'].includes(payment.status) || excuse !== null,
    `${which} is ${payment.status}, but the job is ${job.status}`,
  )
  const [has, tells] = [totalsOf(payment), job.moneyBack ?? { refunded: 0, chargedBack: 0 }]
  promise(
    has.refunded <= amountOf(payment),
    `${which} has ${inWords(has)}, which is more than its ${amountOf(payment)}`,
  )
  promise(
    payment.status !== 'paid' || excuse !== null || inWords(has) === inWords(tells),
    `${which} has ${inWords(has)}, but the job tells ${inWords(tells)}`,
  )
}

/**
 * Why the hub could not know how a payment stands; null when it could. It has taken no notification since the last change
 * that it has not caused, * and needs to ask no more: the job is paid, or the PSP has said that it is over for good, or has given no answer for thirty
 * days.
 */
const excuseOf = (job: Job, payment: Payment): string | null => {
  if (payment.notified >= payment.foreign) return null
  if (job.status === 'SUCCESS') return payment.shown >= payment.foreign ? null : 'paid, and never notified'
  if (job.closed) return 'over for good'
  const last = payment.looks.at(-1)
  const end = endedAt(job) ?? Infinity
  if (last === undefined || last.at < end + LOOKED_AFTER) return null
  return payment.shown === payment.changes ? null : 'silent for thirty days'
}

/** Nobody is told of the end of a job while its link can be paid, unless the PSP has been silent for three days. */
export const checkEnd = (job: string, status: string, payment: Payment): void => {
  const end = payment.expiresAt ?? payment.made + DAY
  const isSilent = payment.looks.some(({ at, got }) => got !== 'the truth' && at >= end + LAST_PULL_PATIENCE)
  promise(
    payment.status !== 'open' || isSilent,
    `job ${job} was told as ${status} while its payment ${payment.id} could be paid`,
  )
}
