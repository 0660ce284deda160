import type { Payment } from './api.ts'
import { Amount, Code, Fact, Theirs, Time, away } from './parts.tsx'
import type { Visit } from './visit.ts'

/** What the hub knows of a payment. */
export function Facts({ job, visit }: { job: Payment; visit: Visit }) {
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

const ANNOUNCED: Readonly<Record<Payment['announcement'], string>> = {
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

/** What the hub does by itself, and when. */
export function Planned({ job, visit }: { job: Payment; visit: Visit }) {
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
