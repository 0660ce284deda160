import type { Me, OperatorToken } from '../contract/operators.ts'
import { ActionLink, action } from './action.tsx'
import { ShownOnce, onceHeaders, shownOnce } from './once.tsx'
import {
  Answered,
  Choice,
  Empty,
  Field,
  Head,
  NameField,
  Pill,
  StatePill,
  Table,
  Theirs,
  Time,
} from './parts.tsx'
import type { Page } from './visit.ts'

/** Shows the hub's health and settings. Only a deploy changes settings. */
export const settingsPage: Page = async (visit) => {
  const [settings, health] = await Promise.all([visit.api('showSettings'), visit.api('showHubHealth')])
  return (me) => ({
    title: 'Settings',
    body: (
      <>
        <Head title="Settings">
          <a class="button small" href="/console/settings/tokens">
            Operators' tokens
          </a>
        </Head>
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
                rows={found}
                columns={[
                  { name: 'Name', isName: true, cell: ({ name }) => <code>{name}</code> },
                  { name: 'Value', cell: ({ value }) => <code>{value === '' ? '(empty)' : value}</code> },
                  { name: 'Meaning', class: 'wide', cell: ({ meaning }) => meaning },
                ]}
              />
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

const TOKENS = '/console/settings/tokens'

const ROLES = [
  ['viewer', 'viewer: looks'],
  ['support', 'support: also asks PSPs, and sends reports again'],
  ['operator', 'operator: everything'],
] as const

/** Lists the operators' tokens. The page shows a new token only once. */
export const tokensPage: Page = async (visit) => {
  const [found, once] = await Promise.all([visit.api('listOperatorTokens'), shownOnce(visit)])
  return (me) => ({
    title: "Operators' tokens",
    headers: onceHeaders(visit, once),
    body: (
      <>
        <Head title="Operators' tokens">
          <ActionLink me={me} does="createOperatorToken" href={`${TOKENS}/new`} kind="first">
            New token
          </ActionLink>
        </Head>
        <ShownOnce once={once} />
        <Answered answer={found}>
          {({ tokens }) => (
            <Table
              label="Operators' tokens"
              rows={tokens}
              empty={
                <Empty title="No tokens yet">
                  Give each person and each program one of its own: it can be ended alone.
                </Empty>
              }
              columns={[
                { name: 'Name', class: 'any', isName: true, cell: ({ name }) => <Theirs>{name}</Theirs> },
                { name: 'Role', cell: ({ role }) => role },
                { name: 'Made by', class: 'wide', cell: ({ createdBy }) => <Theirs>{createdBy}</Theirs> },
                {
                  name: 'Made',
                  class: 'wide number',
                  cell: ({ created }) => <Time at={created} visit={visit} />,
                },
                {
                  name: 'Last used',
                  class: 'wide number',
                  cell: ({ used }) => (used === null ? 'Never' : <Time at={used} form="day" visit={visit} />),
                },
                { name: 'State', cell: (token) => <State token={token} me={me} /> },
              ]}
            />
          )}
        </Answered>
      </>
    ),
  })
}

function State({ token: { id, revoked }, me }: { token: OperatorToken; me: Me }) {
  return (
    <span class="pills">
      {revoked === null ? <Pill tone="good">In use</Pill> : <Pill tone="still">Ended</Pill>}
      {revoked === null && (
        <ActionLink
          me={me}
          does="revokeOperatorToken"
          href={`${TOKENS}/${encodeURIComponent(id)}/revoke`}
          kind="small"
        >
          End
        </ActionLink>
      )}
    </span>
  )
}

export const createToken = action({
  does: 'createOperatorToken',
  at: () => TOKENS,
  ask: (_, values) => ({
    title: 'New token',
    body: (
      <>
        <NameField hint="Of the person or the program: the audit log has it." value={values.get('name')} />
        <Field label="Role">
          <Choice name="role" value={values.get('role') || 'viewer'} options={ROLES} />
        </Field>
      </>
    ),
    button: 'Make a token',
  }),
  body: (values) => ({ name: values.get('name'), role: values.get('role') }),
  message: 'token-created',
  once: ({ token }) => ({ Token: token }),
})

export const revokeToken = action({
  does: 'revokeOperatorToken',
  at: () => TOKENS,
  ask: {
    title: 'End the token',
    body: <p>Who has it can no longer ask the hub, and its sessions of the console end.</p>,
    button: 'End token',
    isFinal: true,
  },
  message: 'token-revoked',
})
