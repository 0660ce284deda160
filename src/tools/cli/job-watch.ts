import type { JobDetail } from '../../contract/jobs.ts'
import { flag } from '../program.ts'
import { hubCommand } from './hub-command.ts'
import { detailOf, outcomeOf, showWhy } from './job.ts'
import { JOB, jobIdOf } from './named.ts'
import { ask, reach } from './operator-api.ts'
import { type View, printable, viewOf } from './view.ts'

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

function isOver({ status, reports }: JobDetail): boolean {
  return status !== 'PENDING' && reports.every(({ state }) => state !== 'due')
}

export const watch = hubCommand({
  does: 'follow a payment job live, until it has ended and the shop was told',
  example: 'A-1001',
  args: { id: JOB, json: flag('print one JSON value a line for each change, and nothing else') },
  run: async ({ id: named, json }, utc) => {
    const view = viewOf(process.stdout, utc)
    const id = await jobIdOf(named)
    const stop = new AbortController()
    const changes = eventsOf(id, stop.signal)
    let shown: JobDetail | null = null
    try {
      for (;;) {
        const now = await ask('showJob', { params: { id } })
        const news = newsOf(shown, printable(now), view)
        if (news.length > 0) console.log(json ? JSON.stringify(now) : news.join('\n'))
        shown = now
        if (isOver(now)) return
        await changes.next(LOOK_EVERY)
      }
    } finally {
      stop.abort()
    }
  },
})

/**
 * Follows the events of a job. `next` resolves when something came, or after a time (ms); what came
 * is for the caller to read again. A stream that ends is opened anew.
 */
function eventsOf(id: string, signal: AbortSignal): { next: (time: number) => Promise<void> } {
  let news = Promise.withResolvers<void>()
  const follow = async (): Promise<void> => {
    const headers = { accept: 'text/event-stream' }
    const { response } = await reach('watchJob', { params: { id } }, { headers, signal })
    if (!response.ok) await response.body?.cancel()
    else for await (const part of response.body ?? []) if (!isComment(part)) news.resolve()
  }
  let following: Promise<void> | null = null
  return {
    async next(time) {
      following ??= follow()
        .catch(() => {})
        .finally(() => (following = null))
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, time)))
      await Promise.race([news.promise, late])
      clearTimeout(timer)
      news = Promise.withResolvers()
    },
  }
}

function isComment(part: Uint8Array): boolean {
  return new TextDecoder().decode(part).startsWith(':')
}
