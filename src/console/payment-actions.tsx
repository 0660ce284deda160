import { type Action, type Question, type Values, action, idOf } from './action.tsx'
import type { JobDetail } from '../contract/jobs.ts'
import { Amount, Code, Field, StatusPill, Theirs, Time } from './parts.tsx'
import type { Visit } from './visit.ts'

/** Shows refunds, and money that other accounts may hold. */
export function Money({ job, visit }: { job: JobDetail; visit: Visit }) {
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

const HERE = { section: 'payments', at: (visit: Visit) => `/console/payments/${idOf(visit)}` } as const

/** Reads the job first, so that the question can name it. */
function about(question: (job: JobDetail, values: Values) => Question): Action['ask'] {
  return async (visit, values) => {
    const found = await visit.api('showJob', { params: { id: idOf(visit) } })
    return found.ok ? question(found.value, values) : found
  }
}

function Order({ job }: { job: JobDetail }) {
  return (
    <b>
      <Theirs>{job.orderNumber}</Theirs>
    </b>
  )
}

export const pull = action({
  ...HERE,
  role: 'support',
  ask: about((job) => ({
    title: 'Ask the PSP',
    body: (
      <p>
        The hub asks the PSP now how <Order job={job} /> stands. Nothing else changes.
      </p>
    ),
    button: 'Ask now',
  })),
  send: (visit) => visit.api('pullJob', { params: { id: idOf(visit) } }),
  message: 'pulled',
})

export const resend = action({
  ...HERE,
  role: 'support',
  ask: about((job) => ({
    title: 'Send the report again',
    body: (
      <>
        <p>
          The newest report of <Order job={job} /> is sent at once to:
        </p>
        <pre>{job.attributes.reportUrl}</pre>
        <p>A receiver that has it already takes it as the same: its webhook-id does not change.</p>
      </>
    ),
    button: 'Send again',
  })),
  send: (visit) => visit.api('resendReport', { params: { id: idOf(visit) } }),
  message: 'resent',
})

export const cancel = action({
  ...HERE,
  role: 'operator',
  ask: about((job) => ({
    title: 'Cancel the payment',
    body: (
      <p>
        The customer can no longer pay <Order job={job} />. This cannot be undone; the shop is told.
      </p>
    ),
    button: 'Cancel payment',
    isFinal: true,
  })),
  send: (visit) => visit.api('cancelJob', { params: { id: idOf(visit) } }),
  message: 'cancelled',
})

/** Returns the amount that the operator can still refund. */
function leftOf({ amountPaid, amountRefunded = '0', amountChargedBack = '0' }: JobDetail): string {
  return (Number(amountPaid) - Number(amountRefunded) - Number(amountChargedBack)).toFixed(
    /\.(\d+)$/.exec(amountPaid)?.[1]?.length ?? 0,
  )
}

export const refund = action({
  ...HERE,
  role: 'operator',
  ask: about((job, values) => ({
    title: 'Refund',
    body: (
      <>
        <p>
          Of <Order job={job} />, <Amount amount={job.amountPaid} currency={job.currency} /> was paid
          {job.amountRefunded !== undefined && (
            <>
              {' '}
              and <Amount amount={job.amountRefunded} currency={job.currency} /> went back
            </>
          )}
          . Money that went back cannot be called back.
        </p>
        {/* The id makes a form that the browser sends twice refund only once. */}
        <input type="hidden" name="id" value={values.get('id') || crypto.randomUUID()} />
        <Field label={`Amount in ${job.currency}`} hint="Empty for all that is left.">
          <input
            name="amount"
            inputMode="decimal"
            autocomplete="off"
            autofocus
            value={values.get('amount')}
            placeholder={leftOf(job)}
          />
        </Field>
        <Field label="Description" hint="The customer may read it.">
          <input name="description" maxLength={140} autocomplete="off" value={values.get('description')} />
        </Field>
      </>
    ),
    button: 'Refund',
    isFinal: true,
  })),
  send: (visit, values) => {
    const [amount, description] = [values.get('amount'), values.get('description')]
    const wanted = {
      id: values.get('id'),
      ...(amount === '' ? {} : { amount }),
      ...(description === '' ? {} : { description }),
    }
    return visit.api('refundJob', { params: { id: idOf(visit) }, body: wanted })
  },
  message: 'refunded',
})
