import * as v from 'valibot'
import { type Values, command } from './command.ts'
import { instantOf } from './instant.ts'
import { table } from '../table.ts'

const Job = v.object({
  id: v.string(),
  created: v.string(),
  pos: v.string(),
  account: v.string(),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amount: v.string(),
  paid: v.string(),
  status: v.string(),
  updated: v.string(),
})

/** What the operator named, by the names that the operator API has for it. */
const queryOf = ({ order, pos, from, to, limit, after }: Values): URLSearchParams => {
  const named = {
    order_number: order,
    pos,
    from: from === undefined ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
    limit,
    after,
  }
  return new URLSearchParams(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

export const jobList = command({
  usage: 'job list [--order NUMBER] [--pos ID] [--from TIME] [--to TIME] [--limit N] [--after PLACE]',
  does: 'lists payment jobs, newest first',
  options: {
    order: { type: 'string' },
    pos: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    limit: { type: 'string' },
    after: { type: 'string' },
  },
  answer: v.object({ jobs: v.array(Job), next: v.nullable(v.string()) }),
  run: (api, values) => api('GET', `/jobs?${queryOf(values)}`),
  json: ({ jobs }) => jobs,
  show: ({ jobs, next }) =>
    [
      jobs.length === 0
        ? 'There are no such payment jobs.'
        : table(
            ['created', 'payment job', 'order', 'status', 'amount', 'paid', 'method', 'point of sale'],
            jobs.map((job) => [
              job.created,
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
