import { useEffect, useState } from 'preact/hooks'
import { Failure, TextField } from './field.tsx'
import { type Session, openSession } from './session.ts'
import { useAction } from './use-job.ts'

/** Asks for the key of a point of sale. */
export function KeyForm({ onOpen }: { onOpen: (session: Session) => void }) {
  const [apiKey, setApiKey] = useState('')
  const [secret, setSecret] = useState('')
  // Also when the till was closed: `autofocus` counts once for a page.
  useEffect(() => document.getElementById('api-key')?.focus(), [])
  const { busy, error, run } = useAction(async () =>
    onOpen(await openSession({ apiKey: apiKey.trim(), signingSecret: secret.trim(), jobs: [], last: {} })),
  )
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
        label="API key of a point of sale"
        hint="160 letters and digits. It goes to this hub alone. A live key asks for real money."
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
