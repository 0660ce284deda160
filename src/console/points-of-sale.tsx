import type { VNode } from 'preact'
import { type Action, type Values, ActionLink } from './action.tsx'
import type { Answer } from './api.ts'
import { Choice, Field, NameField } from './fields.tsx'
import { type Once, onceCookie } from './once.tsx'
import { Answered, Empty, Pill, Table, TestMark, Theirs, Time } from './parts.tsx'
import { type Page, type Outcome, type Visit, done, doneAt } from './visit.ts'

/** Lists the points of sale, oldest first. */
export const posListPage: Page = async (visit) => {
  const found = await visit.api('listPointsOfSale')
  return (me) => ({
    title: 'Points of sale',
    section: 'points-of-sale',
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <div class="head">
          <h1>Points of sale</h1>
          <ActionLink me={me} role="operator" href="/console/points-of-sale/new" kind="first">
            New point of sale
          </ActionLink>
        </div>
        <Answered answer={found}>
          {({ pointsOfSale }) =>
            pointsOfSale.length === 0 ? (
              <Empty title="No points of sale yet">A till or a web shop needs one: it has the API key.</Empty>
            ) : (
              <Table
                label="Points of sale"
                head={
                  <>
                    <th scope="col">Name</th>
                    <th scope="col">State</th>
                    <th scope="col" class="wide">
                      Id
                    </th>
                    <th scope="col" class="wide number">
                      Created
                    </th>
                  </>
                }
              >
                {pointsOfSale.map(({ id, name, mode, disabled, created }) => (
                  <tr key={id} class="link">
                    <th scope="row" class="any">
                      <a href={`/console/points-of-sale/${id}`} data-row>
                        <Theirs>{name}</Theirs>
                      </a>
                    </th>
                    <td>
                      <span class="pills">
                        {disabled === null ? (
                          <Pill tone="good">Enabled</Pill>
                        ) : (
                          <Pill tone="still">Disabled</Pill>
                        )}
                        {mode === 'test' && <TestMark />}
                      </span>
                    </td>
                    <td class="wide">
                      <code>{id}</code>
                    </td>
                    <td class="wide number">
                      <Time at={created} visit={visit} />
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

const LIST = '/console/points-of-sale'
function idOf({ params }: Visit): string {
  return params['id'] ?? ''
}
function addressOf(id: string): string {
  return `${LIST}/${id}`
}

const MODES = [
  ['test', 'Test: the sandbox takes its payments, no money moves'],
  ['live', 'Live'],
] as const

export const create: Action = {
  role: 'operator',
  section: 'points-of-sale',
  ask: async (_, values) => ({
    ok: true,
    value: {
      title: 'New point of sale',
      back: LIST,
      body: (
        <>
          <NameField hint="The shop's customers see it." value={values.get('name')} />
          <Field label="Mode" hint="It cannot be changed later.">
            <Choice name="mode" value={values.get('mode') || 'test'} options={MODES} />
          </Field>
        </>
      ),
      button: 'Create',
    },
  }),
  send: async (visit, values) => {
    const created = await visit.api('createPointOfSale', {
      body: { name: values.get('name'), mode: values.get('mode') },
    })
    return shown(visit, created, ({ id, apiKey, signingSecret }) => ({
      to: `${addressOf(id)}?done=pos-created`,
      once: { 'API key': apiKey, 'Signing secret': signingSecret },
    }))
  },
}

/** Redirects to a page that shows the new secrets once. */
async function shown<T>(
  visit: Visit,
  answer: Answer<T>,
  next: (value: T) => { to: string; once: Once },
): Promise<Outcome> {
  if (!answer.ok) return { is: 'refused', problem: answer.problem }
  const { to, once } = next(answer.value)
  return done(to, await onceCookie(visit, to, once))
}

/** Makes an action on one point of sale; `body` explains it to the operator. */
function changing(
  texts: { title: string; button: string; isFinal?: boolean },
  body: (values: Values) => VNode,
  send: Action['send'],
): Action {
  return {
    role: 'operator',
    section: 'points-of-sale',
    ask: async (visit, values) => ({
      ok: true,
      value: { ...texts, body: body(values), back: addressOf(idOf(visit)) },
    }),
    send,
  }
}

export const rename = changing(
  { title: 'Rename', button: 'Rename' },
  (values) => <NameField label="New name" hint="The shop's customers see it." value={values.get('name')} />,
  async (visit, values) =>
    doneAt(
      await visit.api('changePointOfSale', {
        params: { id: idOf(visit) },
        body: { name: values.get('name') },
      }),
      `${addressOf(idOf(visit))}?done=pos-changed`,
    ),
)

export const addKey = changing(
  { title: 'New API key', button: 'Make a key' },
  () => <p>One more key, shown once. The older ones go on until you end them.</p>,
  async (visit) =>
    shown(visit, await visit.api('addApiKey', { params: { id: idOf(visit) } }), ({ id, apiKey }) => ({
      to: `${addressOf(id)}?done=key-added`,
      once: { 'API key': apiKey },
    })),
)

export const endKeys = changing(
  { title: 'End the older keys', button: 'End older keys', isFinal: true },
  () => (
    <p>
      All API keys but the newest end, and every access token. A shop that still has an older key can no
      longer create payments.
    </p>
  ),
  async (visit) =>
    doneAt(
      await visit.api('revokeApiKeys', { params: { id: idOf(visit) } }),
      `${addressOf(idOf(visit))}?done=keys-revoked`,
    ),
)

export const rotateSecret = changing(
  { title: 'New signing secret', button: 'Make a secret' },
  (values) => (
    <>
      <p>
        Reports are signed with the new secret, shown once. For some hours they can be signed with the one
        before as well.
      </p>
      <Field label="Hours for which the one before still signs" hint="0 to 720.">
        <input type="number" name="hours" min="0" max="720" value={values.get('hours') || '24'} />
      </Field>
    </>
  ),
  async (visit, values) => {
    const how = values.get('hours') === '' ? {} : { overlapHours: Number(values.get('hours')) }
    return shown(
      visit,
      await visit.api('rotateSigningSecret', { params: { id: idOf(visit) }, body: how }),
      ({ id, signingSecret }) => ({
        to: `${addressOf(id)}?done=secret-rotated`,
        once: { 'Signing secret': signingSecret },
      }),
    )
  },
)

export const disable = changing(
  { title: 'Disable the point of sale', button: 'Disable', isFinal: true },
  () => (
    <p>
      Its keys and tokens end within two minutes. Payments that are open are still finished, and reported.
    </p>
  ),
  async (visit) =>
    doneAt(
      await visit.api('disablePointOfSale', { params: { id: idOf(visit) } }),
      `${addressOf(idOf(visit))}?done=pos-disabled`,
    ),
)

export const enable = changing(
  { title: 'Enable the point of sale', button: 'Enable' },
  () => <p>Its API keys work again at once. It fetches a new access token.</p>,
  async (visit) =>
    doneAt(
      await visit.api('enablePointOfSale', { params: { id: idOf(visit) } }),
      `${addressOf(idOf(visit))}?done=pos-enabled`,
    ),
)
