import type { HubHealth } from '../contract/hub-health.ts'
import { FailingShops } from './failing-shops.tsx'
import { waitingText } from './formats.ts'
import { StatePill, TestMark, Theirs, Time } from './parts.tsx'
import type { Visit } from './visit.ts'

/** Lists the shops and accounts that fail now; an operator should look at these first. */
export function Now({ health, visit }: { health: HubHealth; visit: Visit }) {
  const accounts = health.accounts.filter(({ state }) => state === 'refused' || state === 'unavailable')
  const parts = health.parts.filter(({ state }) => state === 'failing' || state === 'slow')
  if (accounts.length + health.shops.length + parts.length === 0) {
    return <p class="well">Everything works: each shop takes its reports, and each account its payments.</p>
  }
  return (
    <section class="card failing" aria-labelledby="failing">
      <h2 id="failing">Failing now</h2>
      <ul class="rows">
        <FailingShops shops={health.shops} visit={visit} />
        {accounts.map(({ account, mode, state, since, message, waiting }) => (
          <li key={account}>
            <a href="/console/accounts">{account}</a>
            <span class="soft">
              <StatePill state={state} /> {mode === 'test' && <TestMark />}{' '}
              {message !== null && <Theirs>{message}</Theirs>}
              {waiting > 0 && ` · ${waitingText(waiting)}`}
            </span>
            {since !== null && (
              <span class="since">
                since <Time at={since} visit={visit} />
              </span>
            )}
          </li>
        ))}
        {parts.map(({ part, state, message }) => (
          <li key={part}>
            <a href="/console/settings">{part}</a>
            <span class="soft">
              <StatePill state={state} /> {message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
