import { hasRole } from '../contract/operation.ts'
import type { Me } from '../contract/operators.ts'
import { ActionLink } from './action.tsx'
import type { JobDetail } from '../contract/jobs.ts'
import { eventsAddress } from './api.ts'
import { problemView, Amount, StatusPill, TestMark, Theirs, Time, Code, Fact, away } from './parts.tsx'
import { Money } from './payment-actions.tsx'
import { ReportList, Timeline } from './payment-reports.tsx'
import { Reason } from './payment-why.tsx'
import type { Page, Visit } from './visit.ts'

/** Shows one payment. The script reloads its parts when something happens to the payment. */
export const paymentPage: Page = async (visit) => {
  const id = visit.params['id'] ?? ''
  const at = visit.url.searchParams.get('at') ?? undefined
  const found = await visit.api('showJob', { params: { id }, query: { at } })
  if (!found.ok) return () => problemView('This payment cannot be shown', found.problem)
  const job = found.value
  return (visitor) => ({
    title: `${job.orderNumber} · Payment`,
    ...(at === undefined ? { live: eventsAddress(id) } : {}),
    ...(at === undefined && isMoving(job, visit.now) ? { after: 2 } : {}),
    body: page(job, at === undefined ? visitor : { ...visitor, role: 'viewer' }, at, visit),
  })
}

/** One payment, as it stands or as it stood. Nobody acts on the past: its visitor is a viewer. */
function page(job: JobDetail, me: Me, at: string | undefined, visit: Visit) {
  return (
    <>
      {at !== undefined && <Then at={at} job={job} visit={visit} />}
      <PaymentHead job={job} me={me} visit={visit} />
      <div data-part="why">
        <Reason job={job} me={me} visit={visit} />
      </div>
      <div class="sides">
        <div>
          <section class="card" data-part="trace">
            <h2>Timeline</h2>
            <Timeline job={job} visit={visit} />
          </section>
          <section class="card" data-part="reports">
            <h2>Reports to the shop</h2>
            <ReportList job={job} visit={visit} />
          </section>
          <div data-part="money">
            <Money job={job} visit={visit} />
          </div>
        </div>
        <div data-part="facts">
          <Facts job={job} visit={visit} />
          <Planned job={job} visit={visit} />
        </div>
      </div>
    </>
  )
}

/** Says that the page shows the past, and leads back. */
function Then({ at, job, visit }: { at: string; job: JobDetail; visit: Visit }) {
  return (
    <p class="notice busy">
      As it stood at <Time at={at} form="full" visit={visit} />: what the hub knew then, and what it was about
      to do. <a href={`/console/payments/${job.paymentJob}`}>Back to now</a>
    </p>
  )
}

/** True around a report's try and while a refund is pending: no event announces their end. */
function isMoving(job: JobDetail, now: number): boolean {
  return (
    job.reports.some(({ due }) => due !== null && Math.abs(Date.parse(due) - now) < SOON) ||
    job.refunds.some(({ status }) => status === 'PENDING')
  )
}
const SOON = 20_000

function PaymentHead({ job, me, visit }: { job: JobDetail; me: Me; visit: Visit }) {
  const at = `/console/payments/${job.paymentJob}`
  const isPaid = Number(job.amountPaid) > 0
  return (
    <div class="subject">
      <div data-part="head">
        <p class="soft">
          <a href={`/console/points-of-sale/${job.pos}`}>
            <Theirs>{job.posName}</Theirs>
          </a>{' '}
          · <Theirs>{job.paymentMethod}</Theirs> · <Time at={job.created} visit={visit} />
        </p>
        <h1>
          <Theirs>{job.orderNumber}</Theirs>
        </h1>
        <p class="sum">
          <Amount amount={totalOf(job)} currency={job.currency} /> <StatusPill status={job.status} />
          {job.mode === 'test' && <TestMark />}
        </p>
      </div>
      {hasRole(me, 'support') && (
        <p class="buttons" data-part="actions">
          {job.status === 'PENDING' && (
            <ActionLink me={me} does="pullJob" href={`${at}/pull`}>
              Ask the PSP
            </ActionLink>
          )}
          <ActionLink me={me} does="resendReport" href={`${at}/resend`}>
            Send report again
          </ActionLink>
          {isPaid && (
            <ActionLink me={me} does="refundJob" href={`${at}/refund`}>
              Refund
            </ActionLink>
          )}
          {job.status === 'PENDING' && (
            <ActionLink me={me} does="cancelJob" href={`${at}/cancel`} kind="danger">
              Cancel payment
            </ActionLink>
          )}
        </p>
      )}
    </div>
  )
}

