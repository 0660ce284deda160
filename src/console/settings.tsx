import { Answered, Pill, StatePill, Table } from './parts.tsx'
import type { Page } from './visit.ts'

/** Shows the hub's health and settings. Only a deploy changes settings. */
export const settingsPage: Page = async (visit) => {
  const [settings, health] = await Promise.all([visit.api('showSettings'), visit.api('showHubHealth')])
  return (me) => ({
    title: 'Settings',
    section: 'settings',
    body: (
      <>
        <div class="head">
          <h1>Settings</h1>
          <a class="button small" href="/console/settings/tokens">
            Operators' tokens
          </a>
        </div>
        <section class="card">
          <h2>You</h2>
          <p>
            <bdi>{me.name}</bdi> <Pill tone="note">{me.role}</Pill> <span class="soft">{VIA[me.via]}</span>
          </p>
        </section>
        <section class="card">
          <h2>Parts of the hub</h2>
          <Answered answer={health}>
            {({ parts, state, version }) => (
              <>
                <p>
                  <StatePill state={state} /> <span class="soft">version {version}</span>
                </p>
                <ul class="rows even">
                  {parts.map((one) => (
                    <li key={one.part}>
                      <b>{one.part}</b>
                      <span class="soft">
                        <StatePill state={one.state} /> {one.message}
                      </span>
                      <span class="since">{one.milliseconds === null ? '' : `${one.milliseconds} ms`}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Answered>
        </section>
        <section class="card">
          <h2>Settings as they are</h2>
          <p class="soft">They are in wrangler.toml, and change with a deploy.</p>
          <Answered answer={settings}>
            {({ settings: found }) => (
              <Table
                label="Settings"
                head={
                  <>
                    <th scope="col">Name</th>
                    <th scope="col">Value</th>
                    <th scope="col" class="wide">
                      Meaning
                    </th>
                  </>
                }
              >
                {found.map(({ name, value, meaning }) => (
                  <tr key={name}>
                    <th scope="row">
                      <code>{name}</code>
                    </th>
                    <td>
                      <code>{value === '' ? '(empty)' : value}</code>
                    </td>
                    <td class="wide">{meaning}</td>
                  </tr>
                ))}
              </Table>
            )}
          </Answered>
        </section>
      </>
    ),
  })
}

const VIA = {
  secret: 'by the OPERATOR_TOKEN secret',
  token: 'by a token',
  session: 'signed in with a token',
  access: 'by Cloudflare Access',
} as const
