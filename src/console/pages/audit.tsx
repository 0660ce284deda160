import type { AuditEntry, AuditVerified } from '../../contract/audit.ts'
import { AUDIT_ACTIONS } from '../../contract/operator-operations.ts'
import { dayStart, instantOf, nextDay } from '../../platform/pages/zoned-time.ts'
import type { ApiAnswer, Api } from '../plumbing/api.ts'
import { countText, titled } from '../parts/formats.ts'
import { Choice, Filters, TextField } from '../parts/form.tsx'
import { AnswerView, Empty, Head, NotShown, Pages, Pill, Table, Theirs, Time } from '../parts/parts.tsx'
import type { ConsolePage } from '../plumbing/visit.ts'

/** Lists every change by an operator, newest first. */
export const auditPage: ConsolePage = async (visit) => {
  const of = (name: string) => visit.url.searchParams.get(name)?.trim() ?? ''
  const given = { action: of('action'), by: of('by'), subject: of('subject'), day: of('day') }
  const { day, ...words } = given
  const [found, shops] = await Promise.all([
    visit.api('listAudit', {
      query: { ...words, ...spanOf(day, visit.zone), after: of('after'), limit: '50' },
    }),
    visit.api('listPointsOfSale'),
  ])
  const names = new Map(shops.ok ? shops.value.pointsOfSale.map(({ id, name }) => [id, name]) : [])
  return {
    title: 'Audit',
    body: (
      <>
        <Head title="Audit log">
          <a class="button small" href="/console/audit/verify">
            Verify the chain
          </a>
        </Head>
        <p class="soft">
          Who changed what. The log has two entries for each change, one before it and one after. They share a
          row here, such as 29, 30. Each entry contains the hash of the previous one, so nobody can change or
          remove an entry unnoticed.
        </p>
        <AuditFilters given={given} />
        <AnswerView answer={found}>
          {({ entries, unfinished, unreadable, next }) => (
            <>
              {unreadable.length > 0 && (
                <p class="bad">Entries that cannot be read: {unreadable.join(', ')}. Verify the chain.</p>
              )}
              <AuditEntries entries={changesOf(entries, unfinished)} names={names} />
              <Pages next={next} />
            </>
          )}
        </AnswerView>
      </>
    ),
  }
}

/** Returns the times of a day. An invalid day stays as it is, so that the API refuses it. */
function spanOf(day: string, zone: string) {
  const from = instantOf(`${day}T00:00`, zone)
  return from === undefined
    ? { from: day }
    : { from, to: new Date(dayStart(nextDay(day), zone)).toISOString() }
}

/**
 * Shows each change once: its second entry, with the values that the operator wanted, or its first entry
 * if there is no second.
 */
function changesOf(entries: readonly AuditEntry[], unfinished: readonly number[]): AuditEntry[] {
  const begun = new Map(entries.map((entry) => [entry.number, entry]))
  return entries
    .filter(({ number, of }) => of !== null || unfinished.includes(number))
    .map((entry) =>
      Object.assign({}, entry, { after: { ...begun.get(entry.of ?? 0)?.after, ...entry.after } }),
    )
}

function AuditFilters({ given }: { given: Readonly<Record<'action' | 'by' | 'subject' | 'day', string>> }) {
  return (
    <Filters path="/console/audit" used={Object.values(given).filter((one) => one !== '').length}>
      <Choice
        label="What"
        name="action"
        value={given.action}
        options={[['', 'Any'], ...AUDIT_ACTIONS.toSorted().map((action) => [action, action] as const)]}
      />
      <TextField label="Who" name="by" value={given.by} />
      <TextField label="Shop, account or payment" name="subject" value={given.subject} />
      <TextField label="Day" type="date" name="day" value={given.day} />
    </Filters>
  )
}

type Names = ReadonlyMap<string, string>

const RESULTS = { begun: 'still', done: 'good', refused: 'busy', failed: 'bad' } as const

function AuditEntries({ entries, names }: { entries: readonly AuditEntry[]; names: Names }) {
  return (
    <Table
      label="Audit log"
      rows={entries}
      empty={<Empty title="No changes yet">Every change by an operator is recorded here.</Empty>}
      columns={[
        { name: 'No.', class: 'wide number', cell: numbersOf },
        { name: 'Time', class: 'wide one', cell: ({ at }) => <Time at={at} /> },
        {
          name: 'Who',
          class: 'wide any',
          cell: ({ by, role, via }) => (
            <>
              <Theirs>{by}</Theirs>
              <span class="below soft">
                {role}, by {via}
              </span>
            </>
          ),
        },
        { name: 'What', class: 'any', cell: (entry) => <What entry={entry} names={names} /> },
        { name: 'Result', cell: ({ result }) => <Pill tone={RESULTS[result]}>{titled(result)}</Pill> },
        { name: 'Before and after', class: 'wide', cell: (entry) => <Changes entry={entry} /> },
      ]}
    />
  )
}

