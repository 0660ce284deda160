import { plainText } from './formats.ts'
import type { PointOfSale } from '../operator-api/contract/points-of-sale.ts'
import { type Listed, exportAddress } from './api.ts'
import { Choice, Field } from './fields.tsx'
import { instantOf, localOf } from './local-time.ts'
import { Amount, Answered, Empty, Pill, StatusPill, Table, TestMark, Theirs, Time } from './parts.tsx'
import type { Page, Visit } from './visit.ts'

const NAMES = ['q', 'status', 'pos', 'method', 'account', 'amount', 'from', 'to'] as const
type Filters = Record<(typeof NAMES)[number], string>

const STATUSES = [
  ['', 'Any'],
  ['PENDING', 'Pending'],
  ['SUCCESS', 'Success'],
  ['FAILURE', 'Failure'],
  ['CANCELLED', 'Cancelled'],
  ['EXPIRED', 'Expired'],
] as const

const DAY = 86_400_000

/** Payments as the index has them, newest first: by a word, and by filters. */
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
  const query = { ...given, from: instantOf(given.from, zone), to: instantOf(given.to, zone) }
  const after = url.searchParams.get('after') ?? undefined
  const [found, shops] = await Promise.all([api.payments({ ...query, after }), api.pointsOfSale()])
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
              {jobs.length === 0 ? <Nothing given={given} /> : <PaymentTable jobs={jobs} visit={visit} />}
              <Pages url={url} next={next} />
            </>
          )}
        </Answered>
      </>
    ),
  })
}

const FilterForm = ({
  given,
  shops,
  visit,
}: {
  given: Filters
  shops: readonly PointOfSale[]
  visit: Visit
}) => {
  const used = NAMES.filter((name) => name !== 'q' && given[name] !== '').length
  const today = localOf(visit.now, visit.zone).slice(0, 10)
  const yesterday = localOf(visit.now - DAY, visit.zone).slice(0, 10)
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
        <Field label="Method">
          <input name="method" value={given.method} autocomplete="off" spellcheck={false} />
        </Field>
        <Field label="Account">
          <input name="account" value={given.account} autocomplete="off" spellcheck={false} />
        </Field>
        <Field label="Amount">
          <input
            name="amount"
            value={given.amount}
            inputMode="decimal"
            autocomplete="off"
            placeholder="12.50"
          />
        </Field>
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

const Nothing = ({ given }: { given: Filters }) =>
  NAMES.every((name) => given[name] === '') ? (
    <Empty title="No payments yet">Those that shops create are listed here.</Empty>
  ) : (
    <Empty title="No payment is like that">
      Search by order number or id, payment job, PSP reference or shop.{' '}
      <a href="/console/payments">Show all</a>
    </Empty>
  )

export const PaymentTable = ({ jobs, visit }: { jobs: readonly Listed[]; visit: Visit }) => (
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

/** On a phone the row has two cells: what stands in the others is below. */
const PaymentRow = ({ job, visit }: { job: Listed; visit: Visit }) => (
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
        <Theirs>{job.posName ?? job.pos}</Theirs>
        <States job={job} />
      </span>
    </td>
    <td class="wide any">
      <Theirs>{job.posName ?? job.pos}</Theirs>
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

const States = ({ job }: { job: Listed }) => (
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

const Pages = ({ url, next }: { url: URL; next: string | null }) => {
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
