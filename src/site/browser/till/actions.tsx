import { useState } from 'preact/hooks'
import type { PaymentJob } from '../../../contract/payment-job.ts'
import type { Refund } from '../../../contract/refund.ts'
import { Failure, TextField } from './field.tsx'
import type { Session } from './session.ts'
import { useAction } from './use-job.ts'
import { leftOf, typedAmount } from './words.ts'

type Props = {
  session: Session
  job: PaymentJob
  refunds: readonly Refund[]
  onRefund: () => void
}

/** Cancels a payment that the customer has not made. */
export function Cancel({ session, job }: Pick<Props, 'session' | 'job'>) {
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

/** Refunds an amount. An empty field refunds nothing. */
export function GiveBack({ session, job, refunds, onRefund }: Props) {
  const [amount, setAmount] = useState('')
  const left = leftOf(job, refunds)
  const { busy, error, run } = useAction(async () => {
    await session.hub.refund(job, { amount: typedAmount(amount) })
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
          value={amount}
          onChange={setAmount}
          input={{ inputmode: 'decimal', required: true }}
        />
        {left !== null && (
          <button type="button" class="button" onClick={() => setAmount(left)}>
            All: {left}
          </button>
        )}
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

const HOUR_SECONDS = 3600
const TIMES = [
  { words: 'An hour', seconds: HOUR_SECONDS },
  { words: 'A day', seconds: 24 * HOUR_SECONDS },
  { words: 'Three days', seconds: 72 * HOUR_SECONDS },
]

/**
 * Lets time pass. The hub at once does what comes due: tries of a report, the end of an open
 * payment.
 */
export function LetTimePass({ session, job }: Pick<Props, 'session' | 'job'>) {
  const { busy, error, run } = useAction(async (seconds: number) => {
    await session.hub.advance(job, { seconds })
  })
  return (
    <div role="group" aria-labelledby="time-title">
      <h3 id="time-title">Let time pass</h3>
      <div class="times">
        {TIMES.map(({ words, seconds }) => (
          <button type="button" class="button" disabled={busy} onClick={() => run(seconds)}>
            {words}
          </button>
        ))}
      </div>
      <Failure error={error} />
    </div>
  )
}
