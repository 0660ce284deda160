import type { OperatorJobList } from '../../contract/jobs.ts'
import { flag, option, word } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import { EXPORT_FLAGS, exportTo } from './exports.ts'
import { hubCommand } from './hub-command.ts'
import { ask } from './operator-api.ts'
import { type Query, SEARCH_FLAGS, searchOf } from './search.ts'
import type { View } from './view.ts'

const PAGE_FLAGS = {
  limit: option('N', 'at most so many, up to 200; 50 if not given'),
  after: option('PLACE', 'go on after the list before'),
}

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
  const soFar = next === null ? '' : ' among those looked through so far'
  return [
    view.list(`There are no such payment jobs${soFar}.`, jobs, {
      created: ({ created }) => view.time(created),
      'payment job': ({ id }) => id,
      order: ({ orderNumber }) => orderNumber,
      status: ({ status }) => status,
      amount: ({ currency, amount }) => `${currency} ${amount}`,
      paid: ({ paid }) => paid,
      method: ({ paymentMethod }) => paymentMethod,
      'point of sale': ({ posName }) => posName,
    }),
    ...(next === null ? [] : ['', `There may be more: the same again with --after ${next}`]),
  ].join('\n')
}

export const list = hubCommand({
  does: 'lists payment jobs, newest first',
  example: '--pos "Shop 1" --status FAILURE --from 2026-01-31',
  args: { ...SEARCH_FLAGS, ...PAGE_FLAGS },
  run: async ({ limit, after, ...given }, utc) =>
    firstFound({ ...(await searchOf(given, utc)), limit, after }),
  show: showJobs,
})

export const find = hubCommand({
  does: 'finds payment jobs by an id, order number, order id, reference of the PSP, or name of a shop',
  example: 'A-1001',
  args: {
    text: word('what the job is known by'),
    ...PAGE_FLAGS,
  },
  run: ({ text, limit, after }) => firstFound({ q: text, limit, after }),
  show: showJobs,
})

export const exported = hubCommand({
  does: 'writes all payment jobs of a search to a file',
  example: '--format csv --from 2026-01-01 --out january.csv',
  args: {
    format: { type: 'enum', options: ['csv', 'ndjson'], description: 'csv if not given' },
    ...SEARCH_FLAGS,
    ...EXPORT_FLAGS,
    json: flag('the same as --format ndjson; an error is JSON too'),
  },
  run: async ({ json, format = json ? 'ndjson' : 'csv', ...given }, utc) =>
    exportTo(given, 'exportJobs', { format, ...(await searchOf(given, utc)) }),
})

export const JOB = word('the payment job: its id, or its order number where no other job has that')

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isJobId(text: string): boolean {
  return ID.test(text)
}

/**
 * The id of the payment job that an operator named. Throws a UsageError where an order number names
 * none, or several.
 */
export async function jobIdOf(named: string): Promise<string> {
  if (isJobId(named)) return named
  const { jobs } = await ask('searchJobs', { query: { order_number: named, limit: '2' } })
  const [job, other] = jobs
  if (!job) {
    throw new UsageError(`There is no payment job of order ${named}. The index may be some seconds behind.`)
  }
  if (other) throw new UsageError(`Several payment jobs are of order ${named}: see job list --order ${named}`)
  return job.id
}
