import type { PaymentJob } from '../contract/payment-job.ts'
import { type Answer, readAnswer } from './answer.ts'
import { HubError } from './hub-error.ts'
import { backoff, pause } from './pause.ts'
import type { WaitOptions } from './types.ts'
import { type Way, either, isPassing } from './way.ts'

/**
 * What a read found: the job if it has changed since the last one. `isLive` says whether the next
 * one may follow at once.
 */
type Polled = { job: PaymentJob | null; isLive: boolean }

/**
 * Reads a job again and again. Each read says what it knows already (`If-None-Match`), and asks the
 * hub to wait for news (`Prefer: wait`, RFC 7240): so no change falls between two reads. A hub that
 * lets nobody wait more is asked without.
 */
export function jobPoll(way: Way, path: string) {
  let etag: string | null = null

  const read = (wait: number, signal?: AbortSignal): Promise<Answer> => {
    const headers: Record<string, string> = { 'x-request-id': crypto.randomUUID() }
    if (wait > 0) headers['prefer'] = `wait=${wait}`
    if (etag !== null) headers['if-none-match'] = etag
    const ends = either(AbortSignal.timeout((wait + 15) * 1000), signal)
    return way.once({ method: 'GET', path, headers }, ends, readAnswer)
  }

  const readWaiting = async (wait: number, signal?: AbortSignal): Promise<Answer> => {
    try {
      return await read(wait, signal)
    } catch (error) {
      if (wait === 0 || !(error instanceof HubError) || error.status !== 429) throw error
      return read(0, signal)
    }
  }

  /** The first read is answered at once. `seconds` is how long a later one waits at most. */
  return async (seconds: number, signal?: AbortSignal): Promise<Polled> => {
    const isFirst = etag === null
    const { status, headers, body } = await readWaiting(isFirst ? 0 : seconds, signal)
    etag = headers.get('etag')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub's tests hold its answers to its schemas
    const job = status === 304 ? null : (body as PaymentJob)
    return { job, isLive: headers.has('preference-applied') || (isFirst && etag !== null) }
  }
}

const QUARTER = 15 * 60_000
/** Seconds that the hub is asked to wait: less than proxies allow a request. */
export const LONGEST_WAIT = 50

/**
 * Waits until a job is as wanted, or the time is over: a network that fails for a while is waited
 * for as well.
 */
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
