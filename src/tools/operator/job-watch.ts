import type { JobDetail } from '../../contract/jobs.ts'
import { type Command, command } from '../command.ts'
import { JOB, jobIdOf } from './find-job.ts'
import { detailOf, detailOfJob, outcomeOf } from './job-show.ts'
import { operatorApi, path } from './operator-api.ts'
import { operatorStream } from './operator-stream.ts'
import { showWhy } from './show-why.ts'
import { tellError } from './tell-error.ts'
import { printable, type View, viewOf } from './view.ts'

/** How often (ms) the job is read besides: that a report was tried is no event of its stream. */
const LOOK_EVERY = 5000

/** What a job says that it did not say before, each a line. */
export function newsOf(before: JobDetail | null, now: JobDetail, view: View): string[] {
  const { time } = view
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
    ...(before?.why.cause === now.why.cause ? [] : ['', showWhy(now.why, view), '']),
  ]
}

/** Whether nothing more is to come of a job by itself. */
function isOver({ status, reports }: JobDetail): boolean {
  return status !== 'PENDING' && reports.every(({ state }) => state !== 'waiting')
}

/** `job watch`: prints what becomes of a payment as it happens, until it has ended and the shop was told. */
export const jobWatch: Command = command({
  name: 'npx hub job watch',
  does: 'follows a payment job live, until it has ended and the shop was told',
  example: 'npx hub job watch A-1001',
  args: {
    id: JOB,
    utc: { type: 'boolean', description: 'times in UTC; else they are of your zone' },
    json: { type: 'boolean', description: 'print one JSON value a line for each change, and nothing else' },
  },
  run: async ({ id: named, utc = false, json = false }) => {
    const view = viewOf(process.stdout, utc)
    let shown: JobDetail | null = null
    try {
      const api = operatorApi(process.env)
      const id = await jobIdOf(api, named)
      const stop = new AbortController()
      const changes = operatorStream(process.env, path`/jobs/${id}/events`, stop.signal)
      try {
        for (;;) {
          const now = await detailOfJob(api, id)
          const news = newsOf(shown, printable(now), view)
          if (news.length > 0) console.log(json ? JSON.stringify(now) : news.join('\n'))
          shown = now
          if (isOver(now)) return 0
          await changes.next(LOOK_EVERY)
        }
      } finally {
        stop.abort()
      }
    } catch (error) {
      return tellError(error, json)
    }
  },
})
