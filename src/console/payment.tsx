import type { Me } from '../operator-api/contract/operators.ts'
import type { Why } from '../operator-api/contract/why.ts'
import { ActionLink, mayDo } from './action.tsx'
import { type Payment, eventsAddress } from './api.ts'
import { Amount, Code, Fact, NotShown, StatusPill, TestMark, Theirs, Time, away } from './parts.tsx'
import { plainText } from './formats.ts'
import { ReportList } from './payment-reports.tsx'
import { Timeline } from './timeline.tsx'
import type { Page, Visit } from './visit.ts'

/** All that the hub knows of a payment. Its parts are fetched anew when something happens to it. */
export const paymentPage: Page = async (visit) => {
  const id = visit.params['id'] ?? ''
  const found = await visit.api.payment(id)
  if (!found.ok) {
    return () => ({
      title: 'Payment',
      section: 'payments',
      status: found.problem.status,
      body: (
        <>
          <h1>This payment cannot be shown</h1>
          <NotShown problem={found.problem} />
        </>
      ),
    })
  }
  const job = found.value
  return (me) => ({
    title: `${job.orderNumber} · Payment`,
    section: 'payments',
    live: eventsAddress(id),
    ...(isMoving(job, visit.now) ? { after: 2 } : {}),
    body: (
      <>
        <Head job={job} me={me} visit={visit} />
        <div data-part="why">{job.why && <Reason why={job.why} visit={visit} />}</div>
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
    ),
  })
}

/** Whether a report is tried about now, or a refund is under way: no event tells what comes of it. */
const isMoving = (job: Payment, now: number): boolean =>
  job.reports.some(({ due }) => due !== null && Math.abs(Date.parse(due) - now) < SOON) ||
  job.refunds.some(({ status }) => status === 'PENDING')
const SOON = 20_000

const Head = ({ job, me, visit }: { job: Payment; me: Me; visit: Visit }) => {
  const at = `/console/payments/${job.paymentJob}`
  const isPaid = Number(job.amountPaid) > 0
  return (
    <div class="subject">
      <div data-part="head">
        <p class="soft">
          <a href={`/console/points-of-sale/${job.pos}`}>
            <Theirs>{job.posName ?? job.pos}</Theirs>
          </a>{' '}
          · <Theirs>{job.paymentMethod}</Theirs> · <Time at={job.created} visit={visit} />
        </p>
        <h1>
          <Theirs>{job.orderNumber}</Theirs>
        </h1>
        <p class="sum">
          <Amount amount={totalOf(job)} currency={job.currency} /> <StatusPill status={job.status} />
          {job.account === 'sandbox' && <TestMark />}
        </p>
      </div>
      {mayDo(me, 'support') && (
        <p class="buttons" data-part="actions">
          {job.status === 'PENDING' && (
            <ActionLink me={me} role="support" href={`${at}/pull`}>
              Ask the PSP
            </ActionLink>
          )}
          <ActionLink me={me} role="support" href={`${at}/resend`}>
            Send report again
          </ActionLink>
          {isPaid && (
            <ActionLink me={me} role="operator" href={`${at}/refund`}>
              Refund
            </ActionLink>
          )}
          {job.status === 'PENDING' && (
            <ActionLink me={me} role="operator" href={`${at}/cancel`} kind="danger">
              Cancel payment
            </ActionLink>
          )}
        </p>
      )}
    </div>
  )
}

/** What the order was for: what was paid of it and what is still due are parts of it. */
const totalOf = (job: Payment): string =>
  job.payments.steps[0]
    ? sum(job.payments.steps[0].amountDue, job.payments.steps[0].amountPaid)
    : job.amountDue

const sum = (one: string, other: string): string => {
  const decimals = /\.(\d+)$/.exec(one)?.[1]?.length ?? 0
  return (Number(one) + Number(other)).toFixed(decimals)
}

const MOVES: Readonly<Record<Why['move'], string>> = {
  customer: 'The customer has to act',
  psp: 'The PSP has to act',
  shop: 'The shop has to act',
  operator: 'You have to act',
  hub: 'The hub goes on by itself',
  nobody: 'Nobody has to act',
}

/** A time as the API's sentences have it: UTC, to the second. */
const INSTANT = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)/

/** A sentence of the API, with its times as the reader's clock shows them. */
const Sentence = ({ text, visit }: { text: string; visit: Visit }) => (
  <bdi>
    {plainText(text)
      .split(INSTANT)
      .map((part, place) => (place % 2 === 1 ? <Time key={place} at={part} visit={visit} /> : part))}
  </bdi>
)

const Reason = ({ why, visit }: { why: Why; visit: Visit }) => (
  <section class={`card why ${why.move}`} aria-label="Why">
    <p class="move">{MOVES[why.move]}</p>
    <p class="happened">
      <Sentence text={why.happened} visit={visit} />
    </p>
    {why.todo !== '' && (
      <p>
        <Sentence text={why.todo} visit={visit} />
      </p>
    )}
    {why.also.length > 0 && (
      <ul>
        {why.also.map((text) => (
          <li key={text}>
            <Sentence text={text} visit={visit} />
          </li>
        ))}
      </ul>
    )}
  </section>
)

const Facts = ({ job, visit }: { job: Payment; visit: Visit }) => (
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
        {(job.passedOver ?? []).length > 0 && (
          <span class="soft"> after {(job.passedOver ?? []).join(', ')}</span>
        )}
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

/** What the hub does by itself. */
const Planned = ({ job, visit }: { job: Payment; visit: Visit }) => {
  const { timers } = job
  const planned = PLANS.flatMap(([name, label]) => {
    const at = timers?.[name]
    return at ? [{ label, at }] : []
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

const Money = ({ job, visit }: { job: Payment; visit: Visit }) => (
  <>
    {job.refunds.length > 0 && (
      <section class="card">
        <h2>Refunds</h2>
        <ul class="rows">
          {job.refunds.map((refund) => (
            <li key={refund.refund}>
              <b>
                <Amount amount={refund.amount} currency={refund.currency} />
              </b>
              <span class="soft">
                <StatusPill status={refund.status} /> <Theirs>{refund.description}</Theirs>
                {refund.error !== null && (
                  <span class="bad">
                    {' '}
                    <Theirs>{refund.error}</Theirs>
                  </span>
                )}
              </span>
              <span class="since">
                <Time at={refund.created} visit={visit} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
    {job.otherPayments.length > 0 && (
      <section class="card">
        <h2>Payments at other accounts</h2>
        <p class="soft">
          These accounts did not answer when the order was announced there. One may have been paid as well.
        </p>
        <ul class="rows">
          {job.otherPayments.map(({ account, reference, amountPaid }) => (
            <li key={account}>
              <b>{account}</b>
              <span class="soft">{reference === null ? 'no reference known' : <Code>{reference}</Code>}</span>
              <span class="since">
                <Amount amount={amountPaid} currency={job.currency} /> paid
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
)
