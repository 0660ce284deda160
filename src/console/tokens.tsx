import type { OperatorToken } from '../contract/operators.ts'
import { type Action, ActionLink } from './action.tsx'
import { onceCookie, shownOnce, ShownOnce, onceHeaders } from './once.tsx'
import { Choice, Field, NameField } from './fields.tsx'
import { Answered, Empty, Pill, Table, Theirs, Time } from './parts.tsx'
import { type Page, done, doneAt } from './visit.ts'

const LIST = '/console/settings/tokens'

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
    section: 'settings',
    headers: onceHeaders(visit, once),
    body: (
      <>
        <div class="head">
          <h1>Operators' tokens</h1>
          <ActionLink me={me} role="operator" href={`${LIST}/new`} kind="first">
            New token
          </ActionLink>
        </div>
        <ShownOnce once={once} />
        <Answered answer={found}>
          {({ tokens }) =>
            tokens.length === 0 ? (
              <Empty title="No tokens yet">
                Give each person and each program one of its own: it can be ended alone.
              </Empty>
            ) : (
              <Table
                label="Operators' tokens"
                head={
                  <>
                    <th scope="col">Name</th>
                    <th scope="col">Role</th>
                    <th scope="col" class="wide">
                      Made by
                    </th>
                    <th scope="col" class="wide number">
                      Made
                    </th>
                    <th scope="col">State</th>
                  </>
                }
              >
                {tokens.map((token) => (
                  <tr key={token.id}>
                    <th scope="row" class="any">
                      <Theirs>{token.name}</Theirs>
                    </th>
                    <td>{token.role}</td>
                    <td class="wide">
                      <Theirs>{token.createdBy}</Theirs>
                    </td>
                    <td class="wide number">
                      <Time at={token.created} visit={visit} />
                    </td>
                    <td>
                      <span class="pills">
                        <State token={token} />
                        {token.revoked === null && (
                          <ActionLink
                            me={me}
                            role="operator"
                            href={`${LIST}/${encodeURIComponent(token.id)}/revoke`}
                            kind="small"
                          >
                            End
                          </ActionLink>
                        )}
                      </span>
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Answered>
      </>
    ),
  })
}

function State({ token }: { token: OperatorToken }) {
  return token.revoked === null ? <Pill tone="good">In use</Pill> : <Pill tone="still">Ended</Pill>
}

export const createToken: Action = {
  role: 'operator',
  section: 'settings',
  ask: async (_, values) => ({
    ok: true,
    value: {
      title: 'New token',
      back: LIST,
      body: (
        <>
          <NameField hint="Of the person or the program: the audit log has it." value={values.get('name')} />
          <Field label="Role">
            <Choice name="role" value={values.get('role') || 'viewer'} options={ROLES} />
          </Field>
        </>
      ),
      button: 'Make a token',
    },
  }),
  send: async (visit, values) => {
    const made = await visit.api('createOperatorToken', {
      body: { name: values.get('name'), role: values.get('role') },
    })
    if (!made.ok) return { is: 'refused', problem: made.problem }
    return done(`${LIST}?done=token-created`, await onceCookie(visit, LIST, { Token: made.value.token }))
  },
}

export const revokeToken: Action = {
  role: 'operator',
  section: 'settings',
  ask: async () => ({
    ok: true,
    value: {
      title: 'End the token',
      back: LIST,
      body: <p>Who has it can no longer ask the hub, and its sessions of the console end.</p>,
      button: 'End token',
      isFinal: true,
    },
  }),
  send: async ({ api, params }) =>
    doneAt(
      await api('revokeOperatorToken', { params: { id: params['id'] ?? '' } }),
      `${LIST}?done=token-revoked`,
    ),
}
