import type { PaymentJob } from '../contract/payment-job.ts'
import { type Answer, readAnswer } from './answer.ts'
import { HubError } from './hub-error.ts'
import { either, type Way } from './way.ts'

/** What a read found: the job if it has changed since the last one. `isLive` says whether the next one may follow at once. */
type Polled = { job: PaymentJob | null; isLive: boolean }

/**
 * Reads a job again and again. Each read says what it knows already (`If-None-Match`), and asks the hub to wait for news
 * (`Prefer: wait`, RFC 7240): so no change falls between two reads. A hub that lets nobody wait more is asked without.
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
