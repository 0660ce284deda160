import type { PaymentJob } from '../contract/payment-job.ts'
import { HubError, isPassing } from './hub-error.ts'
import { backoff, either, pause } from './pause.ts'
import type { WaitOptions } from './types.ts'
import type { Way } from './way.ts'

const QUARTER = 15 * 60_000
/** How long (s) the hub may wait for news: less than proxies allow a request. */
const LONGEST_WAIT = 50
/** The shortest pause (ms) between plain reads, in addition to the growing pause. */
const LEAST_PAUSE = 700
/** The longest pause (s) that a `Retry-After` may ask for, because a customer waits too. */
const LONGEST_PAUSE = 60

/**
 * Yields a job as it stands, and again after each change, until `end` (ms). Each read names the version
 * that the client knows (`If-None-Match`) and asks the hub to wait for a change (`Prefer: wait`, RFC
 * 7240), so that no change is lost between two reads. If too many readers already wait, it reads without
 * waiting. Continues after a temporary network error. Throws at `end` if no read succeeded.
 */
export async function* jobChanges(
  way: Way,
  path: string,
  { end = Infinity, signal }: { end?: number; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<PaymentJob, void> {
  let etag: string | null = null
  let shown = ''
  let mayWait = true
  for (let inVain = 0; ;) {
    signal?.throwIfAborted()
    // The hub answers the first read at once.
    const left = etag !== null && mayWait ? Math.ceil((end - Date.now()) / 1000) : 0
    const wait = Math.max(0, Math.min(LONGEST_WAIT, left))
    const given = {
      'x-request-id': crypto.randomUUID(),
      ...(wait > 0 ? { prefer: `wait=${wait}` } : {}),
      ...(etag === null ? {} : { 'if-none-match': etag }),
    }
    let asked = 0
    try {
      const inTime = either(AbortSignal.timeout((wait + 15) * 1000), signal)
      const { headers, body } = await way.once({ method: 'GET', path, headers: given }, inTime)
      const isLive = headers.has('preference-applied') || (etag === null && headers.has('etag'))
      inVain = isLive ? 0 : inVain + 1
      mayWait = true
      etag = headers.get('etag')
      const text = body === null ? shown : JSON.stringify(body)
      if (text !== shown) {
        shown = text
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub's tests hold its answers to its schemas
        yield body as PaymentJob
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof HubError) || !isPassing(error)) throw error
      if (Date.now() >= end && shown === '') throw error
      inVain += 1
      mayWait = error.code !== 'too-many-watchers'
      if (mayWait) asked = Math.min(error.retryAfter ?? 0, LONGEST_PAUSE) * 1000
    }
    if (Date.now() >= end && shown !== '') return
    const least = Math.max(LEAST_PAUSE + backoff(inVain), asked)
    if (inVain > 0) await pause(Math.min(least, Math.max(end - Date.now(), 0)), signal)
  }
}

/** Returns true if the job can only change by the point of sale, which may capture reserved money. */
function isSettled({ status, captureBefore }: PaymentJob): boolean {
  return status !== 'PENDING' || captureBefore !== undefined
}

/** Waits until a job is as wanted, or the time is over; returns it as it then stands. */
export async function waitFor(
  way: Way,
  path: string,
  { until = isSettled, timeout = QUARTER, signal }: WaitOptions = {},
): Promise<PaymentJob> {
  let known: PaymentJob | undefined
  for await (const job of jobChanges(way, path, { end: Date.now() + timeout, signal })) {
    known = job
    if (until(job)) break
  }
  if (!known) throw new Error('a watch ended without a job')
  return known
}
