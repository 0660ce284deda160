import type { VNode } from 'preact'
import { FINDABLE, type ListedJob, OF_ONE_MODE, type OperatorJobList } from '../../contract/job-search.ts'
import { OPERATOR_OPERATIONS } from '../../contract/operator-operations.ts'
import { type PointOfSale, usualMode } from '../../contract/points-of-sale.ts'
import { FIGURES, figuresWith } from '../../contract/money-figures.ts'
import { DAY } from '../../contract/timestamp.ts'
import { ok } from '../../contract/result.ts'
import { readSearchedAmount } from '../../contract/typed-amount.ts'
import { Status } from '../../contract/values.ts'
import { exportAddress, refused } from '../plumbing/api.ts'
import { instantOf, localOf } from '../../platform/pages/zoned-time.ts'
import { Choice, Filters as FilterForm, TextField, Tick } from '../parts/form.tsx'
import { plainText, titled } from '../parts/formats.ts'
import {
  AnswerView,
  Empty,
  Head,
  MoneyPills,
  Pages,
  Pill,
  ReservedPill,
  Sum,
  Table,
  TestMark,
  Theirs,
  Time,
  To,
} from '../parts/parts.tsx'
import { type ConsolePage, seeOther, useVisit } from '../plumbing/visit.ts'

const PATH = '/console/payments'

/** The filters have the same names in the form, the page's address and the API. */
const { limit: _limit, after: _after, ...SEARCH } = OPERATOR_OPERATIONS.searchJobs.query.entries
type Filters = Record<keyof typeof SEARCH, string>

/** Reads the filters; each chosen status is a parameter of its own. */
function filtersOf(params: URLSearchParams): Filters {
  const given = Object.keys(SEARCH).map((name) => [name, params.getAll(name).join(',').trim()])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript keeps no names of entries
  return Object.fromEntries(given) as Filters
}

/** Searches the job index by a word and by filters, newest first. */
export const paymentsPage: ConsolePage = async (visit) => {
  const { api, url, zone } = visit
  const given = filtersOf(url.searchParams)
  const shops = await api('listPointsOfSale')
  const pointsOfSale = shops.ok ? shops.value.pointsOfSale : []
  // A search for one thing finds it in either mode.
  const isOfOne = OF_ONE_MODE.some((name) => given[name] !== '')
  const mode = given.mode || (isOfOne ? 'all' : usualMode(pointsOfSale))
  // An invalid time goes to the API as it is, so that the API reports it to the operator.
  const instantIn = (name: 'from' | 'to') => instantOf(given[name], zone) ?? given[name]
  const amount = given.amount === '' ? ok('') : readSearchedAmount(given.amount)
  const query = {
    ...given,
    mode,
    amount: amount.ok ? amount.value : given.amount,
    from: instantIn('from'),
    to: instantIn('to'),
  }
  const after = url.searchParams.get('after') ?? undefined
  const found = amount.ok
    ? await api('searchJobs', { query: { ...query, after } })
    : refused(`The amount ${amount.error}.`)
  const only = found.ok ? theOneOf(found.value, given) : null
  if (only !== null) return seeOther(`/console/payments/${only}`)
  const isNothing = found.ok && found.value.jobs.length === 0 && found.value.next === null
  const other = mode === 'live' ? 'test' : 'live'
  const others =
    isNothing && mode !== 'all' && (await api('searchJobs', { query: { ...query, mode: other, limit: '1' } }))
  const inMode = (name: string) => {
    const params = new URLSearchParams(url.searchParams)
    params.delete('after')
    params.set('mode', name)
    return `${PATH}?${params.toString()}`
  }
  return {
    title: given.q === '' ? 'Payments' : `${given.q} · Payments`,
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <Head title="Payments" modes="both" mode={mode} inMode={inMode} />
        <PaymentFilters given={given} shops={pointsOfSale} />
        <Exports query={query} />
        <AnswerView answer={found}>
          {({ jobs, next }) => (
            <>
              <PaymentTable
                jobs={jobs}
                empty={
                  others && others.ok && others.value.jobs.length > 0 ? (
                    <Empty title={`No ${mode} payments`}>
                      There are payments in {other} mode. <a href={inMode(other)}>Show them</a>
                    </Empty>
                  ) : (
                    <Nothing given={given} isAll={next === null} />
                  )
                }
              />
              <Pages next={next} />
            </>
          )}
        </AnswerView>
      </>
    ),
  }
}

/** Links to files of the payments found and of their money, with decimal points or commas. */
function Exports({ query }: { query: Filters }) {
  const comma = { separator: 'semicolon' }
  const files = [
    ['Payments, 12.50', exportAddress('exportJobs', query)],
    ['Payments, 12,50', exportAddress('exportJobs', { ...query, ...comma })],
    ['Money, 12.50', exportAddress('exportMovements', moneyOf(query))],
    ['Money, 12,50', exportAddress('exportMovements', { ...moneyOf(query), ...comma })],
  ] as const
  return (
    <details class="filters">
      <summary>Export CSV of all results</summary>
      <p class="buttons">
        {files.map(([text, address]) => (
          <a key={text} class="button small" href={address} download>
            {text}
          </a>
        ))}
      </p>
    </details>
  )
}

