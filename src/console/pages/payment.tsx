import type { ComponentChildren } from 'preact'
import type { JobDetail } from '../../contract/job-detail.ts'
import { figuresIn, moneyIn } from '../../contract/job-money.ts'
import { cardText } from '../../contract/terminals.ts'
import { idOf } from '../plumbing/action.tsx'
import { ActionLink } from '../plumbing/question.tsx'
import { eventsAddress } from '../plumbing/api.ts'
import { titled } from '../parts/formats.ts'
import { TextField } from '../parts/form.tsx'
import {
  problemView,
  Amount,
  Code,
  Facts,
  MoneyPills,
  ReservedPill,
  Sum,
  TestMark,
  Theirs,
  Time,
  To,
  away,
} from '../parts/parts.tsx'
import { Money } from './payment-money.tsx'
import { ReportList, STAGES, Timeline } from './payment-reports.tsx'
import { Reason, Sentence } from './payment-why.tsx'
import { instantOf, localOf } from '../../platform/pages/zoned-time.ts'
import { PaidOut } from './books.tsx'
import { type ConsolePage, Visiting, useRole, useVisit } from '../plumbing/visit.ts'

/** Shows one payment. The script reloads its parts when something happens to the payment. */
export const paymentPage: ConsolePage = async (visit) => {
  const id = idOf(visit)
  const given = visit.url.searchParams.get('at') ?? undefined
  // The form of the page sends a local time, and its links an instant.
  const at = given === undefined ? undefined : (instantOf(given, visit.zone) ?? given)
  const [found, paidOut] = await Promise.all([
    visit.api('showJob', { params: { id }, query: { at } }),
    visit.api('listPayoutsOfJob', { params: { id } }),
  ])
  if (!found.ok) return problemView('This payment cannot be shown', found.problem)
  const job = found.value
  const title = `${job.orderNumber} · Payment`
  if (at === undefined) {
    const after = isMoving(job, visit.now) ? { after: 2 } : {}
    return {
      title,
      live: eventsAddress(id),
      ...after,
      body: (
        <>
          <Payment job={job} />
          <PaidOut answer={paidOut} />
        </>
      ),
    }
  }
  return {
    title,
    body: (
      // The past cannot change, so it has no buttons. What comes next counts from that moment.
      <Visiting.Provider value={{ ...visit, now: Date.parse(at), me: { ...visit.me, role: 'viewer' } }}>
        <p class="notice busy">
          As it stood at <Time at={at} form="full" />: what the hub knew then, and what it was about to do.{' '}
          <a href={`/console/payments/${job.paymentJob}`}>Back to now</a>
        </p>
        <Payment job={job} />
      </Visiting.Provider>
    ),
  }
}

/** Shows one payment, now or at an earlier time. */
function Payment({ job }: { job: JobDetail }) {
  return (
    <>
      <PaymentHead job={job} />
      <div data-part="why">
        <Reason job={job} />
      </div>
      <div class="sides">
        <div>
          <section class="card" data-part="trace">
            <h2>Timeline</h2>
            <Timeline job={job} />
          </section>
          <AnotherMoment id={job.paymentJob} />
          <section class="card" data-part="reports">
            <h2>Reports to the shop</h2>
            <ReportList job={job} />
          </section>
          <div data-part="money">
            <Money job={job} />
          </div>
        </div>
        <div data-part="facts">
          <Details job={job} />
          <Planned job={job} />
        </div>
      </div>
    </>
  )
}

/** Asks for the time at which the page shows the payment, by the operator's clock. */
function AnotherMoment({ id }: { id: string }) {
  const { now, zone } = useVisit()
  return (
    <form class="card" action={`/console/payments/${id}`}>
      <TextField
        label="How it stood at"
        type="datetime-local"
        step="1"
        name="at"
        required
        value={localOf(now, zone)}
      />
      <button type="submit">Show</button>
    </form>
  )
}

/** True around a report's try, and while the PSP has money to move: no event announces their end. */
function isMoving(job: JobDetail, now: number): boolean {
  return (
    job.reports.some(({ due }) => due !== null && Math.abs(Date.parse(due) - now) < SOON) ||
    job.transfers.some(({ state }) => state === 'asked' || state === 'pending')
  )
}
const SOON = 20_000

