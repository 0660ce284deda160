import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { HubError } from '../client/client.ts'
import type { PaymentJob } from '../contract/payment-job.ts'
import type { Refund } from '../contract/instruction.ts'
import { inAscii } from '../contract/typed-amount.ts'
import { Failure, TextField } from './field.tsx'
import { Mistake, type Session } from './session.ts'
import { type Saying, figure, money, moneyOf, say } from './speech.ts'
import { useAction } from './use-job.ts'
import { leftOf, typedAmount } from './words.ts'

type Props = {
  session: Session
  job: PaymentJob
  refunds: readonly Refund[]
  onRefund: () => void
}

/**
 * Asks to cancel a payment that the customer has not made. It still ends as the PSP says; until then
 * `isWished` is true.
 */
export function Cancel({ session, job, isWished, onWish }: Wish) {
  const { busy, error, run } = useAction(async () => {
    onWish(true)
    try {
      await session.hub.cancel(job)
    } catch (wrong) {
      onWish(false)
      throw wrong
    }
  })
  if (isWished) return null
  return (
    <>
      <Failure error={error} />
      <p>
        <button type="button" class="button" disabled={busy} onClick={run}>
          {busy ? say('busy') : say('cancel', { amount: moneyOf(job.amountDue, job.currency) })}
        </button>
      </p>
    </>
  )
}

type Wish = Pick<Props, 'session' | 'job'> & { isWished: boolean; onWish: (isWished: boolean) => void }

const REFUNDS: Readonly<Record<Refund['status'], Saying>> = {
  PENDING: 'underway',
  SUCCESS: 'refunded',
  FAILURE: 'failed',
}

/**
 * Refunds an amount, after a question. If the hub wants a PIN, the question has a field for it. An empty amount
 * refunds nothing.
 */
export function GiveBack({ session, job, refunds, onRefund }: Props) {
  const [amount, setAmount] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [pin, setPin] = useState('')
  const left = leftOf(job, refunds)
  const typed = typedAmount(amount, job.currency)
  const named = typed.ok ? say('refundAmount', { amount: typed.shown }) : say('refund')
  const ask = useAction(async () => {
    if (!typed.ok) throw new Mistake(typed.wrong)
    setAsking(true)
  })
  /** Nobody else finds the PIN in the field. */
  const goBack = (): void => {
    setAsking(false)
    setPin('')
  }
  const give = useAction(async () => {
    if (!typed.ok) return
    goBack()
    try {
      await session.hub.refund(job, { amount: typed.api }, { pin: inAscii(pin).replaceAll(/\D/g, '') })
      onRefund()
      setAmount('')
    } catch (error) {
      if (!(error instanceof HubError && error.code === 'refund-pin-missing')) throw error
      session.wantsPin = true
      setAsking(true)
    }
  })
  return (
    <form
      aria-labelledby="refund-title"
      onSubmit={(event) => {
        event.preventDefault()
        // Enter in the field for the PIN.
        ;(isAsking ? give : ask).run()
      }}
    >
      <h3 id="refund-title">{say('refund')}</h3>
      <div class="row">
        <TextField
          name="refund-amount"
          label={say('amountIn', { currency: job.currency })}
          value={amount}
          onChange={setAmount}
          input={{ inputmode: 'decimal', required: true }}
        />
        {left > 0 && (
          <button type="button" class="button" onClick={() => setAmount(figure(left, job.currency))}>
            {say('all', { amount: money(left, job.currency) })}
          </button>
        )}
        <button type="submit" class="button" disabled={give.busy}>
          {give.busy ? say('busy') : named}
        </button>
      </div>
      <Failure error={ask.error ?? give.error} />
      {isAsking && typed.ok && (
        <Sure
          question={say('refundSure', { amount: typed.shown })}
          button={named}
          onSure={give.run}
          onBack={goBack}
        >
          {session.wantsPin && (
            <TextField
              name="pin"
              label={say('pin')}
              value={pin}
              onChange={setPin}
              input={{
                type: 'password',
                inputmode: 'numeric',
                maxlength: 8,
                autofocus: true,
                required: true,
              }}
            />
          )}
        </Sure>
      )}
      <ul class="reports" aria-live="polite">
        {refunds.map(({ refund, amount: back, currency, status, error: why }) => (
          <li key={refund}>
            {moneyOf(back, currency)} – {say(REFUNDS[status])}
            {why !== null && <span lang="en"> – {why}</span>}
          </li>
        ))}
      </ul>
    </form>
  )
}

type Question = {
  question: string
  button: string
  onSure: () => void
  onBack: () => void
  children?: ComponentChildren
}

/**
 * Asks before money moves or a note of cash is removed. The focus begins on "Go back", so that Enter twice
 * moves nothing.
 */
export function Sure({ question, button, onSure, onBack, children }: Question) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="card" aria-labelledby="sure" onClose={onBack}>
      <p id="sure">{question}</p>
      {children}
      <p class="times">
        <button type="button" class="button" autofocus onClick={onBack}>
          {say('goBack')}
        </button>
        <button type="button" class="button first" onClick={onSure}>
          {button}
        </button>
      </p>
    </dialog>
  )
}

const HOUR_SECONDS = 3600
const TIMES = [
  { words: 'An hour', seconds: HOUR_SECONDS },
  { words: 'A day', seconds: 24 * HOUR_SECONDS },
  { words: 'Three days', seconds: 72 * HOUR_SECONDS },
]

/**
 * Lets time pass. The hub does at once whatever becomes due, such as a report or the end of an open
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
