import type { OperatorToken } from '../../contract/operators.ts'
import { changes } from '../plumbing/action.tsx'
import { ActionLink } from '../plumbing/question.tsx'
import { ShownOnce, onceHeaders, shownOnce } from '../plumbing/once.tsx'
import { Now } from './overview.tsx'
import { AnswerView, Empty, End, Head, Pill, StatePill, Table, Theirs, Time } from '../parts/parts.tsx'
import { type ConsolePage, useVisit } from '../plumbing/visit.ts'

/** Shows the hub's health and settings. Only a deploy changes settings. */
export const settingsPage: ConsolePage = async (visit) => {
  const [settings, health] = await Promise.all([visit.api('showSettings'), visit.api('showHubHealth')])
  return {
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
            <bdi>{visit.me.name}</bdi> <Pill tone="note">{visit.me.role}</Pill>{' '}
            <span class="soft">{VIA[visit.me.via]}</span>
          </p>
        </section>
        <section class="card">
          <h2>Parts of the hub</h2>
          <AnswerView answer={health}>
            {(found) => (
              <>
                <p>
                  <StatePill state={found.state} /> <span class="soft">version {found.version}</span>
                </p>
                {found.state !== 'working' && <Now health={found} mode="live" />}
                <ul class="rows even">
                  {found.parts.map((one) => (
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
          </AnswerView>
        </section>
        <section class="card">
          <h2>Current settings</h2>
          <p class="soft">They come from wrangler.toml. A deploy changes them.</p>
          <AnswerView answer={settings}>
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
          </AnswerView>
        </section>
      </>
    ),
  }
}

const VIA = {
  secret: 'by the OPERATOR_TOKEN secret',
  token: 'by a token',
  session: 'signed in with a token',
  access: 'by Cloudflare Access',
} as const

/** Lists the operators' tokens, and the sessions of the console. The page shows a new token only once. */
export const tokensPage: ConsolePage = async (visit) => {
  const [found, sessions, once] = await Promise.all([
    visit.api('listOperatorTokens'),
    visit.api('listSessions'),
    shownOnce(visit),
  ])
  return {
    title: "Operators' tokens",
    headers: onceHeaders(visit, once),
    body: (
      <>
        <Head title="Operators' tokens">
          <ActionLink does="createOperatorToken" kind="first" text="New token" />
        </Head>
        <ShownOnce once={once} />
        <AnswerView answer={found}>
          {({ tokens }) => (
            <Table
              label="Operators' tokens"
              rows={tokens}
              empty={
                <Empty title="No tokens yet">
                  Give each person and each program its own, so that you can end one without the others.
                </Empty>
              }
              columns={[
                { name: 'Name', class: 'any', isName: true, cell: ({ name }) => <Theirs>{name}</Theirs> },
                { name: 'Role', cell: ({ role }) => role },
                { name: 'Made by', class: 'wide', cell: ({ createdBy }) => <Theirs>{createdBy}</Theirs> },
                { name: 'Made', class: 'wide number', cell: ({ created }) => <Time at={created} /> },
                {
                  name: 'Last used',
                  class: 'wide number',
                  cell: ({ used }) => (used === null ? 'Never' : <Time at={used} form="day" />),
                },
                { name: 'Ends', class: 'wide number', cell: ({ expires }) => <End at={expires} /> },
                { name: 'State', cell: (token) => <State token={token} /> },
              ]}
            />
          )}
        </AnswerView>
        <h2>Sessions of the console</h2>
        <AnswerView answer={sessions}>
          {({ sessions: rows }) => (
            <Table
              label="Sessions of the console"
              rows={rows}
              empty={<Empty title="Nobody is signed in" />}
              columns={[
                { name: 'Operator', class: 'any', isName: true, cell: ({ name }) => <Theirs>{name}</Theirs> },
                { name: 'Began', class: 'number', cell: ({ began }) => <Time at={began} /> },
                { name: 'Ends', class: 'wide number', cell: ({ until }) => <Time at={until} /> },
                {
                  name: 'State',
                  cell: ({ id, own }) =>
                    own ? 'This one' : <ActionLink does="endOneSession" id={id} kind="small" text="End" />,
                },
              ]}
            />
          )}
        </AnswerView>
      </>
    ),
  }
}

function State({ token: { id, revoked, expires } }: { token: OperatorToken }) {
  const isOver = revoked !== null || (expires !== null && Date.parse(expires) <= useVisit().now)
  return (
    <span class="pills">
      {isOver ? <Pill tone="still">Ended</Pill> : <Pill tone="good">In use</Pill>}
      {revoked === null && <ActionLink does="revokeOperatorToken" id={id} kind="small" text="End" />}
    </span>
  )
}

export const TOKEN_CHANGES = changes(
  '/console/settings/tokens',
  {
    createOperatorToken: { once: ({ token }) => ({ Token: token }) },
    revokeOperatorToken: {},
    endOneSession: {},
  },
  () => null,
)
