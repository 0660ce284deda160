import { JobDetail } from '../../operator-api/contract/jobs.ts'
import { ReportsResent, UndeliveredReportList } from '../../operator-api/contract/undelivered-reports.ts'
import { UsageError } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { instantOf } from './instant.ts'
import { path } from './operator-api.ts'

const RANGE = {
  from: { type: 'string', valueHint: 'TIME', description: 'given up at this time or later' },
  to: { type: 'string', valueHint: 'TIME', description: 'given up before this time; now if not given' },
} as const
const EVER = '2020-01-01T00:00:00.000Z'

/** The query for a time range: from ever, to now, where nothing else is given. */
const rangeQuery = (from = EVER, to: string | undefined, utc: boolean): string => {
  const clock = { now: new Date(), utc }
  const begin = instantOf(from, 'from', clock)
  return `?${new URLSearchParams({ from: begin, to: instantOf(to ?? 'now', 'to', clock, begin) })}`
}

export const reportList = hubCommand({
  name: 'report list',
  does: 'lists the jobs whose report was given up, 200 at most',
  example: 'report list --from 2026-01-31',
  args: RANGE,
  run: (api, { from, to }, utc) =>
    api(UndeliveredReportList, 'GET', `/reports/undelivered${rangeQuery(from, to, utc)}`),
  json: ({ undelivered }) => undelivered,
  show: ({ undelivered }, view) =>
    undelivered.length === 0
      ? 'Every report was delivered, or is still being tried.'
      : view.table(
          ['given up', 'payment job', 'order', 'status', 'point of sale'],
          undelivered.map((job) => [
            view.time(job.givenUp),
            job.paymentJob,
            job.orderNumber,
            job.status,
            job.pos,
          ]),
        ),
})

export const reportResend = hubCommand({
  name: 'report resend',
  does: 'sends the report of a job again, or all that were given up in a time',
  example: 'report resend --from 2026-01-31T10:00Z',
  args: { id: { type: 'positional', required: false, description: 'the payment job' }, ...RANGE },
  run: async (api, { id, from, to }, utc) => {
    if ((id === undefined) === (from === undefined)) {
      throw new UsageError('Say which: report resend ID, or report resend --from 2026-01-31')
    }
    if (id !== undefined) {
      await api(JobDetail, 'POST', path`/jobs/${id}/resend`)
      return { resent: 1 }
    }
    const until = to ?? new Date().toISOString()
    let resent = 0
    for (let next: string | null = from ?? EVER; next !== null;) {
      const page: ReportsResent = await api(
        ReportsResent,
        'POST',
        `/reports/resend${rangeQuery(next, until, utc)}`,
      )
      resent += page.resent
      next = page.next
    }
    return { resent }
  },
  show: ({ resent }) => `${resent} ${resent === 1 ? 'report is' : 'reports are'} on the way again.`,
})
