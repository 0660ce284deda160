import { JobDetail, type JobReport } from '../../contract/jobs.ts'
import type { Step } from '../../contract/payment-job.ts'
import { JOB, jobIdOf } from './find-job.ts'
import { hubCommand } from './hub-command.ts'
import { type OperatorApi, path } from './operator-api.ts'
import { showWhy } from './show-why.ts'
import type { View } from './view.ts'

/** What a step says beside its status: where the money is, and what has gone back by then. */
export function detailOf({ stage, amountRefunded, amountChargedBack }: Step): string {
  return [
    ...(stage ? [stage] : []),
    ...(amountRefunded ? [`${amountRefunded} refunded`] : []),
    ...(amountChargedBack ? [`${amountChargedBack} charged back`] : []),
  ].join(', ')
}

/** What came of a try to report, and how the receiver put it. */
export function outcomeOf({ outcome, milliseconds, answer }: JobReport['attempts'][number]): string {
  return `${outcome}${milliseconds === undefined ? '' : ` after ${milliseconds} ms`}${answer ? `: ${answer}` : ''}`
}

/** A payment job as an operator reads it: why it stands so in front, then all that is known. */
export function showJob(job: JobDetail, view: View): string {
  const { time } = view
  return [
    `${job.paymentJob}: order ${job.orderNumber} is ${job.status}, ${job.currency} ${job.amountPaid} paid, ${job.amountDue} due`,
    '',
    showWhy(job.why, view),
    '',
    `of ${job.posName} (${job.pos}), created ${time(job.created)}, paid by ${job.paymentMethod}`,
    `at ${job.account}${job.reference ? `, its reference ${job.reference}` : ', not announced'}`,
    ...(job.passedOver.length > 0 ? [`passed over: ${job.passedOver.join(', ')}`] : []),
    `reports go to ${job.attributes.reportUrl}`,
    ...(job.error ? [`error: ${job.error}`] : []),
    ...moneyOf(job),
    ...timersOf(job.timers, time),
    '',
    view.table(
      ['time', 'action', 'status', ''],
      job.payments.steps.map((step) => [time(step.creationDate), step.action, step.status, detailOf(step)]),
    ),
    '',
    job.reports.length === 0
      ? 'Nothing to report yet.'
      : view.table(
          ['report', 'state', 'tried', 'outcome'],
          job.reports.flatMap(({ revision, state, due, attempts }) => [
            [String(revision), state, '', due ? `next try ${time(due)}` : ''],
            ...attempts.map((attempt) => ['', '', time(attempt.at), outcomeOf(attempt)]),
          ]),
        ),
  ].join('\n')
}

function moneyOf(job: JobDetail): string[] {
  return [
    ...(job.stage === 'underway' ? ['its money is under way'] : []),
    ...(job.stage === 'authorized' ? ['its money is reserved, and not yet captured'] : []),
    ...(job.late ? ['its money came after it had ended'] : []),
    ...(job.amountRefunded ? [`${job.currency} ${job.amountRefunded} refunded`] : []),
    ...(job.amountChargedBack ? [`${job.currency} ${job.amountChargedBack} charged back`] : []),
    ...job.otherPayments.map(
      ({ account, reference, amountPaid }) =>
        `${account} may hold another payment${reference ? `, ${reference}` : ''}: ${amountPaid} paid there`,
    ),
    ...job.refunds.map(
      ({ refund, amount, status, error }) =>
        `refund ${refund} of ${amount} is ${status}${error ? `: ${error}` : ''}`,
    ),
  ]
}

const TIMERS: readonly (readonly [keyof JobDetail['timers'], string])[] = [
  ['expires', 'ends'],
  ['nextAnnouncement', 'asks the PSP for a payment again'],
  ['nextPull', 'asks the PSP how it stands'],
  ['nextReport', 'reports to the shop'],
  ['purge', 'is deleted'],
]

function timersOf(timers: JobDetail['timers'], time: View['time']): string[] {
  return TIMERS.flatMap(([name, does]) => {
    const at = timers[name]
    return at === null ? [] : [`${does} at ${time(at)}`]
  })
}

export async function detailOfJob(api: OperatorApi, named: string): Promise<JobDetail> {
  return api(JobDetail, 'GET', path`/jobs/${await jobIdOf(api, named)}`)
}

export const jobShow = hubCommand({
  name: 'job show',
  does: 'shows a payment job, why it stands as it does, its trace, and each try to report it',
  example: 'job show A-1001',
  args: { id: JOB },
  run: (api, { id }) => detailOfJob(api, id),
  show: showJob,
})

export const jobWhy = hubCommand({
  name: 'job why',
  does: 'says why a payment stands as it does, whose move it is, and what to do',
  example: 'job why A-1001',
  args: { id: JOB },
  run: async (api, { id }) => (await detailOfJob(api, id)).why,
  show: showWhy,
})
