import type { AccountTerminal, PosTerminals } from '../contract/account-terminals.ts'
import type { PointOfSale } from '../contract/points-of-sale.ts'
import { ActionLink, type Values, action, idOf } from './action.tsx'
import type { Answer } from './api.ts'
import { Choice, TextField } from './form.tsx'
import { Answered, Code, Empty, Head, Pill, StatePill, Table, Theirs } from './parts.tsx'
import type { Page } from './visit.ts'

function Seen({ isOn }: { isOn: boolean | null }) {
  return <StatePill state={isOn === null ? 'unknown' : isOn ? 'on' : 'off'} />
}

/** Shows the terminals that an account has at its PSP, and which of them shops use. */
export const terminalsPage: Page = async (visit) => {
  const id = idOf(visit)
  const found = await visit.api('listAccountTerminals', { params: { id } })
  const title = `Terminals of ${id}`
  return {
    title,
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <Head title={title}>
          <ActionLink does="addTerminal" id={id} kind="first" text="Add or rename" />
          <ActionLink does="removeTerminal" id={id} text="Remove" />
        </Head>
        <p>
          <a href={`/console/accounts#${id}`}>Back to the accounts</a>
        </p>
        <Answered answer={found}>
          {({ result, message, setUp, terminals }) => (
            <>
              {message !== null && (
                <p class="notice busy">
                  The PSP does not say which terminals there are. <Theirs>{message}</Theirs>
                </p>
              )}
              <Table
                label={title}
                rows={terminals}
                columns={COLUMNS}
                empty={
                  <Empty
                    title={result === 'none' ? 'The hub drives no terminals by this account' : 'No terminals'}
                  >
                    {setUp}
                  </Empty>
                }
              />
            </>
          )}
        </Answered>
      </>
    ),
  }
}

/** Names a terminal, with its id below. */
function Named({ id, name, account }: { id: string; name: string; account?: string }) {
  return (
    <span>
      <Theirs>{name}</Theirs>
      <br />
      <span class="soft">
        <Code>{id}</Code>
        {account !== undefined && (
          <>
            <br />
            {account}
          </>
        )}
      </span>
    </span>
  )
}

const COLUMNS = [
  {
    name: 'Terminal',
    class: 'any',
    isName: true,
    cell: ({ id, name }: AccountTerminal) => <Named id={id} name={name} />,
  },
  { name: 'State', cell: ({ isOn }: AccountTerminal) => <Seen isOn={isOn} /> },
  {
    name: 'Used by',
    class: 'any',
    cell: ({ isAdded, isListed, pointsOfSale }: AccountTerminal) => (
      <>
        {!isAdded && <span class="soft">Not added</span>}
        {isListed === false && <Pill tone="bad">Gone at the PSP</Pill>}
        {pointsOfSale.map(({ id, name }, place) => (
          <span key={id}>
            {place > 0 && ', '}
            <a href={`/console/points-of-sale/${id}`}>
              <Theirs>{name}</Theirs>
            </a>
          </span>
        ))}
      </>
    ),
  },
  { name: 'Alert hours', class: 'wide', cell: ({ alertHours }: AccountTerminal) => alertHours ?? '–' },
]

function Which({ terminals, values }: { terminals: readonly AccountTerminal[]; values: Values }) {
  const options = terminals.map(({ id, name }) => [id, `${name} (${id})`] as const)
  const [first] = terminals
  const value = values.get('terminal') || (first?.id ?? '')
  return <Choice label="Terminal" name="terminal" value={value} options={options} />
}

export const addTerminal = action({
  does: 'addTerminal',
  ask: async (visit, values) => {
    const found = await visit.api('listAccountTerminals', { params: { id: idOf(visit) } })
    if (!found.ok) return found
    const { terminals, message } = found.value
    return {
      title: 'Add or rename a terminal',
      body: (
        <>
          {message === null ? (
            <Which terminals={terminals} values={values} />
          ) : (
            <TextField
              label="Terminal"
              name="terminal"
              hint="Its id at the PSP."
              value={values.get('terminal')}
            />
          )}
          <TextField
            label="Name"
            hint="Cashiers read it. Left empty, it stays, or is that of the PSP."
            name="name"
            maxLength={100}
            value={values.get('name')}
          />
        </>
      ),
      button: 'Add or rename',
    }
  },
})

export const removeTerminal = action({
  does: 'removeTerminal',
  ask: async (visit, values) => {
    const found = await visit.api('listAddedTerminals')
    if (!found.ok) return found
    const own = found.value.terminals.filter(({ account }) => account === idOf(visit))
    return {
      title: 'Remove a terminal',
      body: (
        <>
          <p>At the PSP it stays. The hub refuses while a point of sale may use it.</p>
          <Which terminals={own} values={values} />
        </>
      ),
      button: 'Remove terminal',
      isFinal: true,
    }
  },
  send: ({ api, params }, values) =>
    api('removeTerminal', { params: { id: params['id'] ?? '', terminal: values.get('terminal') } }),
})

const ASSIGNED = [
  {
    name: 'Terminal',
    class: 'any',
    isName: true,
    cell: (one: PosTerminals['terminals'][number]) => <Named {...one} />,
  },
  {
    name: 'State',
    cell: ({ isOn, isDefault }: PosTerminals['terminals'][number]) => (
      <span class="pills">
        <Seen isOn={isOn} />
        {isDefault && <Pill tone="note">Default</Pill>}
      </span>
    ),
  },
]

/** Shows the terminals of a point of sale on its page. */
export function TerminalsCard({ pos, answer }: { pos: PointOfSale; answer: Answer<PosTerminals> }) {
  return (
    <section class="card">
      <h2>Terminals</h2>
      <Answered answer={answer} name="Terminals">
        {({ terminals }) => (
          <Table
            label="Terminals"
            rows={terminals}
            columns={ASSIGNED}
            empty={<p class="soft">None: it sells on pages only.</p>}
          />
        )}
      </Answered>
      {pos.mode === 'live' && (
        <p class="buttons">
          <ActionLink does="assignTerminal" id={pos.id} text="Give or take away" />
        </p>
      )}
    </section>
  )
}

const USES = [
  ['use', 'may be used'],
  ['default', 'is the default'],
  ['away', 'may no longer be used'],
] as const

export const assignTerminal = action({
  does: 'assignTerminal',
  ask: async (visit, values) => {
    const found = await visit.api('listAddedTerminals')
    if (!found.ok) return found
    return {
      title: 'Terminals of the point of sale',
      body: (
        <>
          <p>Terminals are added on the page of their account. The change is live within two minutes.</p>
          <Which terminals={found.value.terminals} values={values} />
          <Choice label="From now on it" name="use" value={values.get('use') || 'use'} options={USES} />
        </>
      ),
      button: 'Change the terminals',
    }
  },
  body: (values) => ({
    terminal: values.get('terminal'),
    isAssigned: values.get('use') !== 'away',
    isDefault: values.get('use') === 'default',
  }),
})
