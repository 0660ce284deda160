import { readConfig } from '../platform/config.ts'
import { sweepsAt, sweepMessage } from './sweep-plan.ts'
import { log } from '../platform/log.ts'

/**
 * Each hour: starts the sweeps for jobs that should have moved and have not, because the platform has given their alarm up, and
 * for those whose retention time is over. What one hour misses is found at the next age.
 */
export async function startSweeps(env: Env, now: number): Promise<void> {
  const sweeps = sweepsAt(now, readConfig(env).retention)
  try {
    await env.SWEEPS.sendBatch(sweeps.map((sweep) => ({ body: sweepMessage.write({ sweep, after: null }) })))
  } catch (error) {
    log.fault('queue.send-failed', error)
  }
}
