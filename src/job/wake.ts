import { callJob } from './call-job.ts'

/**
 * Has a job's object see to its alarm. False when there is no job. Throws when the object cannot read its job: then there
 * is one.
 */
export function wakeJob(env: Env, id: string): Promise<boolean> {
  return callJob<boolean>(env, id, async (stub) => stub.wake())
}
