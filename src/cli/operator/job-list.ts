import { JobList } from '../../operator-api/contract/jobs.ts'
import { hubCommand } from './hub-command.ts'
import { instantOf } from './instant.ts'

/** What the operator named, by the names that the operator API has for it. */
const queryOf = (named: Readonly<Record<string, string | undefined>>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

export const jobList = hubCommand({
  name: 'job list',
  does: 'lists payment jobs, newest first',
  example: 'job list --from 2026-01-31 --limit 200',
  args: {
    order: { type: 'string', valueHint: 'NUMBER', description: 'of this order number only' },
    pos: { type: 'string', valueHint: 'ID', description: 'of this point of sale only' },
    from: { type: 'string', valueHint: 'TIME', description: 'created at this time or later' },
    to: { type: 'string', valueHint: 'TIME', description: 'created before this time' },
    limit: { type: 'string', valueHint: 'N', description: 'at most so many, up to 200; 50 if not given' },
    after: { type: 'string', valueHint: 'PLACE', description: 'go on after the list before' },
  },
  run: (api, { order, pos, from, to, limit, after }, utc) => {
    const clock = { now: new Date(), utc }
    const begin = from === undefined ? undefined : instantOf(from, 'from', clock)
    const end = to === undefined ? undefined : instantOf(to, 'to', clock, begin)
    const query = queryOf({ order_number: order, pos, from: begin, to: end, limit, after })
    return api(JobList, 'GET', `/jobs?${query}`)
  },
  json: ({ jobs }) => jobs,
  show: ({ jobs, next }, view) =>
    [
      jobs.length === 0
        ? 'There are no such payment jobs.'
        : view.table(
            ['created', 'payment job', 'order', 'status', 'amount', 'paid', 'method', 'point of sale'],
            jobs.map((job) => [
              view.time(job.created),
              job.id,
              job.orderNumber,
              job.status,
              `${job.currency} ${job.amount}`,
              job.paid,
              job.paymentMethod,
              job.pos,
            ]),
          ),
      ...(next === null ? [] : ['', `There are more: the same again with --after ${next}`]),
    ].join('\n'),
})
