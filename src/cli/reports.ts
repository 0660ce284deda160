import type { FailingReport, FailingShop, UndeliveredReportList } from '../contract/failing-reports.ts'
import { flag, group, option } from '../programs/program.ts'
import { UsageError } from '../programs/usage-error.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { JOB, jobIdOf, posIdOf } from './named.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { queryFlags, queryOf } from './query-flags.ts'
import { rangeOf } from './times.ts'

/** Failing reports, or those given up in a time. The shops whose reports fail come with both. */
type Listed = Partial<UndeliveredReportList> & { shops: FailingShop[]; reports?: FailingReport[] }

const list = hubCommand({
  does: 'list the jobs whose report was given up, 200 at most, or with --failing all failing reports',
  example: '--failing',
  args: {
    ...queryFlags('listUndeliveredReports', ['from', 'to', 'month', 'mode']),
    failing: flag('reports that have failed for more than a minute, or were given up; by shop'),
    pos: option('SHOP', 'with --failing: only those of this point of sale (id or name)'),
  },
  run: async ({ failing = false, pos, ...given }, utc): Promise<Listed> => {
    const { mode } = queryOf('listFailingReports', given, utc)
    if (failing && (given.from ?? given.to ?? given.month) !== undefined)
      throw new UsageError('--failing shows what fails now: it takes no --from, no --to and no --month')
    if (!failing && pos !== undefined) throw new UsageError('--pos goes with --failing')
    if (failing) return addUp(askPages('listFailingReports', { query: { pos, mode } }), undefined, ['shops'])
    const [{ undelivered }, { shops }] = await Promise.all([
      ask('listUndeliveredReports', { query: queryOf('listUndeliveredReports', given, utc) }),
      ask('listFailingReports', { query: { mode } }),
    ])
    return { undelivered, shops }
  },
  json: ({ undelivered, ...failing }) => undelivered ?? failing,
})

const resend = hubCommand({
  does: 'send the report of a job again, all that a shop did not take, or all that were given up in a period',
  example: '--pos "Shop 1"',
  args: {
    id: { ...JOB, required: false },
    pos: option('SHOP', 'all reports that this point of sale (id or name) did not take'),
    from: option('TIME', 'given up at this time or later'),
    to: { ...option('TIME', 'given up before this time'), default: 'now' },
  },
  run: async ({ id, pos, from, to }, utc) => {
    if (
      [id, pos, from].filter((one) => one !== undefined).length !== 1 ||
      (to !== 'now' && from === undefined)
    ) {
      throw new UsageError('Say which: report resend ID, --pos SHOP, or --from 2026-01-31')
    }
    if (id !== undefined) {
      await ask('resendReport', { params: { id: await jobIdOf(id) } })
      return { resent: 1 }
    }
    if (pos !== undefined) {
      const shop = { params: { id: await posIdOf(pos) }, query: { until: new Date().toISOString() } }
      return addUp(askPages('resendReportsOfShop', shop))
    }
    // Fixes `now` once, so that all pages end at the same time.
    return addUp(resentIn(rangeOf({ from, to }, utc)))
  },
})

/** Yields the pages of reports that were given up in a period. Each names the start of the next. */
async function* resentIn({ from, to }: ReturnType<typeof rangeOf>) {
  for (let next = from; next !== undefined;) {
    const page = await ask('resendUndeliveredReports', { query: { from: next, to } })
    yield page
    next = page.next ?? undefined
  }
}

export const report = group('reports to points of sale', 'list', { list, resend })
