import { group, option } from '../programs/program.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { isDay, isoDay } from '../contract/timestamp.ts'

const FROM = { from: { ...option('DAY', 'the day to begin with: 2026-01-31'), read: readDay } }

function readDay(text: string, flagName: string): string {
  if (isDay(text)) return text
  throw new UsageError(`${flagName} must be a day, such as 2026-01-31, not ${quoted(text)}`)
}

/** Goes through the jobs, day by day and page by page. Reports progress on standard error. */
async function walk(from: string | undefined, operation: 'verifyIndexDay' | 'rebuildIndexDay') {
  const { days } = await ask('listIndexDays')
  const asked = days.filter((day) => from === undefined || day >= from)
  // Without jobs, one empty day gives the figures of none.
  if (asked.length === 0) asked.push(from ?? isoDay(Date.now()))
  let walked = ''
  const pages = async function* () {
    for (walked of asked) yield* askPages(operation, { params: { day: walked } })
  }
  let said = ''
  return addUp(pages(), ({ jobs }) => {
    const progress = `${walked}: ${jobs} jobs so far (if this stops, continue with --from ${walked})`
    // A day has pages without jobs, which look for rows that it lacks.
    if (progress !== said) console.error(progress)
    said = progress
  })
}

const rebuild = hubCommand({
  does: 'write the index again from the jobs themselves, and count them again',
  example: '--from 2026-01-31',
  args: FROM,
  run: ({ from }) => walk(from, 'rebuildIndexDay'),
  succeeds: ({ wrong }) => wrong.length === 0,
})

const verify = hubCommand({
  does: 'compare the index with the jobs themselves, and its figures with its rows',
  example: '--from 2026-01-31',
  args: FROM,
  run: ({ from }) => walk(from, 'verifyIndexDay'),
  succeeds: ({ wrong, wrongHours }) => wrong.length + wrongHours.length === 0,
})

export const index = group('the index of payment jobs', 'verify', { verify, rebuild })

const show = operationCommand('showRetention')

export const retention = group('jobs deleted after their retention time', 'show', { show })

export const stats = operationCommand('showFigures', {
  example: '--from 2026-01-31 --by psp',
  show: ({ rows, total, ...query }, view) => view.answer({ ...query, rows: [...rows, total] }),
})
