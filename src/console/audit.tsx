import type { AuditVerified } from '../contract/audit.ts'
import type { Answer, Api } from './api.ts'
import { countText } from './formats.ts'
import { AuditEntries } from './audit-entries.tsx'
import { Answered, Empty, NotShown } from './parts.tsx'
import type { Page } from './visit.ts'

/** Lists every change by an operator, newest first. */
export const auditPage: Page = async (visit) => {
  const after = visit.url.searchParams.get('after') ?? undefined
  const found = await visit.api('listAudit', { query: { after, limit: '50' } })
  return () => ({
    title: 'Audit',
    section: 'audit',
    body: (
      <>
        <div class="head">
          <h1>Audit log</h1>
          <a class="button small" href="/console/audit/verify">
            Verify the chain
          </a>
        </div>
        <p class="soft">
          Who changed what. Each entry has the hash of the one before, so none can be changed or taken out
          unseen.
        </p>
        <Answered answer={found}>
          {({ entries, next }) => (
            <>
              {entries.length === 0 ? (
                <Empty title="No changes yet">What operators change is written down here.</Empty>
              ) : (
                <AuditEntries entries={entries} visit={visit} />
              )}
              {next !== null && (
                <p class="pages">
                  <a
                    class="button small"
                    rel="next"
                    href={`/console/audit?after=${encodeURIComponent(next)}`}
                  >
                    Older
                  </a>
                </p>
              )}
            </>
          )}
        </Answered>
      </>
    ),
  })
}

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
    section: 'audit',
    body: (
      <>
        <div class="head">
          <h1>Verify the audit log</h1>
        </div>
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
