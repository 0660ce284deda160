import type { ComponentChildren } from 'preact'
import type { JobDetail } from '../../contract/job-detail.ts'
import { formatAmount } from '../../contract/money.ts'
import { readTypedAmount } from '../../contract/typed-amount.ts'
import { type Action, type Question, Sure, changes, idOf } from '../plumbing/action.tsx'
import { refused } from '../plumbing/api.ts'
import type { Values } from '../plumbing/values.ts'
import { amountText } from '../parts/formats.ts'
import { TextField } from '../parts/form.tsx'
import { Amount, Theirs, Time } from '../parts/parts.tsx'

/** Reads the job first, so that the question can name it. */
function about(question: (job: JobDetail, values: Values) => Question): Action['ask'] {
  return async (visit, values) => {
    const found = await visit.api('showJob', { params: { id: idOf(visit) } })
    return found.ok ? question(found.value, values) : found
  }
}

/** Names the order and its shop. */
function OrderName({ job: { orderNumber, posName } }: { job: JobDetail }) {
  return (
    <>
      <b>
        <Theirs>{orderNumber}</Theirs>
      </b>{' '}
      of <Theirs>{posName}</Theirs>
    </>
  )
}

/**
 * A change that moves an amount. The first question asks how much. The second asks for confirmation, and
 * names the amount, the order and the shop.
 */
type AmountChange = {
  title: 'Capture' | 'Refund'
  /** The most that it can move. */
  most: (job: JobDetail) => string
  /** How the money stands, in the first question. */
  standing: (job: JobDetail) => ComponentChildren
  /** Fields of the first question besides the amount. The second keeps them. */
  fields: (values: Values) => ComponentChildren
  names: readonly string[]
  /** Says in the second question where the amount goes. */
  happens: (values: Values) => string
}

function askAmount(change: AmountChange): Action['ask'] {
  return about((job, values) => {
    const [how, typed] = [values.get('how'), values.get('amount')]
    if (how === '' && typed === '') return howMuch(change, job, values)
    if (how === 'all' && typed !== '')
      return howMuch(change, job, values, 'Choose all that is left, or type an amount: not both.')
    if (how === 'all') return sureOf(change, job, change.most(job), values)
    const wanted = readTypedAmount(typed, job.currency)
    return wanted.ok
      ? sureOf(change, job, formatAmount(wanted.value, job.currency), values)
      : howMuch(change, job, values, `The amount ${wanted.error}.`)
  })
}

function howMuch(change: AmountChange, job: JobDetail, values: Values, problem?: string): Question {
  const { title, most, standing, fields } = change
  const { currency } = job
  const [how, typed] = [values.get('how'), values.get('amount')]
  return {
    title,
    ...(problem === undefined ? {} : { problem: refused(problem).problem }),
    body: (
      <>
        <p>{standing(job)}</p>
        <fieldset class="field">
          <legend>How much</legend>
          <label>
            <input type="radio" name="how" value="all" checked={how === 'all'} /> All that is left:{' '}
            <Amount amount={most(job)} currency={currency} />
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
        {fields(values)}
      </>
    ),
    button: `Check the ${title.toLowerCase()}`,
    isFinal: true,
  }
}

function sureOf(change: AmountChange, job: JobDetail, amount: string, values: Values): Question {
  const { title, names, happens } = change
  const named = `${title} ${amountText(amount, job.currency)}`
  return {
    title: `${named}?`,
    body: (
      <>
        <p>
          <Amount amount={amount} currency={job.currency} /> of <OrderName job={job} /> {happens(values)}
        </p>
        {/* The id makes a form that the browser sends twice move the money only once. */}
        <input type="hidden" name="id" value={values.get('id') || crypto.randomUUID()} />
        <input type="hidden" name="amount" value={amount} />
        {names.map((name) => (
          <input type="hidden" key={name} name={name} value={values.get(name)} />
        ))}
        <Sure />
      </>
    ),
    button: named,
    isFinal: true,
  }
}

function Description({ hint, values }: { hint: string; values: Values }) {
  return (
    <TextField
      label="Description"
      hint={hint}
      name="description"
      maxLength={140}
      value={values.get('description')}
    />
  )
}

const askRefund = askAmount({
  title: 'Refund',
  most: ({ refundable }) => refundable,
  standing: (job) => (
    <>
      Of <OrderName job={job} />, <Amount amount={job.amountPaid} currency={job.currency} /> was paid
      {job.amountRefunded !== undefined && (
        <>
          {' '}
          and <Amount amount={job.amountRefunded} currency={job.currency} /> went back
        </>
      )}
      . A refund cannot be undone.
    </>
  ),
  fields: (values) => <Description hint="The customer may read it." values={values} />,
  names: ['description'],
  happens: () => 'goes back to the customer. This cannot be undone.',
})

/** Says how much the PSP still holds, and until when. */
function Reserved({ job }: { job: JobDetail }) {
  return (
    <>
      Of <OrderName job={job} />, <Amount amount={job.capturable} currency={job.currency} /> is still reserved
      {job.captureBefore !== undefined && (
        <>
          , until <Time at={job.captureBefore} form="full" />
        </>
      )}
      .
    </>
  )
}

const askCapture = askAmount({
  title: 'Capture',
  most: ({ capturable }) => capturable,
  standing: (job) => <Reserved job={job} />,
  fields: (values) => (
    <>
      <label>
        <input type="checkbox" name="final" value="true" checked={values.get('final') !== ''} /> Release the
        rest
      </label>
      <Description hint="What it is for. Not every PSP shows it." values={values} />
    </>
  ),
  names: ['final', 'description'],
  happens: (values) =>
    values.get('final') === ''
      ? 'is captured: the customer pays it.'
      : 'is captured: the customer pays it. The rest is released, and can no longer be captured.',
})

const askRelease = about((job) => ({
  title: `Release ${amountText(job.capturable, job.currency)}?`,
  body: (
    <p>
      <Reserved job={job} /> The customer gets it back at once or within days, depending on the bank. It can
      no longer be captured. The hub reports this to the shop.
    </p>
  ),
  button: `Release ${amountText(job.capturable, job.currency)}`,
  isFinal: true,
}))

export const PAYMENT_CHANGES = changes(
  '/console/payments/:id',
  {
    pullJob: {},
    announceJob: {},
    resendReport: {},
    captureJob: { isAskedTwice: true, ask: askCapture },
    releaseJob: { ask: askRelease },
    refundJob: { isAskedTwice: true, ask: askRefund },
    cancelJob: {
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
    },
    clearMoney: {
      ask: about((job, values) => ({
        title: `Clear ${amountText(job.unapplied, job.currency)}?`,
        body: (
          <>
            <p>
              <Amount amount={job.unapplied} currency={job.currency} /> of <OrderName job={job} /> pays no
              order. Clear it if this is settled, for example because the customer paid the rest at the
              counter, or the shop delivered after all. Nothing happens at the PSP.
            </p>
            <TextField label="Why" name="note" maxLength={500} required value={values.get('note')} />
          </>
        ),
        button: `Clear ${amountText(job.unapplied, job.currency)}`,
        isFinal: true,
      })),
    },
  },
  async (visit) => {
    const found = await visit.api('showJob', { params: { id: idOf(visit) } })
    return found.ok ? <OrderName job={found.value} /> : found
  },
)
