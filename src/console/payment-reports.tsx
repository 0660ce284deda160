import type { Payment } from './api.ts'
import { durationText } from './formats.ts'
import { Empty, Pill, StatePill, Theirs, Time, away } from './parts.tsx'
import type { Visit } from './visit.ts'

type Report = Payment['reports'][number]
type Attempt = Report['attempts'][number]

/** What the shop was told, newest first: each revision with its request, and what the receiver answered at each try. */
export function ReportList({ job, visit }: { job: Payment; visit: Visit }) {
  return job.reports.length === 0 ? (
    <Empty title="No report yet">The shop is told when the status or an amount changes.</Empty>
  ) : (
    <ul class="reports">
      {job.reports.toReversed().map((report) => (
        <li key={report.revision}>
          <p class="what">
            <b>Revision {report.revision}</b> <StatePill state={report.state} />
            {report.due !== null && (
              <span class="soft">
                next try <Time at={report.due} visit={visit} />, {away(report.due, visit.now)}
              </span>
            )}
          </p>
          <details>
            <summary>Request</summary>
            <pre>
              {`POST ${job.attributes.reportUrl}
webhook-id: msg_${job.paymentJob}_${report.revision}
x-signature: (HMAC-SHA512 of the body)

the payment job as it stood then, revision ${report.revision}`}
            </pre>
          </details>
          <Attempts attempts={report.attempts} visit={visit} />
        </li>
      ))}
    </ul>
  )
}

function Attempts({ attempts, visit }: { attempts: readonly Attempt[]; visit: Visit }) {
  return attempts.length === 0 ? (
    <p class="soft">Not tried yet.</p>
  ) : (
    <ol class="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.at}>
          <p>
            <Time at={attempt.at} form="full" visit={visit} />
            <Pill tone={/^2\d\d$/.test(attempt.outcome) ? 'good' : 'bad'}>{attempt.outcome}</Pill>
            {attempt.milliseconds !== undefined && (
              <span class="soft">{durationText(attempt.milliseconds / 1000)}</span>
            )}
          </p>
          {attempt.answer !== undefined && attempt.answer !== '' && (
            <pre>
              <Theirs>{attempt.answer}</Theirs>
            </pre>
          )}
        </li>
      ))}
    </ol>
  )
}
