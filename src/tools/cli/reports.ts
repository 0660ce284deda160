import type { FailingReport, FailingShop, UndeliveredReportList } from '../../contract/failing-reports.ts'
import { UsageError } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { JOB, jobIdOf } from './jobs.ts'
import { ask, askPages } from './operator-api.ts'
import { rangeOf } from './search.ts'
import type { View } from './view.ts'

const RANGE = {
  from: { type: 'string', valueHint: 'TIME', description: 'given up at this time or later' },
  to: { type: 'string', valueHint: 'TIME', description: 'given up before this time; now if not given' },
} as const
const EVER = '2020-01-01T00:00:00.000Z'

/** A time range: from ever, to now, where nothing else is given. */
function givenUpIn(
  { from = EVER, to = 'now' }: Readonly<Record<'from' | 'to', string | undefined>>,
  utc: boolean,
) {
  return rangeOf({ from, to }, utc)
}

/**
 * What `report list` shows: those that were given up in a time, with how many fail, or those that
 * fail.
 */
type Listed = Partial<UndeliveredReportList> & { shops: FailingShop[]; reports?: FailingReport[] }

/** All pages of what fails. */
async function failing(pos: string | undefined): Promise<Listed> {
  const [shops, reports]: [FailingShop[], FailingReport[]] = [[], []]
  for await (const page of askPages('listFailingReports', { query: { pos } })) {
    if (reports.length === 0) shops.splice(0, Infinity, ...page.shops)
    reports.push(...page.reports)
  }
  return { shops, reports }
}

/** What is still being tried, and fails. */
function summary(shops: readonly FailingShop[]): string {
  const owed = shops.reduce((sum, shop) => sum + shop.owed, 0)
  const places = shops.filter((shop) => shop.owed > 0).length
  if (owed === 0) return 'No report is failing now.'
  const what = owed === 1 ? '1 report is failing now' : `${owed} reports are failing now`
  return `${what}, to ${places === 1 ? '1 shop' : `${places} shops`}: report list --failing`
}

function showFailing(shops: readonly FailingShop[], reports: readonly FailingReport[], view: View): string {
  if (shops.length === 0) return 'No report is failing now, and none was given up.'
  const head = ['shop', 'point of sale', 'not delivered', 'given up', 'since', 'last answer']
  const shopRows = shops.map(({ name, pos, owed, givenUp, since, lastOutcome }) => {
    return [name, pos, String(owed), String(givenUp), view.time(since), lastOutcome ?? '']
  })
  const reportRows = reports.map(({ owedSince, paymentJob, orderNumber, status, name, givenUp }) => {
    return [view.time(owedSince), paymentJob, orderNumber, status, name, view.time(givenUp) || 'being tried']
  })
  const reportHead = ['since', 'payment job', 'order', 'status', 'shop', 'given up']
  return [view.table(head, shopRows), '', view.table(reportHead, reportRows)].join('\n')
}

export const reportList = hubCommand({
  name: 'report list',
  does: 'lists the jobs whose report was given up, 200 at most, or with --failing all that fail',
  example: 'report list --failing',
  args: {
    ...RANGE,
    failing: { type: 'boolean', description: 'not delivered for more than a minute, or given up; by shop' },
    pos: {
      type: 'string',
      valueHint: 'SHOP',
      description: 'with --failing: of this point of sale, by its id or its name',
    },
  },
  run: async ({ from, to, failing: isFailing = false, pos }, utc): Promise<Listed> => {
    if (isFailing && (from !== undefined || to !== undefined))
      throw new UsageError('--failing shows what fails now: it takes no --from and no --to')
    if (!isFailing && pos !== undefined) throw new UsageError('--pos goes with --failing')
    if (isFailing) return failing(pos)
    const [{ undelivered }, { shops }] = await Promise.all([
      ask('listUndeliveredReports', { query: givenUpIn({ from, to }, utc) }),
      ask('listFailingReports'),
    ])
    return { undelivered, shops }
  },
  json: ({ undelivered, shops, reports }) => undelivered ?? { shops, reports },
  show: ({ undelivered, shops, reports = [] }, view) => {
    if (!undelivered) return showFailing(shops, reports, view)
    if (undelivered.length === 0) return `No report was given up. ${summary(shops)}`
    const rows = undelivered.map((job) => {
      return [view.time(job.givenUp), job.paymentJob, job.orderNumber, job.status, job.pos]
    })
    return [
      view.table(['given up', 'payment job', 'order', 'status', 'point of sale'], rows),
      '',
      summary(shops),
    ].join('\n')
  },
})

export const reportResend = hubCommand({
  name: 'report resend',
  does: 'sends the report of a job again, or all that were given up in a time',
  example: 'report resend --from 2026-01-31T10:00Z',
  args: { id: { ...JOB, required: false }, ...RANGE },
  run: async ({ id, from, to }, utc) => {
    if ((id === undefined) === (from === undefined)) {
      throw new UsageError('Say which: report resend ID, or report resend --from 2026-01-31')
    }
    if (id !== undefined) {
      await ask('resendReport', { params: { id: await jobIdOf(id) } })
      return { resent: 1 }
    }
    // What `now` is, is settled once: a page that comes later ends where the first one did.
    const range = givenUpIn({ from, to }, utc)
    let resent = 0
    for (let next = range.from; next !== undefined;) {
      const page = await ask('resendUndeliveredReports', { query: { ...range, from: next } })
      resent += page.resent
      next = page.next ?? undefined
    }
    return { resent }
  },
  show: ({ resent }) => `${resent} ${resent === 1 ? 'report is' : 'reports are'} on the way again.`,
})