/** Returns the numbers of a change's entries. */
function numbersOf({ number, of }: AuditEntry): string {
  return of === null ? String(number) : `${of}, ${number}`
}

function What({ entry, names }: { entry: AuditEntry; names: Names }) {
  return (
    <>
      <code>{entry.action}</code>
      {entry.subject !== '' && (
        <span class="below soft">
          <Theirs>{names.get(entry.subject) ?? nameIn(entry) ?? entry.subject}</Theirs>
        </span>
      )}
      <span class="narrow">
        <Changes entry={entry} />
        <span class="soft">
          {numbersOf(entry)} · <Theirs>{entry.by}</Theirs> · <Time at={entry.at} />
        </span>
      </span>
    </>
  )
}

/** Returns the name that a change gave its subject, which may no longer exist. */
function nameIn({ before, after }: AuditEntry): string | undefined {
  const name = after?.['name'] ?? before?.['name']
  return typeof name === 'string' ? name : undefined
}

/** Shows the values before and after. An unchanged value appears once. */
function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <ul class="changed">
      {names.map((name) => {
        const [was, is] = [before?.[name], after?.[name]]
        const isKept = JSON.stringify(was) === JSON.stringify(is)
        return (
          <li key={name}>
            <span class="soft">{name}</span>{' '}
            {was !== undefined && !isKept && (
              <del>
                <AuditValue value={was} />
              </del>
            )}{' '}
            {isKept && <AuditValue value={is} />}
            {is !== undefined && !isKept && (
              <ins>
                <AuditValue value={is} />
              </ins>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Shows a value. An ISO 8601 time appears in the operator's zone. */
function AuditValue({ value }: { value: unknown }) {
  return typeof value === 'string' && INSTANT.test(value) ? (
    <Time at={value} form="full" />
  ) : (
    <Theirs>{Array.isArray(value) ? value.join(', ') || 'none' : String(value)}</Theirs>
  )
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** The most pages of the log that one view verifies. The CLI verifies a longer log to its end. */
const MOST_PAGES = 50

type Verdict = Pick<AuditVerified, 'entries' | 'wrong' | 'head'> & { isWhole: boolean }

async function verify(api: Api): Promise<ApiAnswer<Verdict>> {
  let entries = 0
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const found = await api('verifyAudit', { query: { after } })
    if (!found.ok) return found
    entries += found.value.entries
    const { wrong, head, next } = found.value
    if (wrong !== null || next === null) return { ok: true, value: { entries, wrong, head, isWhole: true } }
    after = next
  }
  return { ok: true, value: { entries, wrong: null, head: null, isWhole: false } }
}

/** Shows the API's verdict on the log, which the API gives a page at a time. */
export const verifyPage: ConsolePage = async (visit) => {
  const found = await verify(visit.api)
  return {
    title: 'Verify the audit log',
    body: (
      <>
        <Head title="Verify the audit log" />
        {found.ok ? <Result value={found.value} /> : <NotShown problem={found.problem} />}
        <p>
          <a href="/console/audit">Back to the log</a>
        </p>
      </>
    ),
  }
}

function Result({ value: { entries, wrong, head, isWhole } }: { value: Verdict }) {
  return wrong === null && entries === 0 ? (
    <Empty title="No changes yet">Every change by an operator is recorded, and verified here.</Empty>
  ) : wrong === null ? (
    <section class="card">
      <p class="notice good">
        {countText(entries)} entries checked.{' '}
        {isWhole
          ? 'The chain is whole.'
          : 'The chain is whole so far. The CLI checks the rest: audit verify.'}
      </p>
      {head !== null && (
        <p>
          The last entry is number {head.number}. Its hash is <code>{head.hash}</code>
        </p>
      )}
    </section>
  ) : (
    <section class="card">
      <p class="notice bad" role="alert">
        Entry {wrong.number} {wrong.reason}.
      </p>
      <p>
        The log was changed outside the hub, or stored wrongly. Keep a copy of it (audit export), and compare
        the daily heads.
      </p>
    </section>
  )
}
