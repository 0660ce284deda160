import { type Payment, eventsAddress } from './api.ts'
import { NotShown } from './parts.tsx'
import { Facts, Planned } from './payment-facts.tsx'
import { PaymentHead } from './payment-head.tsx'
import { Money } from './payment-money.tsx'
import { ReportList } from './payment-reports.tsx'
import { Reason } from './payment-why.tsx'
import { Timeline } from './timeline.tsx'
import type { Page } from './visit.ts'

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
    ),
  })
}

/** Whether a report is tried about now, or a refund is under way: no event tells what comes of it. */
function isMoving(job: Payment, now: number): boolean {
  return (
    job.reports.some(({ due }) => due !== null && Math.abs(Date.parse(due) - now) < SOON) ||
    job.refunds.some(({ status }) => status === 'PENDING')
  )
}
const SOON = 20_000
