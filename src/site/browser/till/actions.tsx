import { useState } from 'preact/hooks'
import type { PaymentJob } from '../../../contract/payment-job.ts'
import type { Refund } from '../../../contract/refund.ts'
import { Failure, TextField } from './field.tsx'
import type { Session } from './session.ts'
import { useAction } from './use-job.ts'

type Props = {
  session: Session
  job: PaymentJob
  refunds: readonly Refund[]
  onRefund: () => void
}

/** What a till does with a payment: cancel it while it is open, give money back once it is paid. */
export function Actions({ session, job, refunds, onRefund }: Props) {
  return (
    <>
      {job.status === 'PENDING' && <Cancel session={session} job={job} />}
      {job.amountPaid !== '0.00' && (
        <GiveBack session={session} job={job} refunds={refunds} onRefund={onRefund} />
      )}
    </>
  )
}

function Cancel({ session, job }: Pick<Props, 'session' | 'job'>) {
  const { busy, error, run } = useAction(async () => void (await session.hub.cancel(job)))
  return (
    <>
      <Failure error={error} />
      <p>
        <button type="button" class="button" disabled={busy} onClick={run}>
          {busy ? 'Cancelling …' : 'Cancel the payment'}
        </button>
      </p>
    </>
  )
}

function GiveBack({ session, job, refunds, onRefund }: Props) {
  const [amount, setAmount] = useState('')
  const { busy, error, run } = useAction(async () => {
    const wanted = amount.trim()
    await session.hub.refund(job, wanted === '' ? {} : { amount: wanted })
    onRefund()
    setAmount('')
  })
  return (
    <form
      aria-labelledby="refund-title"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <h3 id="refund-title">Refund</h3>
      <div class="row">
        <TextField
          name="refund-amount"
          label={`Amount in ${job.currency}`}
          hint="Empty: all that is left."
          value={amount}
          onChange={setAmount}
          input={{ inputmode: 'decimal' }}
        />
        <button type="submit" class="button" disabled={busy}>
          {busy ? 'Asking …' : 'Give it back'}
        </button>
      </div>
      <Failure error={error} />
      <ul class="reports" aria-live="polite">
        {refunds.map(({ refund, amount: back, currency, status, error: why }) => (
          <li key={refund}>
            {back} {currency} – {status}
            {why !== null && ` – ${why}`}
          </li>
        ))}
      </ul>
    </form>
  )
}
