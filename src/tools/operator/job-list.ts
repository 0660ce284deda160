import { OperatorJobList } from '../../contract/jobs.ts'
import { hubCommand } from './hub-command.ts'
import { queryOf, SEARCH_FLAGS, searchOf } from './job-search.ts'
import type { OperatorApi } from './operator-api.ts'
import type { View } from './view.ts'

const PAGE_FLAGS = {
  limit: { type: 'string', valueHint: 'N', description: 'at most so many, up to 200; 50 if not given' },
  after: { type: 'string', valueHint: 'PLACE', description: 'go on after the list before' },
} as const

/** How long (ms) a command looks on by itself for the first job that is found. */
const LOOKS_FOR = 30_000

/** A page of jobs: the hub looks through a part of them at a time, and this goes on until there is one to show. */
async function firstFound(api: OperatorApi, query: URLSearchParams): Promise<OperatorJobList> {
  const until = Date.now() + LOOKS_FOR
  for (;;) {
    const page = await api(OperatorJobList, 'GET', `/jobs?${query}`)
    if (page.jobs.length > 0 || page.next === null || Date.now() > until) return page
    query.set('after', page.next)
  }
}

function showJobs({ jobs, next }: OperatorJobList, view: View): string {
  return [
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
}

export const jobList = hubCommand({
  name: 'job list',
  does: 'lists payment jobs, newest first',
  example: 'job list --pos "Shop 1" --status FAILURE --from 2026-01-31',
  args: { ...SEARCH_FLAGS, ...PAGE_FLAGS },
  run: (api, { limit, after, ...given }, utc) =>
    firstFound(api, queryOf({ ...searchOf(given, utc), limit, after })),
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
  run: (api, { text, limit, after }) => firstFound(api, queryOf({ q: text, limit, after })),
  show: showJobs,
})