function PaymentHead({ job }: { job: JobDetail }) {
  const { paymentJob: id } = job
  const isPending = job.status === 'PENDING'
  const isReserved = Number(job.capturable) > 0
  return (
    <div class="subject">
      <div data-part="head">
        <p class="soft">
          <To href={`/console/points-of-sale/${job.pos}`} text={job.posName} /> ·{' '}
          <Theirs>{job.paymentMethod}</Theirs> · <Time at={job.created} />
        </p>
        <h1>
          <Theirs>{job.orderNumber}</Theirs>
        </h1>
        <p class="sum">
          <Sum money={moneyIn(job)} currency={job.currency} />{' '}
          <MoneyPills money={moneyIn(job)} currency={job.currency} />{' '}
          {job.captureBefore !== undefined && <ReservedPill until={job.captureBefore} />}{' '}
          {job.mode === 'test' && <TestMark />}
        </p>
      </div>
      {useRole('support') && (
        <p class="buttons" data-part="actions">
          {isPending && job.announcement === 'due' && (
            <ActionLink does="announceJob" id={id} text="Announce now" />
          )}
          {isPending && <ActionLink does="pullJob" id={id} text="Ask the PSP" />}
          {!job.why.todos.some(({ do: name }) => name === 'send-report-again') && (
            <ActionLink does="resendReport" id={id} text="Send the report" />
          )}
          {isReserved && (isPending || job.status === 'SUCCESS') && (
            <ActionLink does="captureJob" id={id} text="Capture" />
          )}
          {isReserved && <ActionLink does="releaseJob" id={id} text="Release" />}
          {Number(job.refundable) > 0 && <ActionLink does="refundJob" id={id} text="Refund" />}
          {isPending && job.stage !== 'authorized' && (
            <ActionLink does="cancelJob" id={id} kind="danger" text="Cancel payment" />
          )}
          {Number(job.unapplied) > 0 && <ActionLink does="clearMoney" id={id} text="Clear the money" />}
        </p>
      )}
    </div>
  )
}

function Details({ job }: { job: JobDetail }) {
  const { account, currency, stage } = job
  return (
    <section class="card">
      <h2>Details</h2>
      <Facts
        rows={[
          ...figuresIn(job).map(
            ({ word, amount }) => [titled(word), <Amount amount={amount} currency={currency} />] as const,
          ),
          job.captureBefore !== undefined && ['Capture before', <Instant at={job.captureBefore} />],
          [
            'Account',
            <>
              <a href={`/console/payments?account=${encodeURIComponent(account)}`}>{account}</a>
              {job.passedOver.length > 0 && <span class="soft"> after {job.passedOver.join(', ')}</span>}
            </>,
          ],
          job.terminal !== undefined && [
            'Terminal',
            <a href={`/console/accounts/${encodeURIComponent(account)}/terminals`}>{job.terminal.id}</a>,
          ],
          job.card !== undefined && ['Card', <Theirs>{cardText(job.card)}</Theirs>],
          ['PSP reference', job.reference === null ? '–' : <Code>{job.reference}</Code>],
          ['Announcement', ANNOUNCED[job.announcement]],
          ['PSP asked last', job.askedAt === null ? 'Not yet' : <Instant at={job.askedAt} />],
          stage !== null && ['Stage', titled(STAGES[stage])],
          job.error !== null && ['Error', <Sentence text={job.error} />],
          job.late && ['Late', 'The money came after the payment had ended'],
          ['Order id', <Theirs>{job.orderId}</Theirs>],
          ['Payment job', <Code>{job.paymentJob}</Code>],
          ['Last change', <Time at={job.lastUpdate} form="full" />],
          ['Report URL', <Code>{job.attributes.reportUrl}</Code>],
          ['Return URL', <Code>{job.attributes.returnUrl}</Code>],
          ["Customer's link", <Code>{job.payUrl}</Code>],
        ]}
      />
    </section>
  )
}

const ANNOUNCED: Readonly<Record<JobDetail['announcement'], string>> = {
  due: 'The PSP does not know it yet',
  announced: 'The PSP knows it',
  refused: 'The PSP refused it',
}

/** Shows a time, and how far away it is. */
function Instant({ at }: { at: string }) {
  return (
    <>
      <Time at={at} /> <span class="soft">{away(at, useVisit().now)}</span>
    </>
  )
}

/** Lists the hub's next duties with their times. */
function Planned({ job: { timers, nextAskAt, captureBefore } }: { job: JobDetail }) {
  const planned = (
    [
      ['Announces it again', timers.nextAnnouncement],
      ['Asks the PSP', nextAskAt],
      ['Sends the report', timers.nextReport],
      [captureBefore === undefined ? 'Expires' : 'Releases what is left', timers.expires],
      ['Deletes it', timers.purge],
    ] as const
  ).map(([name, at]): false | [string, ComponentChildren] => at !== null && [name, <Instant at={at} />])
  return planned.some(Boolean) ? (
    <section class="card">
      <h2>What comes next</h2>
      <Facts rows={planned} />
    </section>
  ) : null
}
