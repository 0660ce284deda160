import { represent } from '../job/rules/representation.ts'
import { hasContent } from '../platform/http/preferences.ts'
import { readJob } from '../job/call-job.ts'
import { unlessAborted } from '../platform/deadline.ts'
import { watchJob } from '../job/watch-job.ts'
import type { PaymentJob } from './contract/payment-job.ts'
import { etagOf } from './signed.ts'

/** The body of an answer that was waited for. `isLive` is false where the job's object could not be watched. */
type Awaited = { is: 'job'; body: string; isLive: boolean }

/**
 * A point of sale's job once it is another than the client knows, or as it stands after so many seconds. What the client knows
 * it says by `If-None-Match`. Without that it waits for the next change, and not at all once the job has its final status. Throws
 * an outage when the job's object does not answer in that time.
 */
export async function awaitJob(
  request: Request,
  env: Env,
  { id, pos }: { id: string; pos: string },
  seconds: number,
): Promise<Awaited | { is: 'too-many' } | null> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), seconds * 1000)
  request.signal.addEventListener('abort', () => stop.abort())
  try {
    const watch = await watchJob(env, { id, pos }, stop.signal)
    if (watch === null || watch.is === 'too-many') return watch
    const isNews = async (body: string): Promise<boolean> => !hasContent(request, await etagOf(body))
    const answer = (body: string): Awaited => ({ is: 'job', body, isLive: watch.isLive })
    let body = JSON.stringify(watch.now.job)
    const isConditional = request.headers.has('if-none-match')
    if (isConditional ? await isNews(body) : watch.now.isFinal) return answer(body)
    for await (const { job } of watch.changes) {
      body = JSON.stringify(job)
      if (await isNews(body)) return answer(body)
    }
    if (stop.signal.aborted || !watch.isLive) return answer(body)
    // The watch was cut off for good: only a read tells how the job stands now.
    const job = await unlessAborted(stop.signal, readJob(env, id))
    return job && answer(JSON.stringify(represent(job) satisfies PaymentJob))
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}
