import { isWorthLooking } from '../domain/look.ts'
import { callJob } from './call-job.ts'
import { isAbout } from './looks.ts'
import type { Looker } from './sync-with-psp.ts'

/**
 * A deploy takes its time: until it is through, a Worker of this release also calls objects of release 0.1, which know
 * nothing of looks. This file goes when no hub can come from that release any more.
 */

/** Whether an error says that an object does not have the method that it was called by. */
export const isOfRelease01 = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes('does not implement "beginLook"')

/** Looks at a job as release 0.1 does: read, ask, record. Nothing is shared there between looks at the same time. */
export const lookerOfRelease01 = (env: Env, id: string): Looker => ({
  async beginLook(look) {
    const job = await callJob(env, id, (stub) => stub.read())
    if (!job) return null
    return isAbout(job, look) && isWorthLooking(job, look.reason)
      ? { is: 'pull', ticket: 0, job }
      : { is: 'done', job, isAnswered: true }
  },
  endLook(_, { reason }, { answer }) {
    const action = reason === 'return' || reason === 'give-up' ? 'Return' : 'Statuspull'
    return callJob(env, id, (stub) => stub.record(action, answer))
  },
})
