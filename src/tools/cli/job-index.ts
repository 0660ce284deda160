import type { IndexPage } from '../../operator-api/contract/job-index.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { ask, askPages } from './operator-api.ts'
import { isDay } from './search.ts'

type Outcome = Pick<IndexPage, 'jobs' | 'wrong' | 'wrongHours'>

const FROM = {
  from: { type: 'string', valueHint: 'DAY', description: 'the day to begin with: 2026-01-31' },
} as const

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

export const indexRebuild = hubCommand({
  name: 'index rebuild',
  does: 'writes the index anew from the jobs themselves, and counts them again',
  example: 'index rebuild --from 2026-01-31',
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

export const indexVerify = hubCommand({
  name: 'index verify',
  does: 'compares the index with the jobs themselves, and its figures with its rows',
  example: 'index verify --from 2026-01-31',
  args: FROM,
  run: ({ from }) => walk(from, 'verifyIndexDay'),
  succeeds: ({ wrong, wrongHours }) => wrong.length + wrongHours.length === 0,
  show: ({ jobs, wrong, wrongHours }, view) =>
    wrong.length + wrongHours.length === 0
      ? `The index is right for all ${jobs} jobs, and so are its figures.`
      : [
          `The index is wrong for ${wrong.length} of ${jobs} jobs, and its figures for ${wrongHours.length} hours. Run index rebuild.`,
          ...wrong,
          ...wrongHours.map(view.time),
        ].join('\n'),
})

export const retentionShow = hubCommand({
  name: 'retention show',
  does: 'shows how many jobs were deleted after their retention time',
  example: 'retention show',
  args: {},
  run: () => ask('showRetention'),
  show: ({ days, forgotten }) =>
    [
      `Jobs are deleted ${days} days after their last change.`,
      ...forgotten.map(({ day, objects, rows }) => `${day}: ${objects} jobs, ${rows} rows of the index`),
    ].join('\n'),
})
