import type { JobDetail } from '../../contract/job-detail.ts'
import { changesIn } from '../../contract/job-money.ts'
import type { Step } from '../../contract/payment-job.ts'
import type { Stage } from '../../contract/values.ts'
import { durationText, secondsBetween } from '../parts/formats.ts'
import { Empty, Pill, StatePill, Theirs, Time, away, Amount, StatusPill } from '../parts/parts.tsx'
import { useVisit } from '../plumbing/visit.ts'

type Report = JobDetail['reports'][number]
type Attempt = Report['attempts'][number]

/** Lists the reports, newest first, each with its request and the answer to each try. */
export function ReportList({ job }: { job: JobDetail }) {
  const { now } = useVisit()
  return job.reports.length === 0 ? (
    <Empty title="No report yet">The hub sends one when the status or an amount changes.</Empty>
  ) : (
    <ul class="reports">
      {job.reports.toReversed().map((report, place) => (
        <li key={report.revision}>
          <p class="what">
            <b>Revision {report.revision}</b>{' '}
            <StatePill state={place > 0 && report.state === 'given-up' ? 'replaced' : report.state} />
            {report.due !== null && (
              <span class="soft">
                next try <Time at={report.due} />, {away(report.due, now)}
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
          <Attempts attempts={report.attempts} />
        </li>
      ))}
    </ul>
  )
}

/** Whether a shop took a report, or nobody had to: the hub's own till follows its payments itself. */
function isDelivered({ outcome }: Attempt): boolean {
  return /^(2\d\d|shown at the till)$/.test(outcome)
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  return attempts.length === 0 ? (
    <p class="soft">Not tried yet.</p>
  ) : (
    <ol class="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.at}>
          <p>
            <Time at={attempt.at} form="full" />
            <Pill tone={isDelivered(attempt) ? 'good' : 'bad'}>{attempt.outcome}</Pill>
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

const ACTIONS: Readonly<Record<Step['action'], string>> = {
  Start: 'Created',
  Return: 'The customer came back',
  Statuspull: 'The PSP was asked',
  Expire: 'Expired',
  Cancel: 'Cancelled',
  Capture: 'Captured',
  Release: 'Reserved money was released',
  Refund: 'Money went back',
  Chargeback: 'Charged back',
}

export const STAGES: Record<Stage, string> = {
  underway: 'money is under way',
  authorized: 'money is reserved',
  'waiting-for-card': 'the terminal waits for a card',
  'card-read': 'the terminal has read the card',
  authorising: 'the bank is being asked',
}

/** Shows the trace: each step, the changes it made, and the time since the step before. */
export function Timeline({ job }: { job: JobDetail }) {
  return (
    <ol class="timeline">
      {job.payments.steps.map((step, place, steps) => (
        <Line key={step.creationDate} step={step} earlier={steps.slice(0, place)} job={job} />
      ))}
    </ol>
  )
}

function Line({ step, earlier, job }: { step: Step; earlier: readonly Step[]; job: JobDetail }) {
  const before = earlier.at(-1)
  const changes = changesIn(step, earlier)
  const fallen = changes.find(({ isLess }) => isLess)
  const isOnItsWay = isRefundOnItsWay(step, job)
  return (
    <li class={step.status.toLowerCase()}>
      {before && (
        <span class="between">+ {durationText(secondsBetween(before.creationDate, step.creationDate))}</span>
      )}
      <span class="what">
        {fallen ? `Less ${fallen.word}` : isOnItsWay ? 'A refund is on its way' : ACTIONS[step.action]}
        {step.status !== before?.status && <StatusPill status={step.status} />}
        {step.stage !== undefined && <span class="soft">{STAGES[step.stage]}</span>}
      </span>
      {changes.length > 0 && (
        <span class="changes">
          {changes.map(({ amount, word }) => (
            <span key={word}>
              <Amount amount={amount} currency={job.currency} /> {isOnItsWay ? 'to go back' : word}
            </span>
          ))}
        </span>
      )}
      <span class="when">
        <a
          href={`/console/payments/${job.paymentJob}?at=${step.creationDate}`}
          title="How the payment stood then"
        >
          <Time at={step.creationDate} form="full" />
        </a>
      </span>
    </li>
  )
}

/** Some PSPs count a refund once they take it, so the newest may still be on its way. */
function isRefundOnItsWay({ action, creationDate }: Step, { refunds, payments }: JobDetail): boolean {
  const newest = payments.steps.findLast((step) => step.action === 'Refund')
  return action === 'Refund' && refunds.at(-1)?.status === 'PENDING' && newest?.creationDate === creationDate
}
