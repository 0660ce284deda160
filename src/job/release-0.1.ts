import { isFinal } from './rules/job.ts'
import { isWorthPulling } from './rules/pull.ts'
import type { AnnounceTurn } from './announce-turns.ts'
import { callJob } from './call-job.ts'
import { isAbout } from './job-pulls.ts'
import type { KnownJob } from './look-up.ts'
import type { PullObject } from './sync-with-psp.ts'

/**
 * A deploy takes its time: until it is through, a Worker of this release also calls objects of release 0.1, which lack some
 * methods. This file goes when no hub can come from that release any more.
 */

/** Pulls a job's status as release 0.1 does: read, ask, record. Calls at the same time share nothing there. */
export function objectOfRelease01(env: Env, id: string): PullObject {
  return {
    async beginPull(call) {
      const job = await callJob(env, id, (stub) => stub.read())
      if (!job) return null
      return isAbout(job, call) && isWorthPulling(job, call.reason)
        ? { is: 'pull', job }
        : { is: 'done', job, isAnswered: true }
    },
    endPull({ reason }, { answer }) {
      const action = reason === 'return' || reason === 'give-up' ? 'Return' : 'Statuspull'
      return callJob(env, id, (stub) => stub.record(action, answer))
    },
  }
}

/** Looks a job up as release 0.1 does. Its objects leave no tombstones. */
export async function lookUpOfRelease01(env: Env, id: string): Promise<KnownJob | null> {
  const job = await callJob(env, id, (stub) => stub.read())
  return job && { is: 'job', job }
}

/** Says whether a job is to be announced, as release 0.1 does: calls at the same time share nothing there. */
export async function announceTurnOfRelease01(env: Env, id: string): Promise<AnnounceTurn | null> {
  const job = await callJob(env, id, (stub) => stub.read())
  const isDue = job?.announcement.is === 'due' && !isFinal(job.status)
  return job && { is: isDue ? 'announce' : 'done', job }
}
