import type { AccountTerminal, PosTerminals } from '../contract/account-terminals.ts'
import type { PointOfSale } from '../contract/points-of-sale.ts'
import { ActionLink, type Values, action, idOf } from './action.tsx'
import type { ApiAnswer } from './api.ts'
import { Choice, TextField } from './form.tsx'
import { AnswerView, Code, type Column, Empty, Head, Pill, StatePill, Table, Theirs } from './parts.tsx'
import type { ConsolePage } from './visit.ts'

function PowerPill({ isOn }: { isOn: boolean | null }) {
  return <StatePill state={isOn === null ? 'unknown' : isOn ? 'on' : 'off'} />
}

/** Shows the terminals that an account has at its PSP, and which of them shops use. */
export const terminalsPage: ConsolePage = async (visit) => {
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
        <AnswerView answer={found}>
          {({ result, message, setUp, terminals }) => (
            <>
              {message !== null && (
                <p class="notice busy">
                  The PSP does not list its terminals. <Theirs>{message}</Theirs>
                </p>
              )}
              <Table
                label={title}
                rows={terminals}
                columns={COLUMNS}
                empty={
                  <Empty
                    title={result === 'none' ? 'The hub uses no terminals of this account' : 'No terminals'}
                  >
                    {setUp}
                  </Empty>
                }
              />
            </>
          )}
        </AnswerView>
      </>
    ),
  }
}

/** Names a terminal, with its id below. */
function TerminalName({ id, name, account }: { id: string; name: string; account?: string }) {
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

const COLUMNS: readonly Column<AccountTerminal>[] = [
  {
    name: 'Terminal',
    class: 'any',
    isName: true,
    cell: ({ id, name }) => <TerminalName id={id} name={name} />,
  },
  { name: 'State', cell: ({ isOn }) => <PowerPill isOn={isOn} /> },
  {
    name: 'Used by',
    class: 'any',
    cell: ({ isAdded, isListed, pointsOfSale }) => (
      <>
        {!isAdded && <span class="soft">Not added</span>}
        {isListed === false && <Pill tone="bad">No longer at the PSP</Pill>}
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
  { name: 'Alert hours', class: 'wide', cell: ({ alertHours }) => alertHours ?? '–' },
]

function TerminalChoice({ terminals, values }: { terminals: readonly AccountTerminal[]; values: Values }) {
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
            <TerminalChoice terminals={terminals} values={values} />
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
            hint="Cashiers see it. If empty, the terminal keeps its name, or gets the PSP's."
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
          <p>It stays at the PSP. The hub refuses while a point of sale may use it.</p>
          <TerminalChoice terminals={own} values={values} />
        </>
      ),
      button: 'Remove terminal',
      isFinal: true,
    }
  },
  send: (visit, values) =>
    visit.api('removeTerminal', { params: { id: idOf(visit), terminal: values.get('terminal') } }),
})

const ASSIGNED: readonly Column<PosTerminals['terminals'][number]>[] = [
  { name: 'Terminal', class: 'any', isName: true, cell: (one) => <TerminalName {...one} /> },
  {
    name: 'State',
    cell: ({ isOn, isDefault }) => (
      <span class="pills">
        <PowerPill isOn={isOn} />
        {isDefault && <Pill tone="note">Default</Pill>}
      </span>
    ),
  },
]

/** Shows the terminals of a point of sale on its page. */
export function TerminalsCard({ pos, answer }: { pos: PointOfSale; answer: ApiAnswer<PosTerminals> }) {
  return (
    <section class="card">
      <h2>Terminals</h2>
      <AnswerView answer={answer} name="Terminals">
        {({ terminals }) => (
          <Table
            label="Terminals"
            rows={terminals}
            columns={ASSIGNED}
            empty={<p class="soft">None. It sells on pages only.</p>}
          />
        )}
      </AnswerView>
      {pos.mode === 'live' && (
        <p class="buttons">
          <ActionLink does="assignTerminal" id={pos.id} text="Add or remove" />
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
          <p>First add a terminal on the page of its account. The change takes effect within two minutes.</p>
          <TerminalChoice terminals={found.value.terminals} values={values} />
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
