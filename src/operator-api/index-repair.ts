import { HOUR, isoSecond } from '../contract/timestamp.ts'
import { checkPage, repairPage } from '../job-index/check-index.ts'
import { forgetJobs } from '../job-index/consume-rows.ts'
import { directoryDays } from '../job-index/job-directory.ts'
import { noteFindings } from '../job-index/nightly-check.ts'
import { recountJobs, wrongHours } from '../job-index/recount-jobs.ts'
import { reply } from '../platform/http/operations.ts'
import { type OperatorHandler, changed } from './serve.ts'

export const listIndexDays: OperatorHandler<'listIndexDays'> = async ({ env }) =>
  reply({ days: await directoryDays(env) })

/**
 * Repairs a page of the index, and recounts the figures of the day with its last page. Figures still
 * count the purged jobs whose rows it removes, as after an hourly sweep.
 */
export const rebuildIndexDay: OperatorHandler<'rebuildIndexDay'> = async ({ env, params, query }) => {
  const checked = await checkPage(env, params.day, query.after)
  await repairPage(env, checked)
  await forgetJobs(env, checked.orphans)
  if (checked.next === null) {
    await recountJobs(env, params.day)
    await noteFindings(env.DB, params.day, 0, Date.now())
  }
  const before = checked.wrong.length + checked.orphans.length + checked.unlisted.length
  return changed(
    { jobs: checked.jobs, wrong: checked.unreadable, wrongHours: [], next: checked.next },
    {
      subject: params.day,
      before: { wrong: before },
      after: { wrong: 0, unreadable: checked.unreadable.length },
    },
  )
}

export const verifyIndexDay: OperatorHandler<'verifyIndexDay'> = async ({ env, params, query }) => {
  const { jobs, unreadable, wrong, orphans, unlisted, next } = await checkPage(env, params.day, query.after)
  // The figures of a day depend on all its rows, so they come last.
  const hours = next === null ? await wrongHours(env, params.day) : []
  const others = [...orphans, ...unlisted].map(({ id }) => id)
  return reply({
    jobs,
    wrong: [...new Set([...unreadable, ...wrong, ...others])],
    wrongHours: hours.map((hour) => isoSecond(hour * HOUR)),
    next,
  })
}
