import type { FailingReport, FailingReports, FailingShop } from '../../contract/failing-reports.ts'
import { usualMode } from '../../contract/points-of-sale.ts'
import { DAY } from '../../contract/timestamp.ts'
import { Mode } from '../../contract/values.ts'
import { changes } from '../plumbing/action.tsx'
import { ActionLink } from '../plumbing/question.tsx'
import { countText } from '../parts/formats.ts'
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
} from '../parts/parts.tsx'
import type { ConsolePage } from '../plumbing/visit.ts'

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

export const REPORT_CHANGES = changes(
  '/console/reports',
  {
    resendUndeliveredReports: {
      query: ({ now }, from = new Date(now - 30 * DAY).toISOString()) => ({
        from,
        to: new Date(now).toISOString(),
      }),
    },
  },
  () => <>Those of the last 30 days.</>,
)
