import { type SweepMessage, sweepMessage } from '../domain/messages.ts'
import { isUnreadable } from '../domain/stored.ts'
import { log } from '../log.ts'
import { wakeJob } from '../payment-job/wake.ts'
import { jobsToWake } from '../storage/d1/jobs-to-wake.ts'
import { eachMessage } from './read-message.ts'

/** Jobs woken by one message: each is a call to its object, of which an invocation may make a thousand. */
const PAGE = 200

/** The `sweeps` queue: each message is a page of jobs that should have moved. */
export const consumeSweeps = (batch: MessageBatch, env: Env): Promise<void> =>
  eachMessage(batch, sweepMessage, (message) => wakePage(env, message))

/** The next page is sent first: should this one be cut off, it comes again, and jobs may be woken twice. */
const wakePage = async (env: Env, { sweep, after }: SweepMessage): Promise<void> => {
  const jobs = await jobsToWake(env, sweep, after, PAGE)
  const last = jobs.at(-1)
  if (!last) return
  if (jobs.length === PAGE) await env.SWEEPS.send(sweepMessage.write({ sweep, after: last }))
  log.info('sweep.woken', { status: sweep.status, jobs: jobs.length })
  await Promise.all(jobs.map(({ id }) => wake(env, id)))
}

/** A job that cannot be woken is found again at the next age; it does not bring back the whole page. */
const wake = async (env: Env, id: string): Promise<void> => {
  try {
    await wakeJob(env, id)
  } catch (error) {
    log.fault(isUnreadable(error) ? 'stored.unreadable' : 'sweep.failed', error, { job: id })
  }
}
