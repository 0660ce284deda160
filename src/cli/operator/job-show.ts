import { JobDetail, type JobStep } from '../../operator-api/contract/jobs.ts'
import { hubCommand } from './hub-command.ts'
import { path } from './operator-api.ts'
import type { View } from './view.ts'

/** What a step says beside its status: where the money is, and what has gone back by then. */
const detailOf = ({ stage, amountRefunded, amountChargedBack }: JobStep): string =>
  [
    ...(stage ? [stage] : []),
    ...(amountRefunded ? [`${amountRefunded} refunded`] : []),
    ...(amountChargedBack ? [`${amountChargedBack} charged back`] : []),
  ].join(', ')

/** A payment job as an operator reads it. */
export const showJob = (job: JobDetail, view: View): string =>
  [
    `${job.paymentJob}: order ${job.orderNumber} is ${job.status}, ${job.currency} ${job.amountPaid} paid, ${job.amountDue} due`,
    `at ${job.account}${job.reference ? `, its reference ${job.reference}` : ', not announced'}`,
    ...(job.error ? [`error: ${job.error}`] : []),
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
    '',
    view.table(
      ['time', 'action', 'status', ''],
      job.payments.steps.map((step) => [
        view.time(step.creationDate),
        step.action,
        step.status,
        detailOf(step),
      ]),
    ),
    '',
    job.reports.length === 0
      ? 'Nothing to report yet.'
      : view.table(
          ['report', 'state', 'tried', 'outcome'],
          job.reports.flatMap(({ revision, state, due, attempts }) => [
            [String(revision), state, '', due ? `next try ${view.time(due)}` : ''],
            ...attempts.map(({ at, outcome }) => ['', '', view.time(at), outcome]),
          ]),
        ),
  ].join('\n')

export const jobShow = hubCommand({
  name: 'job show',
  does: 'shows a payment job, its trace, and each try to report it',
  example: 'job show 5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11',
  args: { id: { type: 'positional', required: true, description: 'the payment job' } },
  run: (api, { id }) => api(JobDetail, 'GET', path`/jobs/${id}`),
  show: showJob,
})
