import type { Payment } from './api.ts'
import { Amount, Code, StatusPill, Theirs, Time } from './parts.tsx'
import type { Visit } from './visit.ts'

/** Money besides the payment itself: what went back, and what other accounts may hold. */
export function Money({ job, visit }: { job: Payment; visit: Visit }) {
  return (
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
                <span class="soft">
                  {reference === null ? 'no reference known' : <Code>{reference}</Code>}
                </span>
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
}
