import type { JobDetail } from '../../contract/job-detail.ts'
import { titled } from '../parts/formats.ts'
import { Amount, Code, StatePill, Theirs, Time } from '../parts/parts.tsx'

/** Lists every transfer of money, and what became of it. */
function Transfers({ job: { transfers, currency } }: { job: JobDetail }) {
  return transfers.length === 0 ? null : (
    <section class="card">
      <h2>Transfers</h2>
      <ul class="rows">
        {transfers.map(({ kind, id, own, amount, state, asked, changed, why }) => (
          <li key={`${kind} ${id} ${own}`}>
            <b>
              {titled(kind)} <Amount amount={amount} currency={currency} />
            </b>
            <span class="soft">
              <StatePill state={state} /> <Code>{id ?? own ?? ''}</Code>
              {why !== null && (
                <span class="bad">
                  {' '}
                  <Theirs>{why}</Theirs>
                </span>
              )}
            </span>
            <span class="since">
              {asked !== null && (
                <>
                  asked <Time at={asked} />{' '}
                </>
              )}
              {changed !== null && (
                <>
                  {state} <Time at={changed} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Shows the transfers of money, and money that other accounts may hold. */
export function Money({ job }: { job: JobDetail }) {
  return (
    <>
      <Transfers job={job} />
      {job.otherPayments.length > 0 && (
        <section class="card">
          <h2>Other payments of this order</h2>
          <p class="soft">
            The PSP did not answer when the hub announced the order there. The customer may have paid one of
            them as well.
          </p>
          <ul class="rows">
            {job.otherPayments.map(({ account, reference, amountPaid }) => (
              <li key={`${account} ${reference}`}>
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
