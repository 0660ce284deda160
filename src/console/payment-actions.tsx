import type { JobDetail } from '../contract/job-detail.ts'
import { type Action, type Question, type Values, action, idOf } from './action.tsx'
import { amountText, titled } from './formats.ts'
import { TextField } from './form.tsx'
import { Amount, Code, StatePill, Theirs, Time } from './parts.tsx'

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

/** Reads the job first, so that the question can name it. */
export function about(question: (job: JobDetail, values: Values) => Question): Action['ask'] {
  return async (visit, values) => {
    const found = await visit.api('showJob', { params: { id: idOf(visit) } })
    return found.ok ? question(found.value, values) : found
  }
}

/** Names the order and its shop. */
export function OrderName({ job: { orderNumber, posName } }: { job: JobDetail }) {
  return (
    <>
      <b>
        <Theirs>{orderNumber}</Theirs>
      </b>{' '}
      of <Theirs>{posName}</Theirs>
    </>
  )
}

export const pull = action({
  does: 'pullJob',
  ask: about((job) => ({
    title: 'Ask the PSP',
    body: (
      <p>
        The hub asks the PSP now how <OrderName job={job} /> stands. It changes nothing at the PSP.
      </p>
    ),
    button: 'Ask the PSP now',
  })),
})

export const announce = action({
  does: 'announceJob',
  ask: about((job) => ({
    title: 'Announce now',
    body: (
      <p>
        The hub announces <OrderName job={job} /> now, by the route that the shop has now.
      </p>
    ),
    button: 'Announce the payment now',
  })),
})

export const resend = action({
  does: 'resendReport',
  ask: about((job) => ({
    title: 'Send the report',
    body: (
      <>
        <p>
          The hub sends the report of <OrderName job={job} /> at once to:
        </p>
        <pre>{job.attributes.reportUrl}</pre>
        <p>Its webhook-id does not change, so a receiver that already has the report recognises it.</p>
      </>
    ),
  })),
})

export const cancel = action({
  does: 'cancelJob',
  ask: about((job) => ({
    title: 'Cancel the payment',
    body: (
      <p>
        The customer can no longer pay <Amount amount={job.amountDue} currency={job.currency} /> for{' '}
        <OrderName job={job} />. This cannot be undone. The hub reports it to the shop.
      </p>
    ),
    button: `Cancel the order of ${amountText(job.amountDue, job.currency)}`,
    isFinal: true,
  })),
})

export const clearMoney = action({
  does: 'clearMoney',
  ask: about((job, values) => ({
    title: `Clear ${amountText(job.unapplied, job.currency)}?`,
    body: (
      <>
        <p>
          <Amount amount={job.unapplied} currency={job.currency} /> of <OrderName job={job} /> pays no order.
          Clear it if this is settled, for example because the customer paid the rest at the counter, or the
          shop delivered after all. Nothing happens at the PSP.
        </p>
        <TextField label="Why" name="note" maxLength={500} required value={values.get('note')} />
      </>
    ),
    button: `Clear ${amountText(job.unapplied, job.currency)}`,
    isFinal: true,
  })),
})
