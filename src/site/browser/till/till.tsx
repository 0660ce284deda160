import { useEffect, useState } from 'preact/hooks'
import { shownText } from '../../../platform/pages/formats.ts'
import { Failure, TextField } from './field.tsx'
import { type Ordered, OrderForm } from './order-form.tsx'
import { Payment } from './payment.tsx'
import { type Session, openSession } from './session.ts'
import { useAction } from './use-job.ts'

/** Asks for the key of a point of sale. */
function KeyForm({ onOpen }: { onOpen: (session: Session) => void }) {
  const [apiKey, setApiKey] = useState('')
  const [secret, setSecret] = useState('')
  // Also when the till was closed: `autofocus` counts once for a page.
  useEffect(() => document.getElementById('api-key')?.focus(), [])
  const { busy, error, run } = useAction(async () => onOpen(await openSession(apiKey.trim(), secret.trim())))
  return (
    <form
      class="card"
      aria-labelledby="key-title"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <h2 id="key-title">Whose till is it?</h2>
      <TextField
        name="api-key"
        label="API key of a test point of sale"
        hint="160 letters and digits. It stays in this tab's memory, and goes to this hub alone."
        value={apiKey}
        onChange={setApiKey}
        input={{ type: 'password', required: true }}
      />
      <TextField
        name="signing-secret"
        label="Signing secret (optional)"
        hint="With it this tab checks the signatures of reports. It is sent nowhere."
        value={secret}
        onChange={setSecret}
        input={{ type: 'password' }}
      />
      <Failure error={error} />
      <p>
        <button type="submit" class="button first" disabled={busy}>
          {busy ? 'Opening …' : 'Open the till'}
        </button>
      </p>
      <p class="hint">
        No key yet? On your own machine: <code>npm run hub -- pos create --name "My shop"</code>
      </p>
    </form>
  )
}

/** A point of sale in one tab: first its key, then an order after the other. */
export function Till() {
  const [session, setSession] = useState<Session | null>(null)
  const [ordered, setOrdered] = useState<Ordered | null>(null)
  if (!session) return <KeyForm onOpen={setSession} />
  const close = () => {
    setOrdered(null)
    setSession(null)
  }
  return (
    <>
      <p class="whose">
        <span>
          Test point of sale{' '}
          <strong>
            <bdi>{shownText(session.about.pointOfSale.name ?? '') || session.about.pointOfSale.id}</bdi>
          </strong>
        </span>
        <button type="button" class="button" onClick={close}>
          Close the till
        </button>
      </p>
      {ordered ? (
        <Payment
          key={ordered.job.paymentJob}
          session={session}
          ordered={ordered}
          onNext={() => setOrdered(null)}
        />
      ) : (
        <OrderForm session={session} onOrder={setOrdered} />
      )}
    </>
  )
}
