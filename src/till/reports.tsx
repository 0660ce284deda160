import { useEffect, useState } from 'preact/hooks'
import type { Session } from './session.ts'
import { clockTime } from './words.ts'
import * as v from 'valibot'
import { ReportError, verifyReport } from '../client/verify-report.ts'
import {
  type AnswerFrame,
  type ReportFrame,
  HubFrame,
  PING_EVERY,
  PROTOCOL,
  TOKEN_PROTOCOL,
} from '../contract/report-frames.ts'

const CHECKS: Readonly<Record<SignatureCheck, readonly [mood: string, words: string]>> = {
  right: ['good', 'signature right'],
  unchecked: ['open', 'signature not checked: no signing secret'],
  'signature-wrong': ['bad', 'signature wrong'],
  'signature-missing': ['bad', 'signature missing'],
  'too-old': ['bad', 'signed more than five minutes ago'],
  'body-unreadable': ['bad', 'body unreadable'],
}

type Props = { session: Session; job: string; takesReports: boolean }

/** Shows the reports of a job as they come. */
export function Reports({ session, job, takesReports }: Props) {
  const [reports, setReports] = useState<readonly ShownReport[]>([])
  useEffect(
    () =>
      listen(
        session,
        { job, takesReports },
        {
          report: (report) => setReports((known) => [...known, report]),
          more: (delivery, more) =>
            setReports((known) =>
              known.map((report) => (report.delivery === delivery ? { ...report, ...more } : report)),
            ),
        },
      ),
    [session, job, takesReports],
  )
  return (
    <section aria-labelledby="reports-title">
      <h3 id="reports-title">Reports</h3>
      <ul class="reports" aria-live="polite">
        {reports.map(({ delivery, at, status, checked, outcome, try: number }) => (
          <li key={delivery}>
            <span class="when">{clockTime(at)}</span> {status}
            {number > 1 && ` (try ${number})`}
            {checked !== null && (
              <>
                {' '}
                – <span class={CHECKS[checked][0]}>{CHECKS[checked][1]}</span>
              </>
            )}
            {outcome !== null && <span class="soft"> – answered {outcome}</span>}
          </li>
        ))}
      </ul>
      {reports.length === 0 && (
        <p class="soft">None since this page was loaded. One comes with each change.</p>
      )}
    </section>
  )
}

/** The result of checking a report's signature in this tab. */
type SignatureCheck = 'right' | 'unchecked' | ReportError['code']

/**
 * A report as this tab shows it. `checked` is null while the tab checks it, which may take longer than the
 * hub takes to send the `outcome`, the job's record of it.
 */
type ShownReport = {
  delivery: string
  at: string
  try: number
  status: string
  checked: SignatureCheck | null
  outcome: string | null
}

const Frame = v.pipe(v.string(), v.parseJson(), HubFrame)

type ReportWatch = { job: string; takesReports: boolean }

/**
 * Listens to the reports of a point of sale, and shows those of the job. If this tab takes reports, it
 * answers 200 to those of its own jobs. It declines all others, so that other listeners or their
 * `report_url` get them. Returns a function that stops listening.
 */
function listen(
  session: Session,
  { job, takesReports }: ReportWatch,
  on: {
    report: (report: ShownReport) => void
    more: (delivery: string, more: Partial<ShownReport>) => void
  },
): () => void {
  const address = new URL(`/v2/reports/listen?as=${takesReports ? 'answers' : 'watches'}`, location.origin)
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  let socket: WebSocket | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const take = async (report: ReportFrame): Promise<void> => {
    if (takesReports && report.to === 'listener') {
      const { delivery } = report
      const said: AnswerFrame = session.jobs.has(report.job)
        ? { type: 'answer', delivery, status: 200 }
        : { type: 'declined', delivery }
      socket?.send(JSON.stringify(said))
    }
    if (report.job !== job) return
    on.report({
      delivery: report.delivery,
      at: new Date().toISOString(),
      try: report.try,
      status: statusIn(report.body),
      checked: null,
      outcome: null,
    })
    on.more(report.delivery, { checked: await check(report, session.signingSecret) })
  }

  const connect = (failures: number): void => {
    let tries = failures + 1
    socket = new WebSocket(address, [PROTOCOL, TOKEN_PROTOCOL + session.apiKey])
    const pings = setInterval(() => socket?.readyState === WebSocket.OPEN && socket.send('ping'), PING_EVERY)
    socket.addEventListener('message', ({ data }) => {
      const { success, output } = v.safeParse(Frame, data)
      if (!success) return
      tries = 0
      if (output.type === 'report') void take(output)
      if (output.type === 'result' && output.job === job)
        on.more(output.delivery, { outcome: `${output.outcome}, ${output.state}` })
    })
    socket.addEventListener('close', () => {
      clearInterval(pings)
      if (!isOver) again = setTimeout(() => connect(tries), Math.min(250 * 2 ** tries, 15_000))
    })
  }
  connect(0)
  return () => {
    isOver = true
    clearTimeout(again)
    socket?.close(1000)
  }
}

async function check({ headers, body }: ReportFrame, secret: string): Promise<SignatureCheck> {
  if (secret === '') return 'unchecked'
  try {
    await verifyReport({ headers, body }, secret)
    return 'right'
  } catch (error) {
    return error instanceof ReportError ? error.code : 'signature-wrong'
  }
}

const ReportBody = v.pipe(v.string(), v.parseJson(), v.object({ status: v.string() }))
function statusIn(body: string): string {
  const read = v.safeParse(ReportBody, body)
  return read.success ? read.output.status : '?'
}
