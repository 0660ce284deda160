import { JobDetail } from '../../contract/jobs.ts'
import { Refund } from '../../contract/refund.ts'
import { JOB, jobIdOf } from './find-job.ts'
import { hubCommand } from './hub-command.ts'
import { showJob } from './job-show.ts'
import { path } from './operator-api.ts'

/** An order number will not do where money moves: another job of it may not be in the index yet. */
const ID = { type: 'positional', required: true, description: 'the payment job' } as const

export const jobRefund = hubCommand({
  name: 'job refund',
  does: 'gives money back: all that is left, or an amount',
  example: 'job refund 5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11 --amount 5.00',
  args: {
    id: ID,
    amount: { type: 'string', valueHint: 'AMOUNT', description: 'how much; all that is left if not given' },
    description: { type: 'string', valueHint: 'TEXT', description: 'what the customer reads' },
    'refund-id': {
      type: 'string',
      valueHint: 'UUID',
      description: 'the id of the refund: the same id again is the same refund',
    },
  },
  asks: ({ id, amount = 'all that is left' }) => `Give back ${amount} of payment ${id}?`,
  run: (api, { id, amount, description, 'refund-id': refund = crypto.randomUUID() }) =>
    api(Refund, 'POST', path`/jobs/${id}/refunds`, {
      id: refund,
      ...(amount === undefined ? {} : { amount }),
      ...(description === undefined ? {} : { description }),
    }),
  succeeds: ({ status }) => status !== 'FAILURE',
  show: ({ refund, amount, currency, status, error }) =>
    status === 'FAILURE'
      ? `The refund failed: ${error}`
      : `Refund ${refund} of ${currency} ${amount} ${status === 'SUCCESS' ? 'is done' : 'is on its way'}.`,
})

export const jobCancel = hubCommand({
  name: 'job cancel',
  does: 'stops a payment that the customer can still make',
  example: 'job cancel 5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11',
  args: { id: ID },
  asks: ({ id }) => `Stop payment ${id}? The customer can then not make it any more.`,
  run: (api, { id }) => api(JobDetail, 'POST', path`/jobs/${id}/cancel`),
  show: showJob,
})

export const jobPull = hubCommand({
  name: 'job pull',
  does: 'asks the PSP now how a payment stands',
  example: 'job pull A-1001',
  args: { id: JOB },
  run: async (api, { id }) => api(JobDetail, 'POST', path`/jobs/${await jobIdOf(api, id)}/pull`),
  show: showJob,
})
