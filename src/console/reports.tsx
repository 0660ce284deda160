import type { FailingReport, FailingReports, ReportsResent } from '../contract/failing-reports.ts'
import type { Me } from '../contract/operators.ts'
import { type Action, ActionLink } from './action.tsx'
import type { Answer } from './api.ts'
import { FailingShops } from './failing-shops.tsx'
import { countText } from './formats.ts'
import { Answered, Empty, Pill, StatusPill, Table, Theirs, Time } from './parts.tsx'
import { done, type Page, type Visit } from './visit.ts'

const DAY = 86_400_000
/** `resendAll` goes back this far (ms), and asks for at most this many pages at a time. */
const [SPAN, MOST_PAGES] = [30 * DAY, 20]

/** Lists the reports that shops do not accept. */
export const reportsPage: Page = async (visit) => {
  const after = visit.url.searchParams.get('after') ?? undefined
  const found = await visit.api('listFailingReports', { query: { after } })
  return (me) => ({
    title: 'Reports',
    section: 'reports',
    body: (
      <>
        <div class="head">
          <h1>Reports that shops do not take</h1>
          {found.ok && found.value.shops.some(({ givenUp }) => givenUp > 0) && (
            <ActionLink me={me} role="support" href="/console/reports/resend" kind="first">
              Send all given up again
            </ActionLink>
          )}
        </div>
        <Answered answer={found}>{(value) => <Found value={value} me={me} visit={visit} />}</Answered>
      </>
    ),
  })
}

function Found({
  value: { shops, reports, next },
  me,
  visit,
}: {
  value: FailingReports
  me: Me
  visit: Visit
}) {
  return shops.length + reports.length === 0 ? (
    <Empty title="Every shop takes its reports">
      Reports that are owed for more than a minute are listed here.
    </Empty>
  ) : (
    <>
      <section class="card">
        <h2>By shop</h2>
        <ul class="rows">
          <FailingShops shops={shops} visit={visit} />
        </ul>
      </section>
      <Table
        label="Payments whose report is owed"
        head={
          <>
            <th scope="col">Order</th>
            <th scope="col" class="wide">
              Status
            </th>
            <th scope="col" class="wide">
              Shop
            </th>
            <th scope="col" class="wide number">
              Owed since
            </th>
            <th scope="col" class="number">
              Report
            </th>
          </>
        }
      >
        {reports.map((report) => (
          <Row key={report.paymentJob} report={report} me={me} visit={visit} />
        ))}
      </Table>
      {next !== null && (
        <p class="pages">
          <a class="button small" rel="next" href={`/console/reports?after=${encodeURIComponent(next)}`}>
            More
          </a>
        </p>
      )}
    </>
  )
}

/** On a phone CSS hides the `wide` cells, and shows their content in the others as `narrow`. */
function Row({ report, me, visit }: { report: FailingReport; me: Me; visit: Visit }) {
  return (
    <tr>
      <td class="any">
        <a href={`/console/payments/${report.paymentJob}`} data-row>
          <Theirs>{report.orderNumber}</Theirs>
        </a>
        <span class="narrow soft">
          <Theirs>{report.name}</Theirs>
          <br />
          since <Time at={report.owedSince} visit={visit} /> <States report={report} />
        </span>
      </td>
      <td class="wide">
        <States report={report} />
      </td>
      <td class="wide any">
        <Theirs>{report.name}</Theirs>
      </td>
      <td class="wide number">
        <Time at={report.owedSince} visit={visit} />
      </td>
      <td class="number">
        <ActionLink
          me={me}
          role="support"
          href={`/console/payments/${report.paymentJob}/resend`}
          kind="small"
        >
          Send again
        </ActionLink>
      </td>
    </tr>
  )
}

function States({ report: { status, givenUp } }: { report: FailingReport }) {
  return (
    <span class="pills">
      <StatusPill status={status} />
      {givenUp !== null && <Pill tone="bad">Given up</Pill>}
    </span>
  )
}

/** Resends every report that the hub gave up in the last 30 days. */
export const resendAll: Action = {
  role: 'support',
  section: 'reports',
  ask: async ({ api, now }) => {
    const found = await api('listUndeliveredReports', {
      query: { from: new Date(now - SPAN).toISOString(), to: new Date(now).toISOString() },
    })
    if (!found.ok) return found
    const count = found.value.undelivered.length
    return {
      ok: true,
      value: {
        title: 'Send all reports again',
        back: '/console/reports',
        body: (
          <p>
            {count === 200 ? 'At least 200' : countText(count)} reports that were given up in the last 30 days
            are sent again, to each shop its own.
          </p>
        ),
        button: 'Send all again',
      },
    }
  },
  send: async ({ api, now }) => {
    const to = new Date(now).toISOString()
    let from: string | null = new Date(now - SPAN).toISOString()
    for (let page = 0; from !== null && page < MOST_PAGES; page++) {
      const sent: Answer<ReportsResent> = await api('resendUndeliveredReports', { query: { from, to } })
      if (!sent.ok) return { is: 'refused', problem: sent.problem }
      from = sent.value.next
    }
    return done('/console/reports?done=resent-all')
  },
}
