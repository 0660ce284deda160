import * as v from 'valibot'
import { command } from './command.ts'
import { CommandError } from './operator-api.ts'
import { table } from '../table.ts'

const Job = v.looseObject({
  paymentJob: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amountDue: v.string(),
  amountPaid: v.string(),
  status: v.string(),
  error: v.nullable(v.string()),
  account: v.string(),
  reference: v.nullable(v.string()),
  payments: v.object({
    steps: v.array(v.looseObject({ creationDate: v.string(), action: v.string(), status: v.string() })),
  }),
  reports: v.array(
    v.object({
      revision: v.number(),
      state: v.string(),
      due: v.nullable(v.string()),
      attempts: v.array(v.object({ at: v.string(), outcome: v.string() })),
    }),
  ),
})

const showJob = (job: v.InferOutput<typeof Job>): string =>
  [
    `${job.paymentJob}: order ${job.orderNumber} is ${job.status}, ${job.currency} ${job.amountPaid} paid, ${job.amountDue} due`,
    `at ${job.account}${job.reference ? `, its reference ${job.reference}` : ', not announced'}`,
    ...(job.error ? [`error: ${job.error}`] : []),
    '',
    table(
      ['time', 'action', 'status'],
      job.payments.steps.map(({ creationDate, action, status }) => [creationDate, action, status]),
    ),
    '',
    job.reports.length === 0
      ? 'Nothing to report yet.'
      : table(
          ['report', 'state', 'tried', 'outcome'],
          job.reports.flatMap(({ revision, state, due, attempts }) => [
            [String(revision), state, '', due ? `next try ${due}` : ''],
            ...attempts.map(({ at, outcome }) => ['', '', at, outcome]),
          ]),
        ),
  ].join('\n')

export const jobShow = command({
  usage: 'job show ID',
  does: 'shows a payment job, its trace, and each try to report it',
  options: {},
  answer: Job,
  run: (api, _, [id]) => {
    if (!id) throw new CommandError('Say which payment job: job show ID')
    return api('GET', `/jobs/${encodeURIComponent(id)}`)
  },
  show: showJob,
})