/** Returns the order's amount: the paid and the due part of its first step. */
function totalOf(job: JobDetail): string {
  return job.payments.steps[0]
    ? sum(job.payments.steps[0].amountDue, job.payments.steps[0].amountPaid)
    : job.amountDue
}

function sum(one: string, other: string): string {
  const decimals = /\.(\d+)$/.exec(one)?.[1]?.length ?? 0
  return (Number(one) + Number(other)).toFixed(decimals)
}

function Facts({ job, visit }: { job: JobDetail; visit: Visit }) {
  return (
    <section class="card">
      <h2>Details</h2>
      <dl class="facts">
        <Fact name="Paid">
          <Amount amount={job.amountPaid} currency={job.currency} />
        </Fact>
        <Fact name="Still due">
          <Amount amount={job.amountDue} currency={job.currency} />
        </Fact>
        {job.amountRefunded !== undefined && (
          <Fact name="Refunded">
            <Amount amount={job.amountRefunded} currency={job.currency} />
          </Fact>
        )}
        {job.amountChargedBack !== undefined && (
          <Fact name="Charged back">
            <Amount amount={job.amountChargedBack} currency={job.currency} />
          </Fact>
        )}
        <Fact name="Account">
          <a href={`/console/payments?account=${encodeURIComponent(job.account)}`}>{job.account}</a>
          {job.passedOver.length > 0 && <span class="soft"> after {job.passedOver.join(', ')}</span>}
        </Fact>
        <Fact name="PSP reference">{job.reference === null ? '–' : <Code>{job.reference}</Code>}</Fact>
        <Fact name="Announcement">{ANNOUNCED[job.announcement]}</Fact>
        {job.stage !== null && (
          <Fact name="Stage">
            {job.stage === 'underway' ? 'Money is under way' : 'Authorised, not captured'}
          </Fact>
        )}
        {job.error !== null && (
          <Fact name="Error">
            <Theirs>{job.error}</Theirs>
          </Fact>
        )}
        {job.late && <Fact name="Late">The money came after the payment had ended</Fact>}
        <Fact name="Order id">
          <Theirs>{job.orderId}</Theirs>
        </Fact>
        <Fact name="Payment job">
          <Code>{job.paymentJob}</Code>
        </Fact>
        <Fact name="Last change">
          <Time at={job.lastUpdate} form="full" visit={visit} />
        </Fact>
        <Fact name="Report URL">
          <Code>{job.attributes.reportUrl}</Code>
        </Fact>
        <Fact name="Return URL">
          <Code>{job.attributes.returnUrl}</Code>
        </Fact>
        <Fact name="Customer's link">
          <Code>{job.payUrl}</Code>
        </Fact>
      </dl>
    </section>
  )
}

const ANNOUNCED: Readonly<Record<JobDetail['announcement'], string>> = {
  due: 'The PSP does not know it yet',
  announced: 'The PSP knows it',
  refused: 'The PSP refused it',
}

const PLANS = [
  ['nextAnnouncement', 'Announces it again'],
  ['nextPull', 'Asks the PSP'],
  ['nextReport', 'Sends the report'],
  ['expires', 'Expires'],
  ['purge', 'Deletes it'],
] as const

/** Lists the hub's next duties with their times. */
function Planned({ job, visit }: { job: JobDetail; visit: Visit }) {
  const planned = PLANS.flatMap(([name, label]) => {
    const at = job.timers[name]
    return at === null ? [] : [{ label, at }]
  })
  if (planned.length === 0) return null
  return (
    <section class="card">
      <h2>What comes next</h2>
      <dl class="facts">
        {planned.map(({ label, at }) => (
          <Fact key={label} name={label}>
            <Time at={at} visit={visit} /> <span class="soft">{away(at, visit.now)}</span>
          </Fact>
        ))}
      </dl>
    </section>
  )
}
