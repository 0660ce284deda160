import type { JobDetail } from '../../contract/job-detail.ts'
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

type TraceStep = JobDetail['payments']['steps'][number]

const ACTIONS: Readonly<Record<TraceStep['action'], string>> = {
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

function Line({ step, earlier, job }: { step: TraceStep; earlier: readonly TraceStep[]; job: JobDetail }) {
  const before = earlier.at(-1)
  const changes = changesIn(step, earlier)
  const isOnItsWay = isRefundOnItsWay(step, job)
  return (
    <li class={step.status.toLowerCase()}>
      {before && (
        <span class="between">+ {durationText(secondsBetween(before.creationDate, step.creationDate))}</span>
      )}
      <span class="what">
        {changes.find(({ isLess }) => isLess)?.less ??
          (isOnItsWay ? 'A refund is on its way' : ACTIONS[step.action])}
        {step.status !== before?.status && <StatusPill status={step.status} />}
        {step.stage !== undefined && <span class="soft">{STAGES[step.stage]}</span>}
      </span>
      {changes.length > 0 && (
        <span class="changes">
          {changes.map(({ amount, label }) => (
            <span key={label}>
              <Amount amount={amount} currency={job.currency} /> {isOnItsWay ? 'to go back' : label}
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
function isRefundOnItsWay({ action, creationDate }: TraceStep, { refunds, payments }: JobDetail): boolean {
  const newest = payments.steps.findLast((step) => step.action === 'Refund')
  return action === 'Refund' && refunds.at(-1)?.status === 'PENDING' && newest?.creationDate === creationDate
}

/** The totals of a step: how each is named, and what it means that it fell. */
const MONEY = [
  ['amountAuthorized', 'reserved', 'Less is reserved'],
  ['amountPaid', 'paid', 'A capture failed'],
  ['amountReleased', 'released', 'A release failed'],
  ['amountRefunded', 'refunded', 'Money came back'],
  ['amountChargedBack', 'charged back', 'Money came back'],
] as const

/**
 * Returns the totals that the step changed. Only refund and chargeback steps have the totals of money
 * that went back, so this compares those with the last such step.
 */
function changesIn(step: TraceStep, earlier: readonly TraceStep[]) {
  return MONEY.flatMap(([name, label, less]) => {
    const isBack = name === 'amountRefunded' || name === 'amountChargedBack'
    const hasTotal = ({ action }: TraceStep) => !isBack || action === 'Refund' || action === 'Chargeback'
    if (!hasTotal(step)) return []
    const [was, is] = [Number(earlier.findLast(hasTotal)?.[name] ?? 0), Number(step[name] ?? 0)]
    if (was === is) return []
    const named = name === 'amountPaid' && step.amountAuthorized !== undefined ? 'captured' : label
    const inAll = was > 0 && is > was ? ' in all' : ''
    return [{ amount: step[name] ?? '0.00', label: `${named}${inAll}`, less, isLess: is < was }]
  })
}
