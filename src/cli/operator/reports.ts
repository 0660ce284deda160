import * as v from 'valibot'
import { command } from './command.ts'
import { instantOf } from './instant.ts'
import { CommandError } from './operator-api.ts'
import { table } from '../table.ts'

const RANGE = { from: { type: 'string' }, to: { type: 'string' } } as const
const EVER = '2020-01-01T00:00:00.000Z'

/** The query for a time range: from ever, to now, where nothing else is said. */
const rangeQuery = (from: unknown, to: unknown): string =>
  `?${new URLSearchParams({ from: instantOf(from ?? EVER), to: instantOf(to ?? new Date().toISOString()) })}`

const Undelivered = v.object({
  paymentJob: v.string(),
  pos: v.string(),
  orderNumber: v.string(),
  status: v.string(),
  givenUp: v.string(),
})

export const reportList = command({
  usage: 'report list [--from TIME] [--to TIME]',
  does: 'lists the jobs whose report was given up, 200 at most',
  options: RANGE,
  answer: v.pipe(
    v.object({ undelivered: v.array(Undelivered) }),
    v.transform(({ undelivered }) => undelivered),
  ),
  run: (api, { from, to }) => api('GET', `/reports/undelivered${rangeQuery(from, to)}`),
  show: (jobs) =>
    jobs.length === 0
      ? 'Every report was delivered, or is still being tried.'
      : table(
          ['given up', 'payment job', 'order', 'status', 'point of sale'],
          jobs.map((job) => [job.givenUp, job.paymentJob, job.orderNumber, job.status, job.pos]),
        ),
})

const Resent = v.object({ resent: v.number(), next: v.nullable(v.string()) })

export const reportResend = command({
  usage: 'report resend ID | --from TIME [--to TIME]',
  does: 'sends the report of a job again, or all given up in a time',
  options: RANGE,
  answer: v.object({ resent: v.number() }),
  run: async (api, { from, to }, [id]) => {
    if (id) {
      await api('POST', `/jobs/${encodeURIComponent(id)}/resend`)
      return { resent: 1 }
    }
    if (from === undefined)
      throw new CommandError('Say which: report resend ID, or report resend --from 2026-01-31')
    const until = to ?? new Date().toISOString()
    let resent = 0
    for (let next: unknown = from; next !== null;) {
      const page = v.parse(Resent, await api('POST', `/reports/resend${rangeQuery(next, until)}`))
      resent += page.resent
      next = page.next
    }
    return { resent }
  },
  show: ({ resent }) => `${resent} ${resent === 1 ? 'report is' : 'reports are'} on the way again.`,
})
