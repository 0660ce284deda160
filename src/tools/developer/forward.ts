import type { IncomingMessage } from 'node:http'
import type { AnswerFrame, ReportFrame } from '../../contract/report-frames.ts'
import { requestOver } from './request-over.ts'

/** How long (ms) the receiver may take: as long as the hub waits. */
const DEADLINE = 15_000

/** POSTs a report to the receiver, byte for byte with its headers. What it answered is what the hub is told. */
export async function forward(to: string, report: ReportFrame): Promise<AnswerFrame> {
  const { delivery } = report
  const deadline = AbortSignal.timeout(DEADLINE)
  try {
    const { status, retryAfter } = await post(to, report, deadline)
    return {
      type: 'answer',
      delivery,
      status,
      ...(retryAfter === undefined ? {} : { retryAfter: retryAfter.slice(0, 100) }),
    }
  } catch {
    const failed = deadline.aborted ? 'no answer in time' : 'no connection'
    return { type: 'answer', delivery, failed }
  }
}

/** `fetch` would add headers of its own (Accept-Language, Sec-Fetch-Mode …), which no report of the hub has. */
function post(to: string, { headers, body }: ReportFrame, signal: AbortSignal) {
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const bytes = Buffer.from(body)
    const url = new URL(to)
    const options = { method: 'POST', headers: { ...headers, 'content-length': bytes.length }, signal }
    requestOver(url)(url, options, (answer: IncomingMessage) => {
      resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] })
      // What the receiver says beside is of no use, and an answer that breaks off is an answer.
      answer.on('error', () => {}).destroy()
    })
      .on('error', reject)
      .end(bytes)
  })
}
