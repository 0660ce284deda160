import type { AnswerFrame, ReportFrame } from '../../report-listener/frames.ts'

/** How long (ms) the receiver may take: as long as the hub waits. */
const DEADLINE = 15_000

/** POSTs a report to the receiver, byte for byte with its headers. What it answered is what the hub is told. */
export const forward = async (to: string, { delivery, headers, body }: ReportFrame): Promise<AnswerFrame> => {
  const deadline = AbortSignal.timeout(DEADLINE)
  try {
    const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: deadline })
    await response.body?.cancel()
    const retryAfter = response.headers.get('retry-after')
    return {
      type: 'answer',
      delivery,
      status: response.status,
      ...(retryAfter === null ? {} : { retryAfter: retryAfter.slice(0, 100) }),
    }
  } catch {
    const failed = deadline.aborted ? 'no answer in time' : 'no connection'
    return { type: 'answer', delivery, failed }
  }
}
