import * as v from 'valibot'
import { TriggeredJob, type PosApi } from './pos-api.ts'
import type { ReportWatch } from './report-watch.ts'
import type { Scenario } from './scenarios.ts'

/** How often (ms) the job is looked at. */
const LOOK_EVERY = 300

/** How a scenario ended: the job as it stands, and whether its end was reported. */
export type Played = { job: TriggeredJob; end: 'as expected' | 'other status' | 'given up' | 'not delivered' }

const Reported = v.pipe(v.string(), v.parseJson(), TriggeredJob)

/** Lets a scenario happen to a job, and waits until its end was reported, was given up, or `deadline` (ms) has come. */
export async function playScenario(
  api: PosApi,
  reports: ReportWatch,
  { moves, isEnd, advance }: Scenario & { advance: number },
  id: string,
  deadline: number,
): Promise<Played> {
  const reference = await api.reference(id)
  const until = async (isReached: (job: TriggeredJob) => boolean): Promise<TriggeredJob> => {
    for (;;) {
      const job = await api.read(id)
      if (isReached(job) || Date.now() > deadline) return job
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    }
  }
  for (const move of moves) {
    if ('act' in move) await api.act(reference, move.act, move.options ?? {})
    else if ('return' in move) await api.comeBack(id)
    else await until((job) => isNotified(job, move.until))
  }
  /** How the newest report stands, where it tells the end. */
  const reported = () => {
    const newest = reports.newest(id)
    const told = newest && v.safeParse(Reported, newest.body)
    return told?.success && isEnd(told.output) ? newest?.state : undefined
  }
  if (advance > 0) {
    // What the last move has begun is known to the hub before time passes.
    await until(isEnd)
    await api.advance(id, Math.ceil(advance / 1000))
  }
  const job = await until((current) => isEnd(current) && ['delivered', 'dead'].includes(reported() ?? ''))
  if (!isEnd(job)) return { job, end: 'other status' }
  const state = reported()
  return { job, end: state === 'delivered' ? 'as expected' : state === 'dead' ? 'given up' : 'not delivered' }
}

/** Whether the sandbox has told the hub itself: until then, what happens next would go with the same notification. */
function isNotified({ payments }: TriggeredJob, status: string): boolean {
  return payments.steps.some((step) => step.action === 'Statuspull' && step.status === status)
}
