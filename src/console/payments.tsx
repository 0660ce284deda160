import type { VNode } from 'preact'
import type { ListedJob } from '../contract/jobs.ts'
import type { PointOfSale } from '../contract/points-of-sale.ts'
import { exportAddress } from './api.ts'
import { instantOf, localOf } from '../platform/pages/zoned-time.ts'
import { plainText } from './formats.ts'
import {
  Amount,
  Answered,
  Choice,
  Empty,
  Field,
  Head,
  Pages,
  Pill,
  StatusPill,
  Table,
  TestMark,
  TextField,
  Theirs,
  Time,
} from './parts.tsx'
import type { Page, Visit } from './visit.ts'

/** Names of the filters, the same in the form, the page's address and the API. */
const NAMES = ['q', 'status', 'pos', 'method', 'account', 'amount', 'from', 'to'] as const
type Filters = Record<(typeof NAMES)[number], string>

function filtersOf(params: URLSearchParams): Filters {
  const of = (name: keyof Filters) => params.get(name)?.trim() ?? ''
  const [q, status, pos, method] = [of('q'), of('status'), of('pos'), of('method')]
  return {
    q,
    status,
    pos,
    method,
    account: of('account'),
    amount: of('amount'),
    from: of('from'),
    to: of('to'),
  }
}

/** Searches the job index by a word and by filters, newest first. */
export const paymentsPage: Page = async (visit) => {
  const { api, url, zone } = visit
  const given = filtersOf(url.searchParams)
  // An invalid time goes to the API as it is, so that the API reports it to the operator.
  const instantIn = (name: 'from' | 'to') => instantOf(given[name], zone) ?? given[name]
  const query = { ...given, from: instantIn('from'), to: instantIn('to') }
  const after = url.searchParams.get('after') ?? undefined
  const [found, shops] = await Promise.all([
    api('searchJobs', { query: { ...query, after } }),
    api('listPointsOfSale'),
  ])
  return () => ({
    title: given.q === '' ? 'Payments' : `${given.q} · Payments`,
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <Head title="Payments">
          <a class="button small" href={exportAddress(query)} download>
            Export CSV
          </a>
        </Head>
        <FilterForm given={given} shops={shops.ok ? shops.value.pointsOfSale : []} visit={visit} />
        <Answered answer={found}>
          {({ jobs, next }) => (
            <>
              <PaymentTable
                jobs={jobs}
                empty={<Nothing given={given} isAll={next === null} />}
                visit={visit}
              />
              <Pages url={url} next={next} />
            </>
          )}
        </Answered>
      </>
    ),
  })
}

const STATUSES = [
  ['', 'Any'],
  ['PENDING', 'Pending'],
  ['SUCCESS', 'Success'],
  ['FAILURE', 'Failure'],
  ['CANCELLED', 'Cancelled'],
  ['EXPIRED', 'Expired'],
] as const

const DAY = 86_400_000

/** Shows the filters. Their times are in the operator's zone. */
function FilterForm({
  given,
  shops,
  visit,
}: {
  given: Filters
  shops: readonly PointOfSale[]
  visit: Visit
}) {
  const used = NAMES.filter((name) => name !== 'q' && given[name] !== '').length
  const today = localOf(visit.now, visit.zone).slice(0, 10)
  // Counts by calendar days, because a day on which clocks change has 23 or 25 hours.
  const yesterday = localOf(Date.parse(today) - DAY, 'UTC').slice(0, 10)
  return (
    <details class="filters" open={used > 0}>
      <summary>{used === 0 ? 'Filter' : `Filter · ${used} set`}</summary>
      <form action="/console/payments">
        {given.q !== '' && <input type="hidden" name="q" value={given.q} />}
        <Field label="Status">
          <Choice name="status" value={given.status} options={STATUSES} />
        </Field>
        <Field label="Shop">
          <Choice
            name="pos"
            value={given.pos}
            options={[['', 'Any'], ...shops.map(({ id, name }) => [id, plainText(name)] as const)]}
          />
        </Field>
        <TextField label="Method" name="method" value={given.method} />
        <TextField label="Account" name="account" value={given.account} />
        <TextField
          label="Amount"
          name="amount"
          inputMode="decimal"
          placeholder="12.50"
          value={given.amount}
        />
        <Field label="From">
          <input type="datetime-local" name="from" value={given.from} />
        </Field>
        <Field label="To">
          <input type="datetime-local" name="to" value={given.to} />
        </Field>
        <p class="buttons">
          <button type="submit" class="first">
            Show
          </button>
          <a class="button" href={`/console/payments?from=${today}T00:00`}>
            Today
          </a>
          <a class="button" href={`/console/payments?from=${yesterday}T00:00&to=${today}T00:00`}>
            Yesterday
          </a>
          {used > 0 && (
            <a
              href={
                given.q === '' ? '/console/payments' : `/console/payments?q=${encodeURIComponent(given.q)}`
              }
            >
              Clear
            </a>
          )}
        </p>
      </form>
    </details>
  )
}

function Nothing({ given, isAll }: { given: Filters; isAll: boolean }) {
  return !isAll ? (
    <Empty title="No payment is like that so far">
      The hub looks through a part of the payments for each page. “Older” looks through the next.
    </Empty>
  ) : NAMES.every((name) => given[name] === '') ? (
    <Empty title="No payments yet">Those that shops create are listed here.</Empty>
  ) : (
    <Empty title="No payment is like that">
      Search by order number or id, payment job, PSP reference or shop.{' '}
      <a href="/console/payments">Show all</a>
    </Empty>
  )
}

function PaymentTable({ jobs, empty, visit }: { jobs: readonly ListedJob[]; empty: VNode; visit: Visit }) {
  return (
    <Table
      label="Payments"
      row="link"
      rows={jobs}
      empty={empty}
      columns={[
        {
          name: 'Amount',
          class: 'number',
          cell: (job) => (
            <>
              <Amount amount={job.amount} currency={job.currency} />
              <span class="narrow soft">
                <Time at={job.created} visit={visit} />
              </span>
            </>
          ),
        },
        { name: 'Status', class: 'wide', cell: (job) => <States job={job} /> },
        {
          name: 'Order',
          class: 'any',
          cell: (job) => (
            <>
              <a href={`/console/payments/${job.id}`} data-row>
                <Theirs>{job.orderNumber}</Theirs>
              </a>
              <span class="narrow soft">
                <Theirs>{job.posName}</Theirs>
                <States job={job} />
              </span>
            </>
          ),
        },
        { name: 'Shop', class: 'wide any', cell: ({ posName }) => <Theirs>{posName}</Theirs> },
        { name: 'Method', class: 'wide', cell: ({ paymentMethod }) => <Theirs>{paymentMethod}</Theirs> },
        { name: 'Account', class: 'wide one', cell: ({ account }) => account },
        { name: 'Created', class: 'wide number', cell: ({ created }) => <Time at={created} visit={visit} /> },
      ]}
    />
  )
}

function States({ job }: { job: ListedJob }) {
  return (
    <span class="pills">
      <StatusPill status={job.status} />
      {job.givenUp ? (
        <Pill tone="bad">Report given up</Pill>
      ) : (
        job.owedSince && <Pill tone="busy">Report owed</Pill>
      )}
      {job.account === 'sandbox' && <TestMark />}
    </span>
  )
}