/** Returns the id of the only payment found, if the search has its number or id. */
function theOneOf({ jobs, next }: OperatorJobList, { q, ...filters }: Filters): string | null {
  const [job, another] = jobs
  if (!job || another || next !== null || Object.values(filters).some((one) => one !== '')) return null
  return [job.orderNumber, job.orderId, job.reference].includes(q) || q.includes(job.id) ? job.id : null
}

/** Returns the filters that the export of movements has too. */
function moneyOf({ mode, pos, account, currency, from, to, month }: Filters) {
  return { mode, pos, account, currency, from, to, month }
}

/** Shows the filters. Their times are in the operator's zone. */
function PaymentFilters({ given, shops }: { given: Filters; shops: readonly PointOfSale[] }) {
  const { now, zone } = useVisit()
  const today = localOf(now, zone).slice(0, 10)
  // Counts by calendar days, because a day on which clocks change has 23 or 25 hours.
  const yesterday = localOf(Date.parse(today) - DAY, 'UTC').slice(0, 10)
  const kept = (['q', 'mode'] as const).filter((name) => given[name] !== '')
  const keeping = new URLSearchParams(kept.map((name) => [name, given[name]])).toString()
  const links = [
    ['Today', `from=${today}T00:00`],
    ['Yesterday', `from=${yesterday}T00:00&to=${today}T00:00`],
    ['Last month', `month=${monthBefore(today)}`],
  ] as const
  return (
    <FilterForm
      path={PATH}
      clear={keeping === '' ? PATH : `${PATH}?${keeping}`}
      used={Object.values({ ...given, q: '', mode: '' }).filter((one) => one !== '').length}
      links={links.map(([text, query]) => (
        <a
          key={text}
          class="button"
          href={`${PATH}?${query}${given.mode && `&mode=${encodeURIComponent(given.mode)}`}`}
        >
          {text}
        </a>
      ))}
    >
      {kept.map((name) => (
        <input key={name} type="hidden" name={name} value={given[name]} />
      ))}
      <fieldset class="field">
        <legend>Status</legend>
        {Status.options.map((status) => (
          <Tick
            key={status}
            name="status"
            value={status}
            isOn={given.status.split(',').includes(status)}
            label={titled(status)}
          />
        ))}
      </fieldset>
      <Choice
        label="Shop"
        name="pos"
        value={given.pos}
        options={[['', 'Any'], ...shops.map(({ id, name }) => [id, plainText(name)] as const)]}
      />
      <TextField label="Method" name="method" value={given.method} />
      <TextField label="Account" name="account" value={given.account} />
      <TextField label="Amount" name="amount" inputMode="decimal" placeholder="12.50" value={given.amount} />
      <TextField label="Currency" name="currency" maxLength={3} placeholder="EUR" value={given.currency} />
      <fieldset class="field">
        <legend>Only</legend>
        <Tick name="failing" value="1" isOn={given.failing !== ''} label="Report not taken by the shop" />
        {figuresWith('search').map((name) => {
          const { column, word } = FIGURES[name]
          return <Tick key={name} name={column} value="1" isOn={given[column] !== ''} label={titled(word)} />
        })}
        <Tick
          name="ends_within"
          value="24h"
          isOn={given.ends_within !== ''}
          label="Reservation ends within a day"
        />
      </fieldset>
      <TextField label="From" type="datetime-local" name="from" value={given.from} />
      <TextField label="To" type="datetime-local" name="to" value={given.to} />
    </FilterForm>
  )
}

/** Returns the month before that of a day: `2025-12` for `2026-01-31`. */
function monthBefore(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7)
}

function Nothing({ given, isAll }: { given: Filters; isAll: boolean }) {
  return !isAll ? (
    <Empty title="No payment found so far">
      The hub searches the payments part by part. “Older” searches the next part.
    </Empty>
  ) : Object.values({ ...given, mode: '' }).every((one) => one === '') ? (
    <Empty title="No payments yet">Payments that shops create appear here.</Empty>
  ) : (
    <Empty title="No payment found">
      {FINDABLE} <a href="/console/payments">Show all</a>
    </Empty>
  )
}

function PaymentTable({ jobs, empty }: { jobs: readonly ListedJob[]; empty: VNode }) {
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
              <Sum money={job} currency={job.currency} />
              <span class="narrow soft">
                <Time at={job.created} />
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
              <To href={`/console/payments/${job.id}`} isRow text={job.orderNumber} />
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
        { name: 'Created', class: 'wide number', cell: ({ created }) => <Time at={created} /> },
      ]}
    />
  )
}

function States({ job }: { job: ListedJob }) {
  return (
    <span class="pills">
      <MoneyPills money={job} currency={job.currency} />
      {job.givenUp ? (
        <Pill tone="bad">Report given up</Pill>
      ) : (
        job.owedSince && <Pill tone="busy">Report failing</Pill>
      )}
      {job.captureBefore && <ReservedPill until={job.captureBefore} />}
      {job.alsoPaidBy && <Pill tone="bad">Order paid again</Pill>}
      {job.mode === 'test' && <TestMark />}
    </span>
  )
}
