import type { FailingReport, FailingReports, FailingShop } from '../contract/failing-reports.ts'
import { usualMode } from '../contract/points-of-sale.ts'
import { DAY } from '../contract/timestamp.ts'
import { Mode } from '../contract/values.ts'
import { ActionLink, action, idOf } from './action.tsx'
import { pageByPage } from './api.ts'
import { countText } from './formats.ts'
import {
  AnswerView,
  Empty,
  Head,
  Pages,
  Pill,
  StatusPill,
  Table,
  TestMark,
  Theirs,
  Time,
  To,
} from './parts.tsx'
import type { ConsolePage, Visit } from './visit.ts'

/** Lists the reports that shops do not accept. */
export const reportsPage: ConsolePage = async (visit) => {
  const { searchParams } = visit.url
  const after = searchParams.get('after') ?? undefined
  const shops = await visit.api('listPointsOfSale')
  const usual = shops.ok ? usualMode(shops.value.pointsOfSale) : 'live'
  const mode = Mode.options.find((name) => name === searchParams.get('mode')) ?? usual
  const found = await visit.api('listFailingReports', { query: { mode, after, limit: '25' } })
  return {
    title: 'Reports',
    body: (
      <>
        <Head
          title="Reports that shops do not take"
          mode={mode}
          inMode={(name) => `/console/reports?mode=${name}`}
        >
          {found.ok && found.value.shops.some(({ givenUp }) => givenUp > 0) && (
            <ActionLink does="resendUndeliveredReports" kind="first" text="Send all given up again" />
          )}
        </Head>
        <AnswerView answer={found}>{(value) => <FailingList value={value} />}</AnswerView>
      </>
    ),
  }
}

function FailingList({ value: { shops, reports, next } }: { value: FailingReports }) {
  return shops.length + reports.length === 0 ? (
    <Empty title="Every shop takes its reports">
      Reports that fail for more than a minute are listed here.
    </Empty>
  ) : (
    <>
      <section class="card">
        <h2>By shop</h2>
        <ul class="rows">
          <FailingShops shops={shops} />
        </ul>
      </section>
      <Table
        label="Payments whose report fails"
        rows={reports}
        columns={[
          {
            name: 'Order',
            class: 'any',
            cell: (report) => (
              <>
                <To href={`/console/payments/${report.paymentJob}`} isRow text={report.orderNumber} />
                <span class="narrow soft">
                  <Theirs>{report.name}</Theirs>
                  <br />
                  since <Time at={report.owedSince} /> <States report={report} />
                </span>
              </>
            ),
          },
          { name: 'Status', class: 'wide', cell: (report) => <States report={report} /> },
          { name: 'Shop', class: 'wide any', cell: ({ name }) => <Theirs>{name}</Theirs> },
          { name: 'Failing since', class: 'wide number', cell: ({ owedSince }) => <Time at={owedSince} /> },
          {
            name: 'Report',
            class: 'number',
            cell: ({ paymentJob }) => (
              <ActionLink does="resendReport" id={paymentJob} kind="small" text="Send again" />
            ),
          },
        ]}
      />
      <Pages next={next} more="More" />
    </>
  )
}

function States({ report: { status, givenUp, mode } }: { report: FailingReport }) {
  return (
    <span class="pills">
      <StatusPill status={status} />
      {givenUp !== null && <Pill tone="bad">Given up</Pill>}
      {mode === 'test' && <TestMark />}
    </span>
  )
}

/** Lists shops that do not accept their reports; the caller supplies the `ul`. */
export function FailingShops({ shops }: { shops: readonly FailingShop[] }) {
  return (
    <>
      {shops.map(({ pos, name, mode, owed, givenUp, since, lastOutcome }) => (
        <li key={pos}>
          <To href={`/console/points-of-sale/${pos}`} text={name} />
          <span class="soft">
            {mode === 'test' && <TestMark />} {countText(owed)} {owed === 1 ? 'report fails' : 'reports fail'}
            {givenUp > 0 && `, ${countText(givenUp)} given up`}
            {lastOutcome !== null && (
              <>
                , last answer{' '}
                <b>
                  <Theirs>{lastOutcome}</Theirs>
                </b>
              </>
            )}
          </span>
          <span class="since">
            since <Time at={since} />
          </span>
        </li>
      ))}
    </>
  )
}

/** Returns the last 30 days. */
function spanOf({ now }: Visit) {
  return { from: new Date(now - 30 * DAY).toISOString(), to: new Date(now).toISOString() }
}

/** Resends every report that the hub gave up in the last 30 days. */
export const resendAll = action({
  does: 'resendUndeliveredReports',
  ask: async (visit) => {
    const found = await visit.api('listUndeliveredReports', { query: spanOf(visit) })
    if (!found.ok) return found
    const count = found.value.undelivered.length
    return {
      title: 'Send all reports again',
      body: (
        <p>
          {count === 200 ? 'At least 200' : countText(count)} reports that the hub gave up in the last 30 days
          are sent again, each to its shop.
        </p>
      ),
    }
  },
  send: async (visit) => {
    const span = spanOf(visit)
    return pageByPage((from = span.from) =>
      visit.api('resendUndeliveredReports', { query: { ...span, from } }),
    )
  },
})

/** Resends every report that a shop has not taken. */
export const resendOfShop = action({
  does: 'resendReportsOfShop',
  ask: {
    title: 'Send all reports again',
    body:
      'The hub sends every report that the shop has not taken at once, including those that it gave up. ' +
      "First make sure that the shop's receiver works again.",
  },
  send: (visit) => {
    const params = { id: idOf(visit) }
    const until = new Date(visit.now).toISOString()
    return pageByPage((after) => visit.api('resendReportsOfShop', { params, query: { until, after } }))
  },
})
