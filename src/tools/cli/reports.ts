import type { FailingReport, FailingShop, UndeliveredReportList } from '../../contract/failing-reports.ts'
import { flag, group, option } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import { count, hubCommand } from './hub-command.ts'
import { JOB, jobIdOf } from './jobs.ts'
import { ask, askPages } from './operator-api.ts'
import { posIdOf } from './pos.ts'
import { rangeOf } from './search.ts'
import type { View } from './view.ts'

const RANGE = {
  from: option('TIME', 'given up at this time or later'),
  to: option('TIME', 'given up before this time; now if not given'),
}
const EVER = '2020-01-01T00:00:00.000Z'

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

async function failing(pos: string | undefined): Promise<Listed> {
  const [shops, reports]: [FailingShop[], FailingReport[]] = [[], []]
  for await (const page of askPages('listFailingReports', { query: { pos } })) {
    if (reports.length === 0) shops.splice(0, Infinity, ...page.shops)
    reports.push(...page.reports)
  }
  return { shops, reports }
}

function summary(shops: readonly FailingShop[]): string {
  const owed = shops.reduce((sum, shop) => sum + shop.owed, 0)
  const receivers = shops.filter((shop) => shop.owed > 0).length
  if (owed === 0) return 'No report is failing now.'
  return `${count(owed, 'report is', 'reports are')} failing now, to ${count(receivers, 'shop', 'shops')}.`
}

function hint(shops: readonly FailingShop[]): string {
  return `${summary(shops)}${shops.length === 0 ? '' : ' They are in: report list --failing'}`
}

function showFailing(shops: readonly FailingShop[], reports: readonly FailingReport[], view: View): string {
  if (shops.length === 0) return 'No report is failing now, and none was given up.'
  const givenUp = shops.reduce((sum, shop) => sum + shop.givenUp, 0)
  return [
    view.list('', shops, {
      shop: ({ name }) => name,
      'point of sale': ({ pos }) => pos,
      'not delivered': ({ owed }) => String(owed),
      'given up': (shop) => String(shop.givenUp),
      since: ({ since }) => view.time(since),
      'last answer': ({ lastOutcome }) => lastOutcome ?? '',
    }),
    '',
    view.list('', reports, {
      since: ({ owedSince }) => view.time(owedSince),
      'payment job': ({ paymentJob }) => paymentJob,
      order: ({ orderNumber }) => orderNumber,
      status: ({ status }) => status,
      shop: ({ name }) => name,
      'given up': ({ givenUp: at }) => view.time(at) || 'being tried',
    }),
    '',
    `${summary(shops)} ${count(givenUp, 'was', 'were')} given up. When a shop takes reports again: report resend --pos SHOP`,
  ].join('\n')
}

const list = hubCommand({
  does: 'lists the jobs whose report was given up, 200 at most, or with --failing all that fail',
  example: '--failing',
  args: {
    ...RANGE,
    failing: flag('not delivered for more than a minute, or given up; by shop'),
    pos: option('SHOP', 'with --failing: of this point of sale, by its id or its name'),
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
    if (undelivered.length === 0) return `No report was given up. ${hint(shops)}`
    return [
      view.list('', undelivered, {
        'given up': ({ givenUp }) => view.time(givenUp),
        'payment job': ({ paymentJob }) => paymentJob,
        order: ({ orderNumber }) => orderNumber,
        status: ({ status }) => status,
        'point of sale': ({ pos }) => pos,
      }),
      '',
      hint(shops),
    ].join('\n')
  },
})

const resend = hubCommand({
  does: 'sends the report of a job again, all that a shop did not take, or all that were given up in a time',
  example: '--pos "Shop 1"',
  args: {
    id: { ...JOB, required: false },
    pos: option('SHOP', 'all that this point of sale did not take: its id or its name'),
    ...RANGE,
  },
  run: async ({ id, pos, from, to }, utc) => {
    if ([id, pos, from].filter((one) => one !== undefined).length !== 1 || (to && from === undefined)) {
      throw new UsageError('Say which: report resend ID, --pos SHOP, or --from 2026-01-31')
    }
    if (id !== undefined) {
      await ask('resendReport', { params: { id: await jobIdOf(id) } })
      return { resent: 1 }
    }
    let resent = 0
    if (pos !== undefined) {
      const until = new Date().toISOString()
      const shop = { params: { id: await posIdOf(pos) }, query: { until } }
      for await (const page of askPages('resendReportsOfShop', shop)) resent += page.resent
      return { resent }
    }
    // What `now` is, is settled once: a page that comes later ends where the first one did.
    const range = givenUpIn({ from, to }, utc)
    for (let next = range.from; next !== undefined;) {
      const page = await ask('resendUndeliveredReports', { query: { ...range, from: next } })
      resent += page.resent
      next = page.next ?? undefined
    }
    return { resent }
  },
  show: ({ resent }) => `${count(resent, 'report is', 'reports are')} on the way again.`,
})

export const report = group('reports to points of sale', 'list', { list, resend })
