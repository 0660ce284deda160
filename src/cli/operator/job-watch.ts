import type { JobDetail } from '../../operator-api/contract/jobs.ts'
import { type Command, command } from '../command.ts'
import { showTime } from '../show-time.ts'
import { JOB, UTC, jobIdOf } from './find-job.ts'
import { detailOf, detailOfJob, outcomeOf } from './job-show.ts'
import { operatorApi, operatorStream, path } from './operator-api.ts'
import { showWhy } from './show-why.ts'

/** How often (ms) the job is read besides: that a report was tried is no event of its stream. */
const LOOK_EVERY = 5000

/** What a job says that it did not say before, each a line. */
export const newsOf = (
  before: JobDetail | null,
  now: JobDetail,
  zone: { utc?: boolean | undefined },
): string[] => {
  const time = (iso: string): string => showTime(iso, zone)
  const steps = now.payments.steps.slice(before?.payments.steps.length ?? 0)
  const tries = now.reports.flatMap(({ revision, attempts }) => {
    const known = before?.reports.find((report) => report.revision === revision)?.attempts.length ?? 0
    return attempts.slice(known).map((attempt) => ({ revision, attempt }))
  })
  return [
    ...steps.map((step) =>
      `${time(step.creationDate)}  ${step.action} ${step.status} ${step.amountPaid} paid ${detailOf(step)}`.trimEnd(),
    ),
    ...tries.map(({ revision, attempt }) => `${time(attempt.at)}  report ${revision}: ${outcomeOf(attempt)}`),
    ...(before?.why.cause === now.why.cause ? [] : ['', showWhy(now.why, zone), '']),
  ]
}

/** Whether nothing more is to come of a job by itself. */
const isOver = ({ status, reports }: JobDetail): boolean =>
  status !== 'PENDING' && reports.every(({ state }) => state !== 'waiting')

/** `job watch`: prints what becomes of a payment as it happens, until it has ended and the shop was told. */
export const jobWatch: Command = command({
  name: 'npx hub job watch',
  does: 'follows a payment job live, until it has ended and the shop was told',
  example: 'npx hub job watch A-1001',
  args: {
    id: JOB,
    ...UTC,
    json: { type: 'boolean', description: 'print one JSON value a line for each change, and nothing else' },
  },
  run: async ({ id: named, utc, json }) => {
    const api = operatorApi(process.env)
    let shown: JobDetail | null = null
    try {
      const id = await jobIdOf(api, named)
      const stop = new AbortController()
      const changes = operatorStream(process.env, path`/jobs/${id}/events`, stop.signal)
      try {
        for (;;) {
          const now = await detailOfJob(api, id)
          const news = newsOf(shown, now, { utc })
          if (news.length > 0) console.log(json ? JSON.stringify(now) : news.join('\n'))
          shown = now
          if (isOver(now)) return 0
          await changes.next(LOOK_EVERY)
        }
      } finally {
        stop.abort()
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      console.error(error.message)
      return 1
    }
  },
})
