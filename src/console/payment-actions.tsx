import type { Action, Question } from './action.tsx'
import type { JobDetail } from '../contract/jobs.ts'
import type { Answer } from './api.ts'
import { Field } from './fields.tsx'
import { Amount, Code, StatusPill, Theirs, Time } from './parts.tsx'
import { type Visit, doneAt } from './visit.ts'

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

function addressOf({ params }: Visit): string {
  return `/console/payments/${params['id'] ?? ''}`
}

/** Reads the job first, so that the question can name it. */
function about(question: (job: JobDetail, visit: Visit) => Omit<Question, 'back'>): Action['ask'] {
  return async (visit): Promise<Answer<Question>> => {
    const found = await visit.api('showJob', { params: { id: visit.params['id'] ?? '' } })
    if (!found.ok) return found
    return { ok: true, value: { ...question(found.value, visit), back: addressOf(visit) } }
  }
}

function Order({ job }: { job: JobDetail }) {
  return (
    <b>
      <Theirs>{job.orderNumber}</Theirs>
    </b>
  )
}

export const pull: Action = {
  role: 'support',
  section: 'payments',
  ask: about((job) => ({
    title: 'Ask the PSP',
    body: (
      <p>
        The hub asks the PSP now how <Order job={job} /> stands. Nothing else changes.
      </p>
    ),
    button: 'Ask now',
  })),
  send: async (visit) =>
    doneAt(
      await visit.api('pullJob', { params: { id: visit.params['id'] ?? '' } }),
      `${addressOf(visit)}?done=pulled`,
    ),
}

export const resend: Action = {
  role: 'support',
  section: 'payments',
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
  send: async (visit) =>
    doneAt(
      await visit.api('resendReport', { params: { id: visit.params['id'] ?? '' } }),
      `${addressOf(visit)}?done=resent`,
    ),
}

export const cancel: Action = {
  role: 'operator',
  section: 'payments',
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
  send: async (visit) =>
    doneAt(
      await visit.api('cancelJob', { params: { id: visit.params['id'] ?? '' } }),
      `${addressOf(visit)}?done=cancelled`,
    ),
}

/** Returns the amount that the operator can still refund. */
function leftOf({ amountPaid, amountRefunded = '0', amountChargedBack = '0' }: JobDetail): string {
  return (Number(amountPaid) - Number(amountRefunded) - Number(amountChargedBack)).toFixed(
    /\.(\d+)$/.exec(amountPaid)?.[1]?.length ?? 0,
  )
}

export const refund: Action = {
  role: 'operator',
  section: 'payments',
  ask: async (visit, values) =>
    about((job) => ({
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
    }))(visit, values),
  send: async (visit, values) => {
    const [amount, description] = [values.get('amount'), values.get('description')]
    const wanted = {
      id: values.get('id'),
      ...(amount === '' ? {} : { amount }),
      ...(description === '' ? {} : { description }),
    }
    return doneAt(
      await visit.api('refundJob', { params: { id: visit.params['id'] ?? '' }, body: wanted }),
      `${addressOf(visit)}?done=refunded`,
    )
  },
}
