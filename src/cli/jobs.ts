import { FINDABLE, type ListedJob, OF_ONE_MODE, type OperatorJobList } from '../contract/job-search.ts'
import { FIGURES, figuresWith } from '../contract/money-figures.ts'
import { usualMode } from '../contract/points-of-sale.ts'
import type { Mode } from '../contract/values.ts'
import { word } from '../programs/program.ts'
import { exportCommand } from './exports.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { ask } from './operator-api.ts'
import { type Query, membersBut, queryFlags, queryOf } from './query-flags.ts'
import type { Lines, View } from '../programs/view.ts'

/** How long (ms) a command keeps looking for a job. */
const LOOKS_FOR = 30_000

/** Returns the first page with a job. The hub searches a part of the jobs for each page. */
async function firstFound(query: Query): Promise<OperatorJobList> {
  const until = Date.now() + LOOKS_FOR
  for (let after = query['after']; ;) {
    const page = await ask('searchJobs', { query: { ...query, after } })
    if (page.jobs.length > 0 || page.next === null || Date.now() > until) return page
    after = page.next
  }
}

/** A page of jobs, and the mode that it leaves out although there are such jobs. */
type Listed = OperatorJobList & { leftOut?: Mode | null }

/** Lists jobs of one mode, unless a flag names a shop, an account or an order: live ones, if a shop is live. */
async function listed(query: Query): Promise<Listed> {
  const isSaid = ['mode', ...OF_ONE_MODE].some((name) => query[name] !== undefined)
  const mode = isSaid ? query['mode'] : usualMode((await ask('listPointsOfSale')).pointsOfSale)
  const page = await firstFound({ ...query, mode })
  if (mode === undefined || mode === 'all' || (isSaid && page.jobs.length > 0)) return page
  const other = mode === 'live' ? 'test' : 'live'
  const others = await ask('searchJobs', { query: { ...query, mode: other, limit: '1' } })
  return { ...page, leftOut: others.jobs.length > 0 ? other : null }
}

function showJobs({ jobs, next, leftOut }: Listed, view: View): Lines {
  const soFar = next === null ? '' : ' so far'
  return [
    view.list(`No payment jobs match${soFar}.`, jobs, [
      'created',
      ['payment job', 'id'],
      'orderNumber',
      'status',
      ['reserved until', 'captureBefore'],
      ['amount', ({ currency, amount }) => `${currency} ${amount}`],
      'paid',
      // Most payments do not have these.
      ...figuresWith('mood').map(
        (name) => [FIGURES[name].word, (job: ListedJob) => (Number(job[name]) > 0 ? job[name] : '')] as const,
      ),
      'paymentMethod',
      ['point of sale', 'posName'],
      'mode',
      ['order also paid by', 'alsoPaidBy'],
    ]),
    next !== null && ['', `There may be more: repeat the command with --after ${next}`],
    leftOut && ['', `Jobs in ${leftOut} mode match too: --mode ${leftOut} lists them.`],
  ]
}

export const list = hubCommand({
  does: 'list payment jobs, newest first',
  example: '--pos "Shop 1" --status FAILURE --from 2026-01-31',
  args: queryFlags('searchJobs', membersBut('searchJobs', ['q', 'id'])),
  run: (given, utc) => listed(queryOf('searchJobs', given, utc)),
  json: ({ jobs, next }) => ({ jobs, next }),
  show: showJobs,
})

export const find = hubCommand({
  does: 'find payment jobs by a number or id, a part of one, a pay link, an amount, a card on a slip, or the name of a shop',
  example: 'A-1001',
  args: {
    text: word('the id, number, reference or name to find'),
    ...queryFlags('searchJobs', ['limit', 'after']),
  },
  run: ({ text, ...given }, utc) => firstFound({ ...queryOf('searchJobs', given, utc), q: text }),
  show: (found, view) => [showJobs(found, view), found.jobs.length === 0 && ['', FINDABLE]],
})

export const exportJobs = exportCommand('exportJobs', {
  does: 'write all payment jobs of a search to a file, as CSV unless --format says otherwise',
  example: '--month 2026-01 --out january.csv',
  without: ['q', 'id'],
})

export const exportMovements = exportCommand('exportMovements', {
  does: 'write each payment, refund, chargeback and reversal of a time to a file, as CSV unless --format says otherwise',
  example: "--month 2026-01 --separator ';' --out january.csv",
})
