import { callJob } from './call-job.ts'
import { isOfReleaseBefore } from '../http/outage.ts'

/**
 * Has a job's object see to its alarm. An object of release 0.1 cannot, and is left for the next time. False when there is no
 * job. Throws when it cannot be read: then there is one.
 */
export const wakeJob = async (env: Env, id: string): Promise<boolean> => {
  try {
    return await callJob<boolean>(env, id, async (stub) => stub.wake())
  } catch (error) {
    if (!isOfReleaseBefore(error)) throw error
    return true
  }
}
