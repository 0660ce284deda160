import type { AccountTerminal, PosTerminals } from '../../contract/account-terminals.ts'
import type { PointOfSale } from '../../contract/points-of-sale.ts'
import { changes, idOf } from '../plumbing/action.tsx'
import { ActionLink } from '../plumbing/question.tsx'
import type { ApiAnswer } from '../plumbing/api.ts'
import {
  AnswerView,
  Code,
  type Column,
  Empty,
  Head,
  Pill,
  StatePill,
  Table,
  Theirs,
} from '../parts/parts.tsx'
import type { ConsolePage, Visit } from '../plumbing/visit.ts'

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

function optionsOf(terminals: readonly AccountTerminal[]) {
  return { terminal: { options: terminals.map(({ id, name }) => [id, `${name} (${id})`] as const) } }
}

/** The terminals to choose from: those that operators added, of one account or of all. */
export async function addedTerminals({ api, params: { id } }: Visit, of?: 'account') {
  const found = await api('listAddedTerminals')
  if (!found.ok) return found
  return optionsOf(found.value.terminals.filter(({ account }) => of === undefined || account === id))
}

export const TERMINAL_CHANGES = changes('/console/accounts/:id/terminals', {
  addTerminal: {
    fields: async ({ api, params: { id = '' } }) => {
      const found = await api('listAccountTerminals', { params: { id } })
      if (!found.ok) return found
      // A PSP that lists none leaves the id to the operator.
      return found.value.message === null ? optionsOf(found.value.terminals) : {}
    },
  },
  removeTerminal: { fields: (visit) => addedTerminals(visit, 'account') },
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
