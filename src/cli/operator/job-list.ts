import { JobList } from '../../operator-api/contract/jobs.ts'
import { hubCommand } from './hub-command.ts'
import { SEARCH_FLAGS, queryOf, searchOf } from './job-search.ts'
import type { View } from './view.ts'

const PAGE_FLAGS = {
  limit: { type: 'string', valueHint: 'N', description: 'at most so many, up to 200; 50 if not given' },
  after: { type: 'string', valueHint: 'PLACE', description: 'go on after the list before' },
} as const

const showJobs = ({ jobs, next }: JobList, view: View): string =>
  [
    jobs.length > 0
      ? view.table(
          ['created', 'payment job', 'order', 'status', 'amount', 'paid', 'method', 'point of sale'],
          jobs.map((job) => [
            view.time(job.created),
            job.id,
            job.orderNumber,
            job.status,
            `${job.currency} ${job.amount}`,
            job.paid,
            job.paymentMethod,
            job.posName,
          ]),
        )
      : next === null
        ? 'There are no such payment jobs.'
        : 'There are no such payment jobs among those looked through so far.',
    ...(next === null ? [] : ['', `There may be more: the same again with --after ${next}`]),
  ].join('\n')

export const jobList = hubCommand({
  name: 'job list',
  does: 'lists payment jobs, newest first',
  example: 'job list --pos "Shop 1" --status FAILURE --from 2026-01-31',
  args: { ...SEARCH_FLAGS, ...PAGE_FLAGS },
  run: (api, { limit, after, ...given }, utc) =>
    api(JobList, 'GET', `/jobs?${queryOf({ ...searchOf(given, utc), limit, after })}`),
  json: ({ jobs }) => jobs,
  show: showJobs,
})

export const jobFind = hubCommand({
  name: 'job find',
  does: 'finds payment jobs by an id, order number, order id, reference of the PSP, or name of a shop',
  example: 'job find A-1001',
  args: {
    text: { type: 'positional', required: true, description: 'what the job is known by' },
    ...PAGE_FLAGS,
  },
  run: (api, { text, limit, after }) => api(JobList, 'GET', `/jobs?${queryOf({ q: text, limit, after })}`),
  json: ({ jobs }) => jobs,
  show: showJobs,
})
