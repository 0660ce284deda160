import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { HubError } from '../client/client.ts'
import { shownText } from '../platform/pages/formats.ts'
import { Day } from './day.tsx'
import { Failure, TextField } from './field.tsx'
import { habits, leaveUnseen, remember, takeUnseen } from './device.ts'
import { OrderForm, type Start } from './order-form.tsx'
import { Payment } from './payment.tsx'
import { Sure } from './actions.tsx'
import { forget, kept } from './sealed.ts'
import { soundAfterGesture } from './sound.ts'
import { type Session, keepSession, openSession } from './session.ts'
import { language, say } from './speech.ts'
import { useAction } from './use-job.ts'

/** An open till and its view: a payment by its id, the day, or an order form. */
type TillState = { session: Session; shows: Shows }
type Shows =
  | { is: 'payment'; id: string; isNew: boolean; more?: readonly string[] }
  | { is: 'order'; start: Start }
  | { is: 'day' }

const NEW_ORDER = { is: 'order', start: {} } as const

/** Shows payments one after the other, then an order form. */
function inTurn([id, ...more]: readonly string[]): Shows {
  return id === undefined ? NEW_ORDER : { is: 'payment', id, isNew: true, more }
}

/** A point of sale in one tab. Reloading the page reopens it in the same place. */
function Till() {
  const [opened, setOpened] = useState<TillState | null>(null)
  const [isKept, setKept] = useState(true)
  const { error, run } = useAction(async () => {
    const found = await kept().catch(() => null)
    if (!found) return setKept(false)
    try {
      const session = await openSession(found)
      const { open, placing } = found
      const start = placing ? { placing } : {}
      setOpened({
        session,
        shows: open === null ? { is: 'order', start } : { is: 'payment', id: open, isNew: false },
      })
    } catch (wrong) {
      if (!(wrong instanceof HubError && wrong.status === 401)) throw wrong
      await forget()
      setKept(false)
    }
  })
  useEffect(run, [])

  if (opened) {
    const { session } = opened
    const close = () => {
      leaveUnseen(session.about.pointOfSale.id, [...session.unseen].filter(Boolean))
      session.isClosed = true
      setOpened(null)
      setKept(false)
      void forget()
    }
    return <OpenTill {...opened} onClose={close} />
  }
  return (
    <>
      <h1>{say('till')}</h1>
      {isKept ? (
        <>
          <Failure error={error} />
          {error !== null && (
            <button type="button" class="button" onClick={run}>
              {say('tryAgain')}
            </button>
          )}
        </>
      ) : (
        <>
          <p class="lead">{say('lead')}</p>
          <KeyForm
            onOpen={(session) => {
              session.unseen = new Set(takeUnseen(session.about.pointOfSale.id))
              void keepSession(session, null)
              setOpened({ session, shows: inTurn([...session.unseen]) })
            }}
          />
        </>
      )}
    </>
  )
}

/** Asks for the API key of a point of sale. */
function KeyForm({ onOpen }: { onOpen: (session: Session) => void }) {
  const [apiKey, setApiKey] = useState('')
  const [secret, setSecret] = useState('')
  // Also when the till is closed, because `autofocus` works only once per page.
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
      <h2 id="key-title">{say('whose')}</h2>
      <TextField
        name="api-key"
        label={say('apiKey')}
        hint={say('apiKeyHint')}
        value={apiKey}
        onChange={setApiKey}
        input={{ type: 'password', required: true }}
      />
      <TextField
        name="signing-secret"
        label={say('secret')}
        hint={say('secretHint')}
        value={secret}
        onChange={setSecret}
        input={{ type: 'password' }}
      />
      <Failure error={error} />
      <p>
        <button type="submit" class="button first" disabled={busy}>
          {busy ? say('busy') : say('open')}
        </button>
      </p>
      <p class="hint">
        {say('noKey')} <code>npm run hub -- pos create --name "My shop"</code>
      </p>
    </form>
  )
}

function OpenTill({ session, shows: first, onClose }: TillState & { onClose: () => void }) {
  const [shows, setShows] = useState(first)
  const [isClosing, setClosing] = useState(false)
  const show = (next: Shows) => {
    setShows(next)
    void keepSession(session, next.is === 'payment' ? next.id : null)
  }
  const { mode, pointOfSale } = session.about
  return (
    <>
      <header class="whose">
        <h1>
          {mode === 'test' && <strong class="test">TEST</strong>}{' '}
          <bdi>{shownText(pointOfSale.name ?? '') || pointOfSale.id}</bdi>
        </h1>
        <nav aria-label={say('till')}>
          <Tab name={say('order')} isHere={shows.is === 'order'} onClick={() => show(NEW_ORDER)} />
          <Tab name={say('today')} isHere={shows.is === 'day'} onClick={() => show({ is: 'day' })} />
          <Tab
            name={say('close')}
            isHere={false}
            onClick={() => (session.unseen.size > 0 ? setClosing(true) : onClose())}
          />
        </nav>
      </header>
      {isClosing && (
        <Sure
          question={say('closeSure')}
          button={say('close')}
          onSure={onClose}
          onBack={() => setClosing(false)}
        />
      )}
      {shows.is === 'order' && (
        <OrderForm
          session={session}
          start={shows.start}
          onOrder={(id) => show({ is: 'payment', id, isNew: true })}
        />
      )}
      {shows.is === 'day' && (
        <Day session={session} onPayment={(id) => show({ is: 'payment', id, isNew: false })} />
      )}
      {shows.is === 'payment' && (
        <Payment
          key={shows.id}
          session={session}
          {...shows}
          onNext={() => show(inTurn(shows.more ?? []))}
          onAgain={(again) => show({ is: 'order', start: { again } })}
        />
      )}
      <Mute />
    </>
  )
}

/** Turns the sounds of this device off and on. */
function Mute() {
  const [isMuted, setMuted] = useState(habits().isMuted)
  const toggle = (): void => {
    remember({ isMuted: !isMuted })
    setMuted(!isMuted)
  }
  return (
    <p class="unprinted">
      <button type="button" class="link" onClick={toggle}>
        {say(isMuted ? 'soundOn' : 'soundOff')}
      </button>
    </p>
  )
}

function Tab({ name, isHere, onClick }: { name: string; isHere: boolean; onClick: () => void }) {
  return (
    <button type="button" class="tab" {...(isHere ? { 'aria-current': 'page' } : {})} onClick={onClick}>
      {name}
    </button>
  )
}

const place = document.getElementById('till')
if (place) {
  soundAfterGesture()
  place.lang = language
  place.dir = language === 'ar' ? 'rtl' : 'ltr'
  place.replaceChildren()
  render(<Till />, place)
}
