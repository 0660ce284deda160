import type { OperatorJobList } from '../../contract/jobs.ts'
import { hubCommand } from './hub-command.ts'
import { ask } from './operator-api.ts'
import { type Query, SEARCH_FLAGS, searchOf } from './search.ts'
import type { View } from './view.ts'

const PAGE_FLAGS = {
  limit: { type: 'string', valueHint: 'N', description: 'at most so many, up to 200; 50 if not given' },
  after: { type: 'string', valueHint: 'PLACE', description: 'go on after the list before' },
} as const

/** How long (ms) a command looks on by itself for the first job that is found. */
const LOOKS_FOR = 30_000

/**
 * A page of jobs: the hub looks through a part of them at a time, and this goes on until there is
 * one to show.
 */
async function firstFound(query: Query): Promise<OperatorJobList> {
  const until = Date.now() + LOOKS_FOR
  for (let after = query['after']; ;) {
    const page = await ask('searchJobs', { query: { ...query, after } })
    if (page.jobs.length > 0 || page.next === null || Date.now() > until) return page
    after = page.next
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
  run: ({ limit, after, ...given }, utc) => firstFound({ ...searchOf(given, utc), limit, after }),
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
  run: ({ text, limit, after }) => firstFound({ q: text, limit, after }),
  show: showJobs,
})

/** How an operator names a payment job. */
export const JOB = {
  type: 'positional',
  required: true,
  description: 'the payment job: its id, or its order number where no other job has that',
  valueHint: 'ID',
} as const

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The id of the payment job that an operator named. An Error tells where an order number names
 * none, or several.
 */
export async function jobIdOf(named: string): Promise<string> {
  if (ID.test(named)) return named
  const { jobs } = await ask('searchJobs', { query: { order_number: named, limit: '2' } })
  const [job, other] = jobs
  if (!job)
    throw new Error(`There is no payment job of order ${named}. The index may be some seconds behind.`)
  if (other) throw new Error(`Several payment jobs are of order ${named}: see job list --order ${named}`)
  return job.id
}
