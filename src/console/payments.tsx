import type { ListedJob } from '../contract/jobs.ts'
import { exportAddress } from './api.ts'
import { instantOf } from './formats.ts'
import { Answered, Empty, Amount, Pill, StatusPill, Table, TestMark, Theirs, Time } from './parts.tsx'
import { type Filters, FilterForm, NAMES } from './payment-filters.tsx'
import type { Page, Visit } from './visit.ts'

/** Searches the job index by a word and by filters, newest first. */
export const paymentsPage: Page = async (visit) => {
  const { api, url, zone } = visit
  const of = (name: keyof Filters) => url.searchParams.get(name)?.trim() ?? ''
  const given: Filters = {
    q: of('q'),
    status: of('status'),
    pos: of('pos'),
    method: of('method'),
    account: of('account'),
    amount: of('amount'),
    from: of('from'),
    to: of('to'),
  }
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
    section: 'payments',
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <div class="head">
          <h1>Payments</h1>
          <a class="button small" href={exportAddress(query)} download>
            Export CSV
          </a>
        </div>
        <FilterForm given={given} shops={shops.ok ? shops.value.pointsOfSale : []} visit={visit} />
        <Answered answer={found}>
          {({ jobs, next }) => (
            <>
              {jobs.length === 0 ? (
                <Nothing given={given} isAll={next === null} />
              ) : (
                <PaymentTable jobs={jobs} visit={visit} />
              )}
              <Pages url={url} next={next} />
            </>
          )}
        </Answered>
      </>
    ),
  })
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

function Pages({ url, next }: { url: URL; next: string | null }) {
  const to = (after: string | null): string => {
    const params = new URLSearchParams(url.searchParams)
    params.delete('after')
    if (after !== null) params.set('after', after)
    return `${url.pathname}?${params.toString()}`
  }
  if (next === null && !url.searchParams.has('after')) return null
  return (
    <p class="pages">
      {url.searchParams.has('after') && (
        <a class="button small" href={to(null)}>
          Newest
        </a>
      )}
      {next !== null && (
        <a class="button small" rel="next" href={to(next)}>
          Older
        </a>
      )}
    </p>
  )
}

function PaymentTable({ jobs, visit }: { jobs: readonly ListedJob[]; visit: Visit }) {
  return (
    <Table
      label="Payments"
      head={
        <>
          <th scope="col" class="number">
            Amount
          </th>
          <th scope="col" class="wide">
            Status
          </th>
          <th scope="col">Order</th>
          <th scope="col" class="wide">
            Shop
          </th>
          <th scope="col" class="wide">
            Method
          </th>
          <th scope="col" class="wide">
            Account
          </th>
          <th scope="col" class="wide number">
            Created
          </th>
        </>
      }
    >
      {jobs.map((job) => (
        <PaymentRow key={job.id} job={job} visit={visit} />
      ))}
    </Table>
  )
}

/** On a phone CSS hides the `wide` cells, and shows their content in the others as `narrow`. */
function PaymentRow({ job, visit }: { job: ListedJob; visit: Visit }) {
  return (
    <tr class="link">
      <td class="number">
        <Amount amount={job.amount} currency={job.currency} />
        <span class="narrow soft">
          <Time at={job.created} visit={visit} />
        </span>
      </td>
      <td class="wide">
        <States job={job} />
      </td>
      <td class="any">
        <a href={`/console/payments/${job.id}`} data-row>
          <Theirs>{job.orderNumber}</Theirs>
        </a>
        <span class="narrow soft">
          <Theirs>{job.posName}</Theirs>
          <States job={job} />
        </span>
      </td>
      <td class="wide any">
        <Theirs>{job.posName}</Theirs>
      </td>
      <td class="wide">
        <Theirs>{job.paymentMethod}</Theirs>
      </td>
      <td class="wide one">{job.account}</td>
      <td class="wide number">
        <Time at={job.created} visit={visit} />
      </td>
    </tr>
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
