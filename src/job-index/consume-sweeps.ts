import { type SweepMessage, sweepMessage } from './sweep-plan.ts'
import type { JobKey } from '../job/rules/job-row.ts'
import { indexMessage } from '../job/rules/messages.ts'
import { isUnreadable } from '../platform/stored.ts'
import { log } from '../platform/log.ts'
import { wakeJob } from '../job/wake.ts'
import { jobsToWake } from './jobs-to-wake.ts'
import { eachMessage } from '../platform/read-message.ts'

/** Jobs woken by one message: each is a call to its object, of which an invocation may make a thousand. */
const PAGE = 200

/** The `sweeps` queue: each message is a page of jobs that should have moved. */
export function consumeSweeps(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, sweepMessage, (message) => wakePage(env, message))
}

/** The next page is sent first: should this one be cut off, it comes again, and jobs may be woken twice. */
async function wakePage(env: Env, { sweep, after }: SweepMessage): Promise<void> {
  const jobs = await jobsToWake(env, sweep, after, PAGE)
  const last = jobs.at(-1)
  if (!last) return
  if (jobs.length === PAGE) await env.SWEEPS.send(sweepMessage.write({ sweep, after: last }))
  log.info('sweep.woken', { status: sweep.status, jobs: jobs.length })
  await Promise.all(jobs.map((job) => wake(env, job)))
}

/**
 * A job that cannot be woken is found again at the next age; it does not bring back the whole page. A row whose job is gone is
 * removed: the job was purged by being woken now, or its row came to the index after the word of the purge. It is of no job that is just being created: an object has its job
 * before it sends the row, and a sweep takes jobs that are a day old or more.
 */
async function wake(env: Env, key: JobKey): Promise<void> {
  try {
    const isThere = await wakeJob(env, key.id)
    if (!isThere) await env.JOB_INDEX.send(indexMessage.write({ forgotten: key }))
  } catch (error) {
    log.fault(isUnreadable(error) ? 'stored.unreadable' : 'sweep.failed', error, {
      job: key.id,
      pos: key.pos,
    })
  }
}
