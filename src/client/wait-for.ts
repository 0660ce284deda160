import type { PaymentJob } from '../contract/payment-job.ts'
import { HubError } from './hub-error.ts'
import { jobPoll } from './job-poll.ts'
import { backoff, pause } from './pause.ts'
import type { WaitOptions } from './types.ts'
import { isPassing, type Way } from './way.ts'

const QUARTER = 15 * 60_000
/** Seconds that the hub is asked to wait: less than proxies allow a request. */
export const LONGEST_WAIT = 50

/** Waits until a job is as wanted, or the time is over: a network that fails for a while is waited for as well. */
export async function waitFor(
  way: Way,
  path: string,
  { until = ({ status }) => status !== 'PENDING', timeout = QUARTER, signal }: WaitOptions = {},
): Promise<PaymentJob> {
  const poll = jobPoll(way, path)
  const end = Date.now() + timeout
  let known: PaymentJob | null = null
  for (let inVain = 0; ;) {
    signal?.throwIfAborted()
    const left = Math.max(end - Date.now(), 0)
    try {
      const { job, isLive } = await poll(Math.min(LONGEST_WAIT, Math.ceil(left / 1000)), signal)
      known = job ?? known
      inVain = isLive ? 0 : inVain + 1
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof HubError) || !isPassing(error) || (Date.now() >= end && !known)) throw error
      inVain += 1
    }
    if (known && (until(known) || Date.now() >= end)) return known
    if (inVain > 0) await pause(Math.min(700 + backoff(inVain), Math.max(end - Date.now(), 0)), signal)
  }
}
