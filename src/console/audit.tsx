import type { AuditEntry, AuditVerified } from '../contract/audit.ts'
import { AUDIT_ACTIONS } from '../contract/operator-operations.ts'
import { dayStart, instantOf, nextDay } from '../platform/pages/zoned-time.ts'
import type { Answer, Api } from './api.ts'
import { countText, titled } from './formats.ts'
import { Choice, Filters, TextField } from './form.tsx'
import { Answered, Empty, Head, NotShown, Pages, Pill, Table, Theirs, Time } from './parts.tsx'
import type { Page } from './visit.ts'

/** Lists every change by an operator, newest first. */
export const auditPage: Page = async (visit) => {
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
          Who changed what. A change has two entries, one before it and one after, which are one row here: 29
          and 30. Each entry has the hash of the one before, so none can be changed or taken out unseen.
        </p>
        <AuditFilters given={given} />
        <Answered answer={found}>
          {({ entries, unfinished, unreadable, next }) => (
            <>
              {unreadable.length > 0 && (
                <p class="bad">Entries that cannot be read: {unreadable.join(', ')}. Verify the chain.</p>
              )}
              <AuditEntries entries={changesOf(entries, unfinished)} names={names} />
              <Pages next={next} />
            </>
          )}
        </Answered>
      </>
    ),
  }
}

/** Returns a day's span. A text that is no day stays as it is, so that the API refuses it. */
function spanOf(day: string, zone: string) {
  const from = instantOf(`${day}T00:00`, zone)
  return from === undefined
    ? { from: day }
    : { from, to: new Date(dayStart(nextDay(day), zone)).toISOString() }
}

/**
 * Shows each change once: its second entry, with the values that the operator wanted, or its first
 * entry where there is no second.
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
      empty={<Empty title="No changes yet">What operators change is written down here.</Empty>}
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

/** Returns the name that a change gave its subject, which may be gone since. */
function nameIn({ before, after }: AuditEntry): string | undefined {
  const name = after?.['name'] ?? before?.['name']
  return typeof name === 'string' ? name : undefined
}

/** Shows what was before and what is after. A value that stayed is shown once. */
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
                <Told value={was} />
              </del>
            )}{' '}
            {isKept && <Told value={is} />}
            {is !== undefined && !isKept && (
              <ins>
                <Told value={is} />
              </ins>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Shows a value; one that is an ISO 8601 time appears in the operator's zone. */
function Told({ value }: { value: unknown }) {
  return typeof value === 'string' && INSTANT.test(value) ? (
    <Time at={value} form="full" />
  ) : (
    <Theirs>{Array.isArray(value) ? value.join(', ') || 'none' : String(value)}</Theirs>
  )
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** How many pages of the log a view verifies; the CLI verifies a longer log to its end. */
const MOST_PAGES = 50

type Verified = Pick<AuditVerified, 'entries' | 'wrong' | 'head'> & { isWhole: boolean }

async function verify(api: Api): Promise<Answer<Verified>> {
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
export const verifyPage: Page = async (visit) => {
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

function Result({ value: { entries, wrong, head, isWhole } }: { value: Verified }) {
  return wrong === null && entries === 0 ? (
    <Empty title="No changes yet">What operators change is written down, and verified here.</Empty>
  ) : wrong === null ? (
    <section class="card">
      <p class="notice good">
        {countText(entries)} entries were looked at.{' '}
        {isWhole ? 'The chain is whole.' : 'So far it is whole; the CLI looks at the rest: audit verify.'}
      </p>
      {head !== null && (
        <p>
          The last is number {head.number}, with the hash <code>{head.hash}</code>
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
        the days' heads.
      </p>
    </section>
  )
}
