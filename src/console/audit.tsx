import type { AuditEntry, AuditVerified } from '../contract/audit.ts'
import type { Answer, Api } from './api.ts'
import { countText } from './formats.ts'
import { Answered, Empty, Head, NotShown, Pages, Pill, Table, Theirs, Time } from './parts.tsx'
import type { Page, Visit } from './visit.ts'

/** Lists every change by an operator, newest first. */
export const auditPage: Page = async (visit) => {
  const after = visit.url.searchParams.get('after') ?? undefined
  const found = await visit.api('listAudit', { query: { after, limit: '50' } })
  return () => ({
    title: 'Audit',
    body: (
      <>
        <Head title="Audit log">
          <a class="button small" href="/console/audit/verify">
            Verify the chain
          </a>
        </Head>
        <p class="soft">
          Who changed what. Each entry has the hash of the one before, so none can be changed or taken out
          unseen.
        </p>
        <Answered answer={found}>
          {({ entries, unreadable, next }) => (
            <>
              {unreadable.length > 0 && (
                <p class="bad">Entries that cannot be read: {unreadable.join(', ')}. Verify the chain.</p>
              )}
              <AuditEntries entries={entries} visit={visit} />
              <Pages url={visit.url} next={next} />
            </>
          )}
        </Answered>
      </>
    ),
  })
}

const RESULTS: Readonly<Record<AuditEntry['result'], readonly [string, 'good' | 'bad' | 'busy' | 'still']>> =
  {
    begun: ['Begun', 'still'],
    done: ['Done', 'good'],
    refused: ['Refused', 'busy'],
    failed: ['Failed', 'bad'],
  }

function AuditEntries({ entries, visit }: { entries: readonly AuditEntry[]; visit: Visit }) {
  return (
    <Table
      label="Audit log"
      rows={entries}
      empty={<Empty title="No changes yet">What operators change is written down here.</Empty>}
      columns={[
        { name: 'No.', class: 'wide number', cell: ({ number }) => number },
        { name: 'Time', class: 'wide one', cell: ({ at }) => <Time at={at} visit={visit} /> },
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
        { name: 'What', class: 'any', cell: (entry) => <What entry={entry} visit={visit} /> },
        {
          name: 'Result',
          cell: ({ result }) => <Pill tone={RESULTS[result][1]}>{RESULTS[result][0]}</Pill>,
        },
        {
          name: 'Before and after',
          class: 'wide',
          cell: (entry) => <Changes entry={entry} visit={visit} />,
        },
      ]}
    />
  )
}

function What({ entry, visit }: { entry: AuditEntry; visit: Visit }) {
  return (
    <>
      <code>{entry.action}</code>
      {entry.subject !== '' && (
        <span class="below soft">
          <Theirs>{entry.subject}</Theirs>
        </span>
      )}
      <span class="narrow">
        <Changes entry={entry} visit={visit} />
        <span class="soft">
          {entry.number} · <Theirs>{entry.by}</Theirs> · <Time at={entry.at} visit={visit} />
        </span>
      </span>
    </>
  )
}

function Changes({ entry: { before, after }, visit }: { entry: AuditEntry; visit: Visit }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <ul class="changed">
      {names.map((name) => (
        <li key={name}>
          <span class="soft">{name}</span>{' '}
          {before && name in before && (
            <del>
              <Told value={before[name]} visit={visit} />
            </del>
          )}{' '}
          {after && name in after && (
            <ins>
              <Told value={after[name]} visit={visit} />
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Shows a value; one that is an ISO 8601 time appears in the operator's zone. */
function Told({ value, visit }: { value: unknown; visit: Visit }) {
  return typeof value === 'string' && INSTANT.test(value) ? (
    <Time at={value} form="full" visit={visit} />
  ) : (
    <Theirs>{Array.isArray(value) ? value.join(', ') || 'none' : String(value)}</Theirs>
  )
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Bounds the API calls of one view; the CLI verifies a longer log to its end. */
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
  return () => ({
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
  })
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
