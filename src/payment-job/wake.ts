import { callJob } from './call-job.ts'
import { isOfReleaseBefore } from '../http/outage.ts'

/** Has a job's object see to its alarm. An object of release 0.1 cannot, and is left for the next time. */
export const wakeJob = async (env: Env, id: string): Promise<void> => {
  try {
    await callJob(env, id, (stub) => stub.wake())
  } catch (error) {
    if (!isOfReleaseBefore(error)) throw error
  }
}
