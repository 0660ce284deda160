import { FiguresBy, type IndexPage } from '../../contract/job-index.ts'
import { group, option } from '../program.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { ask, askPages } from './operator-api.ts'
import { PART_FLAGS, accountOf, isDay, methodOf, rangeOf } from './search.ts'

type Outcome = Pick<IndexPage, 'jobs' | 'wrong' | 'wrongHours'>

const FROM = {
  from: option('DAY', 'the day to begin with: 2026-01-31'),
}

/** Walks over the jobs, day by day and page by page, and tells on standard error how far it is. */
async function walk(
  from: string | undefined,
  operation: 'verifyIndexDay' | 'rebuildIndexDay',
): Promise<Outcome> {
  if (from !== undefined && !isDay(from)) {
    throw new UsageError(`--from must be a day, such as 2026-01-31, not ${quoted(from)}`)
  }
  const { days } = await ask('listIndexDays')
  const outcome: Outcome = { jobs: 0, wrong: [], wrongHours: [] }
  for (const day of days.filter((candidate) => from === undefined || candidate >= from)) {
    for await (const page of askPages(operation, { params: { day } })) {
      outcome.jobs += page.jobs
      outcome.wrong.push(...page.wrong)
      outcome.wrongHours.push(...page.wrongHours)
      console.error(`${day}: ${outcome.jobs} jobs so far (if this is cut off, go on with --from ${day})`)
    }
  }
  return outcome
}

const rebuild = hubCommand({
  does: 'writes the index anew from the jobs themselves, and counts them again',
  example: '--from 2026-01-31',
  args: FROM,
  run: ({ from }) => walk(from, 'rebuildIndexDay'),
  succeeds: ({ wrong }) => wrong.length === 0,
  show: ({ jobs, wrong }) =>
    [
      `The index has the rows of ${jobs} jobs as they stand, and their figures.`,
      ...(wrong.length === 0 ? [] : ['This release cannot read these jobs, so their rows stay as they are:']),
      ...wrong,
    ].join('\n'),
})

const verify = hubCommand({
  does: 'compares the index with the jobs themselves, and its figures with its rows',
  example: '--from 2026-01-31',
  args: FROM,
  run: ({ from }) => walk(from, 'verifyIndexDay'),
  succeeds: ({ wrong, wrongHours }) => wrong.length + wrongHours.length === 0,
  show: ({ jobs, wrong, wrongHours }, view) =>
    wrong.length + wrongHours.length === 0
      ? `The index is right for all ${jobs} jobs, and so are its figures.`
      : [
          `The index is wrong for ${wrong.length} of ${jobs} jobs, and its figures for ` +
            `${wrongHours.length} hours. Run index rebuild.`,
          ...wrong,
          ...wrongHours.map(view.time),
        ].join('\n'),
})

export const index = group('the index of payment jobs', 'verify', { verify, rebuild })

const show = hubCommand({
  does: 'shows how many jobs were deleted after their retention time',
  run: () => ask('showRetention'),
  show: ({ days, forgotten }) =>
    [
      `Jobs are deleted ${days} days after their last change.`,
      ...forgotten.map(({ day, objects, rows }) => `${day}: ${objects} jobs, ${rows} rows of the index`),
    ].join('\n'),
})

export const retention = group('jobs deleted after their retention time', 'show', { show })

function percent(rate: number | null): string {
  return rate === null ? '' : `${(rate * 100).toFixed(1)} %`
}

function seconds(median: number | null): string {
  if (median === null) return ''
  if (median >= 3600) return '1 h or more'
  return median < 90 ? `${Math.round(median)} s` : `${Math.round(median / 60)} min`
}

const MODES = ['live', 'test'] as const

export const stats = hubCommand({
  does: 'shows how many payments there were, what became of them, and how long they took',
  example: '--from 2026-01-31 --by psp',
  args: {
    from: option('TIME', 'created at this time or later; a day ago if not given'),
    to: option('TIME', 'created before this time; now if not given'),
    by: { type: 'enum', options: FiguresBy.options, description: 'what they are told apart by' },
    ...PART_FLAGS,
    mode: { type: 'enum', options: MODES, description: 'live where there are live shops' },
  },
  run: async ({ from, to, by, pos, mode, ...given }, utc) => {
    const range = rangeOf({ from, to }, utc)
    const part = { method: await methodOf(given.method), account: await accountOf(given.account) }
    return ask('showFigures', { query: { ...range, by, pos, mode, ...part } })
  },
  show: ({ from, to, by, mode, rows, total }, view) =>
    [
      `Payments of ${mode} points of sale that were created from ${view.time(from)} to ${view.time(to)}:`,
      '',
      view.list('', [...rows, total], {
        // Of an hour the name is its time.
        [by]: ({ name }) => view.times(name),
        created: ({ created }) => String(created),
        paid: ({ success }) => String(success),
        failed: ({ failure }) => String(failure),
        cancelled: ({ cancelled }) => String(cancelled),
        expired: ({ expired }) => String(expired),
        pending: ({ pending }) => String(pending),
        success: ({ successRate }) => percent(successRate),
        'half within': ({ medianSeconds }) => seconds(medianSeconds),
        'paid in all': ({ paid }) => paid.map(({ currency, amount }) => `${currency} ${amount}`).join(', '),
      }),
    ].join('\n'),
})
