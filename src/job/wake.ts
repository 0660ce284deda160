import { orAsBefore } from './as-before.ts'
import { callJob } from './call-job.ts'

/**
 * Has a job's object see to its alarm. An object of release 0.1 cannot, and is left for the next time. False when there is no
 * job. Throws when it cannot be read: then there is one.
 */
export function wakeJob(env: Env, id: string): Promise<boolean> {
  return orAsBefore(
    () => callJob<boolean>(env, id, async (stub) => stub.wake()),
    async () => true,
  )
}
