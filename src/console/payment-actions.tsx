import type { JobDetail } from '../contract/jobs.ts'
import { formatAmount } from '../contract/money.ts'
import { readTypedAmount } from '../contract/typed-amount.ts'
import { type Action, type Question, Sure, type Values, action, idOf } from './action.tsx'
import { refusedField } from './api.ts'
import { amountText } from './formats.ts'
import { TextField } from './form.tsx'
import { Amount, Code, StatusPill, Theirs, Time } from './parts.tsx'

/** Shows refunds, and money that other accounts may hold. */
export function Money({ job }: { job: JobDetail }) {
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
                  <Time at={refund.created} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {job.otherPayments.length > 0 && (
        <section class="card">
          <h2>Other payments of this order</h2>
          <p class="soft">
            The PSP did not answer when the order was announced there. One of them may have been paid as well.
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
function about(question: (job: JobDetail, values: Values) => Question): Action['ask'] {
  return async (visit, values) => {
    const found = await visit.api('showJob', { params: { id: idOf(visit) } })
    return found.ok ? question(found.value, values) : found
  }
}

/** Names the order and its shop. */
function Order({ job: { orderNumber, posName } }: { job: JobDetail }) {
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
        The hub asks the PSP now how <Order job={job} /> stands. Nothing else changes.
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
        The hub asks the PSP now to take <Order job={job} />, by the route that the shop has now.
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
          The report of how <Order job={job} /> stands is sent at once to:
        </p>
        <pre>{job.attributes.reportUrl}</pre>
        <p>A receiver that has it already takes it as the same: its webhook-id does not change.</p>
      </>
    ),
    button: 'Send the report',
  })),
})

export const cancel = action({
  does: 'cancelJob',
  ask: about((job) => ({
    title: 'Cancel the payment',
    body: (
      <p>
        The customer can no longer pay <Amount amount={job.amountDue} currency={job.currency} /> for{' '}
        <Order job={job} />. This cannot be undone; the shop is told.
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
          <Amount amount={job.unapplied} currency={job.currency} /> of <Order job={job} /> pays no order. Say
          that this is settled: it was collected at the counter, say, or delivered for after all. Nothing
          happens at the PSP.
        </p>
        <TextField label="Why" name="note" maxLength={500} required value={values.get('note')} />
      </>
    ),
    button: `Clear ${amountText(job.unapplied, job.currency)}`,
    isFinal: true,
  })),
})

/** Asks how much to refund, and then for confirmation, with the amount, the order and the shop. */
export const refund = action({
  does: 'refundJob',
  isAskedTwice: true,
  ask: about((job, values) => {
    const { currency, refundable } = job
    const [how, typed] = [values.get('how'), values.get('amount')]
    if (how === '' && typed === '') return howMuch(job, values)
    if (how === 'all' && typed !== '')
      return howMuch(job, values, 'Choose all that is left, or type an amount: not both.')
    if (how === 'all') return sureOf(job, refundable, values)
    const wanted = readTypedAmount(typed, currency)
    if (!wanted.ok) return howMuch(job, values, `The amount ${wanted.error}.`)
    return sureOf(job, formatAmount(wanted.value, currency), values)
  }),
})

function howMuch(job: JobDetail, values: Values, problem?: string): Question {
  const { currency } = job
  const [how, typed] = [values.get('how'), values.get('amount')]
  return {
    title: 'Refund',
    ...(problem === undefined ? {} : { problem: refusedField(problem).problem }),
    body: (
      <>
        <p>
          Of <Order job={job} />, <Amount amount={job.amountPaid} currency={currency} /> was paid
          {job.amountRefunded !== undefined && (
            <>
              {' '}
              and <Amount amount={job.amountRefunded} currency={currency} /> went back
            </>
          )}
          . Money that went back cannot be called back.
        </p>
        <fieldset class="field">
          <legend>How much</legend>
          <label>
            <input type="radio" name="how" value="all" checked={how === 'all'} /> All that is left:{' '}
            <Amount amount={job.refundable} currency={currency} />
          </label>
          <label>
            <input type="radio" name="how" value="part" checked={how === 'part' || typed !== ''} /> This
            amount in {currency}:
          </label>
          <input
            name="amount"
            data-chooses="part"
            aria-label={`Amount in ${currency}`}
            inputMode="decimal"
            autocomplete="off"
            value={typed}
          />
        </fieldset>
        <TextField
          label="Description"
          hint="The customer may read it."
          name="description"
          maxLength={140}
          value={values.get('description')}
        />
      </>
    ),
    button: 'Check the refund',
    isFinal: true,
  }
}

function sureOf(job: JobDetail, amount: string, values: Values): Question {
  return {
    title: `Refund ${amountText(amount, job.currency)}?`,
    body: (
      <>
        <p>
          <Amount amount={amount} currency={job.currency} /> of <Order job={job} /> goes back to the customer.
          It cannot be called back.
        </p>
        {/* The id makes a form that the browser sends twice refund only once. */}
        <input type="hidden" name="id" value={values.get('id') || crypto.randomUUID()} />
        <input type="hidden" name="amount" value={amount} />
        <input type="hidden" name="description" value={values.get('description')} />
        <Sure />
      </>
    ),
    button: `Refund ${amountText(amount, job.currency)}`,
    isFinal: true,
  }
}
