import { callJob } from './call-job.ts'
import { isOfRelease01 } from './release-0.1.ts'

/**
 * Has a job's object see to its alarm. An object of release 0.1 cannot, and is left for the next time. False when there is no
 * job. Throws when it cannot be read: then there is one.
 */
export const wakeJob = async (env: Env, id: string): Promise<boolean> => {
  try {
    return await callJob<boolean>(env, id, async (stub) => stub.wake())
  } catch (error) {
    if (!isOfRelease01(error)) throw error
    return true
  }
}
