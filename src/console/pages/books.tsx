import type {
  BookedPayout,
  BooksMonth,
  OpenPayments,
  PayoutLines,
  PayoutsOfJob,
} from '../../contract/books.ts'
import { changes, idOf } from '../plumbing/action.tsx'
import type { ApiAnswer } from '../plumbing/api.ts'
import { ActionLink } from '../plumbing/question.tsx'
import { titled } from '../parts/formats.ts'
import {
  Amount,
  AnswerView,
  Code,
  type Column,
  Empty,
  Head,
  Pages,
  Pill,
  Table,
  TestMark,
  Theirs,
  Time,
  To,
  problemView,
} from '../parts/parts.tsx'
import type { ConsolePage, Visit } from '../plumbing/visit.ts'

const BOOKS = '/console/books'

function monthAddress({ month, mode }: Pick<BooksMonth, 'month' | 'mode'>): string {
  return `${BOOKS}?month=${month}&mode=${mode}`
}

function payoutAddress({ account, id }: Pick<BookedPayout, 'account' | 'id'>): string {
  return `${BOOKS}/${encodeURIComponent(id)}?account=${encodeURIComponent(account)}`
}

/** Shows the payouts of a month, and whether they are explained to the cent. */
export const booksPage: ConsolePage = async (visit) => {
  const { searchParams } = visit.url
  const month = searchParams.get('month') ?? new Date(visit.now).toISOString().slice(0, 7)
  const asked = searchParams.get('mode') ?? undefined
  // The API refuses an unknown mode.
  const found = await visit.api('showMonth', { params: { month }, query: { mode: asked } })
  const mode = found.ok ? found.value.mode : asked
  return {
    title: 'Books',
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <Head
          title={`Books of ${month}`}
          mode={mode ?? ''}
          inMode={(name) => `${BOOKS}?month=${month}&mode=${name}`}
        >
          {found.ok && <Closing books={found.value} now={visit.now} />}
          {mode === 'test' && <TestMark />}
        </Head>
        <form action={BOOKS}>
          <p class="buttons">
            {mode !== undefined && <input type="hidden" name="mode" value={mode} />}
            <label>
              Month <input type="month" name="month" value={month} pattern="[0-9]{4}-[0-9]{2}" required />
            </label>
            <button type="submit">Show</button>
          </p>
        </form>
        <p>
          <a href={`${OPEN}?mode=${mode ?? ''}`}>Payments that are in no payout yet</a>
        </p>
        <AnswerView answer={found}>{(books) => <Month books={books} />}</AnswerView>
      </>
    ),
  }
}

const OPEN = `${BOOKS}/open`

/** Shows the payments of every account that are in no payout yet. */
export const openPage: ConsolePage = async (visit) => {
  const given = visit.url.searchParams.get('mode') || undefined
  const found = await visit.api('listOpenPayments', { query: { mode: given } })
  const mode = found.ok ? found.value.mode : (given ?? '')
  return {
    title: 'In no payout yet · Books',
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <Head title="In no payout yet" mode={mode} inMode={(name) => `${OPEN}?mode=${name}`}>
          {mode === 'test' && <TestMark />}
        </Head>
        <AnswerView answer={found}>{(open) => <Open open={open} />}</AnswerView>
      </>
    ),
  }
}

function Open({ open: { jobs, more } }: { open: OpenPayments }) {
  return (
    <>
      <Table
        label="Payments"
        row="link"
        rows={jobs}
        empty={<Empty title="Every payment is in a payout" />}
        columns={[
          {
            name: 'Paid',
            class: 'number',
            cell: ({ paid, currency }) => <Amount amount={paid} currency={currency} />,
          },
          {
            name: 'Order',
            class: 'any',
            isName: true,
            cell: ({ id, orderNumber }) => <To href={`/console/payments/${id}`} isRow text={orderNumber} />,
          },
          { name: 'Account', cell: ({ account }) => account },
          { name: 'Created', class: 'number', cell: ({ created }) => <Time at={created} /> },
        ]}
      />
      {more && <p>There are more. See those of one account: hub books open --account ACCOUNT.</p>}
    </>
  )
}

type ClosingProps = { books: BooksMonth; now: number }

/** Closes a month that is over, or reopens the last closed one. */
function Closing({ books: { month, mode, over, closed, laterClosed }, now }: ClosingProps) {
  const query = `?mode=${mode}`
  if (closed)
    return laterClosed === null ? (
      <ActionLink does="reopenMonth" id={month} query={query} text="Reopen the month" />
    ) : null
  return Date.parse(over) <= now ? (
    <ActionLink does="closeMonth" id={month} query={query} text="Close the month" />
  ) : (
    <p class="soft">
      Can be closed from <Time at={over} />
    </p>
  )
}

function Month({ books: { payouts, closed } }: { books: BooksMonth }) {
  return (
    <>
      {closed && (
        <p class="notice">
          Closed by <Theirs>{closed.by}</Theirs>, <Time at={closed.at} />
          {closed.note !== '' && (
            <>
              : <Theirs>{closed.note}</Theirs>
            </>
          )}
        </p>
      )}
      <Table
        label="Payouts"
        row="link"
        rows={payouts}
        empty={
          <Empty title="No payouts in this month">
            Each morning the hub fetches payouts from the PSPs that list them. Import those of the others: hub
            books import.
          </Empty>
        }
        columns={[
          { name: 'Paid', cell: ({ paid }) => <Time at={paid} /> },
          {
            name: 'Payout',
            class: 'cut',
            isName: true,
            cell: (payout) => <To href={payoutAddress(payout)} isRow text={payout.id} />,
          },
          ...(payouts.some(({ corrects }) => corrects !== null) ? [CORRECTS] : []),
          ...(payouts.some(({ returned }) => returned !== null) ? [RETURNED] : []),
          { name: 'Account', class: 'wide', cell: ({ account }) => account },
          { name: 'Amount', class: 'number', cell: (payout) => <Amount {...payout} /> },
          {
            name: 'Fees',
            class: 'wide number',
            cell: ({ fees, currency }) => <Amount amount={fees} currency={currency} />,
          },
          { name: 'Difference', class: 'number', cell: (payout) => <Difference payout={payout} /> },
          { name: 'Not explained', class: 'number', cell: ({ findings }) => findings || '–' },
        ]}
      />
    </>
  )
}

const CORRECTS: Column<BookedPayout> = { name: 'Corrects', cell: ({ corrects }) => corrects ?? '–' }

const RETURNED: Column<BookedPayout> = {
  name: 'Returned by the bank',
  cell: ({ returned }) => (returned === null ? '–' : <Time at={returned} />),
}

/** Shows how much of a payout its lines leave over. Zero is good only if each line is explained. */
function Difference({ payout: { difference, currency, findings } }: { payout: BookedPayout }) {
  const amount = <Amount amount={difference} currency={currency} />
  if (Number(difference) !== 0) return <Pill tone="bad">{amount}</Pill>
  return findings === 0 ? <Pill tone="good">{amount}</Pill> : amount
}

/** Shows what is in a payout, line by line, down to each payment. */
export const payoutPage: ConsolePage = async (visit) => {
  const { searchParams } = visit.url
  const query = {
    account: searchParams.get('account') ?? undefined,
    findings: searchParams.get('findings') === '1' ? ('1' as const) : undefined,
    after: searchParams.get('after') ?? undefined,
  }
  const found = await visit.api('showPayout', { params: { id: idOf(visit) }, query })
  if (!found.ok) return problemView('This payout cannot be shown', found.problem)
  const { payout, lines, next } = found.value
  return {
    title: `${payout.id} · Books`,
    body: (
      <>
        <div class="subject">
          <p class="soft">
            <a href={monthAddress(payout)}>{payout.month}</a> · {payout.account} · <Time at={payout.paid} />{' '}
            {payout.mode === 'test' && <TestMark />}
          </p>
          <h1>
            <Theirs>{payout.id}</Theirs>
          </h1>
          <p class="sum">
            <Amount {...payout} />
            {(payout.findings === 0 || Number(payout.difference) !== 0) && <Difference payout={payout} />}
            {payout.findings > 0 && <Pill tone="bad">{payout.findings} not explained</Pill>}
            {payout.returned !== null && <Pill tone="bad">Returned by the bank</Pill>}
          </p>
        </div>
        <p>
          {payout.corrects !== null && `Corrects ${payout.corrects}, whose month is closed. `}
          {payout.lines === 1 ? '1 line' : `${payout.lines} lines`}, {payout.findings} of them not explained.{' '}
          {query.findings ? (
            <a href={payoutAddress(payout)}>All lines</a>
          ) : (
            payout.findings > 0 && <a href={`${payoutAddress(payout)}&findings=1`}>Only those</a>
          )}
        </p>
        <Lines lines={lines} currency={payout.currency} />
        <Pages next={next} more="Next lines" />
      </>
    ),
  }
}

/** Why a line is not explained; docs/operating/books.md says what to do. */
const FINDINGS: Readonly<Record<NonNullable<PayoutLines['lines'][number]['finding']>, string>> = {
  unknown: 'Unknown here',
  'amount-differs': 'Another amount',
  'refund-missing': 'Refund missing',
  'fee-unusual': 'Unusual fee',
  'payout-returned': 'Payout returned',
}

function Lines({ lines, currency }: { lines: PayoutLines['lines']; currency: string }) {
  const money = (amount: string) => <Amount amount={amount} currency={currency} />
  return (
    <Table
      label="Lines"
      rows={lines}
      empty={<Empty title="No lines" />}
      columns={[
        { name: 'Kind', cell: ({ kind }) => titled(kind) },
        {
          name: 'Payment',
          class: 'any',
          isName: true,
          cell: ({ job, orderNumber, reference, text }) =>
            job === null ? (
              <Theirs>{orderNumber ?? reference ?? text}</Theirs>
            ) : (
              <To href={`/console/payments/${job}`} text={orderNumber ?? job} />
            ),
        },
        { name: 'Gross', class: 'number', cell: ({ gross }) => money(gross) },
        { name: 'Fee', class: 'number', cell: ({ fee }) => money(fee) },
        { name: 'Net', class: 'wide number', cell: ({ net }) => money(net) },
        {
          name: 'PSP reference',
          class: 'wide',
          cell: ({ reference }) => reference && <Code>{reference}</Code>,
        },
        {
          name: 'Not explained',
          cell: ({ finding }) => finding && <Pill tone="bad">{FINDINGS[finding]}</Pill>,
        },
      ]}
    />
  )
}

/** Shows the payouts that contain a payment's money, and the fees that the PSP kept. */
export function PaidOut({ answer }: { answer: ApiAnswer<PayoutsOfJob> }) {
  if (answer.ok && answer.value.lines.length === 0) return null
  return (
    <section class="card" data-part="payouts">
      <h2>Payouts</h2>
      <AnswerView answer={answer}>
        {({ lines }) => (
          <Table
            label="Payouts"
            rows={lines}
            columns={[
              { name: 'Paid', cell: ({ paid }) => <Time at={paid} /> },
              {
                name: 'Payout',
                class: 'any',
                isName: true,
                cell: ({ payout, account }) => (
                  <To href={payoutAddress({ account, id: payout })} text={payout} />
                ),
              },
              { name: 'Kind', cell: ({ kind }) => titled(kind) },
              {
                name: 'Gross',
                class: 'number',
                cell: ({ gross, currency }) => <Amount amount={gross} currency={currency} />,
              },
              {
                name: 'Fee',
                class: 'number',
                cell: ({ fee, currency }) => <Amount amount={fee} currency={currency} />,
              },
            ]}
          />
        )}
      </AnswerView>
    </section>
  )
}

/** The form keeps the mode of the page. */
function ofPage({ url }: Visit) {
  return { mode: { value: url.searchParams.get('mode') ?? '' } }
}

export const BOOKS_CHANGES = changes(BOOKS, {
  closeMonth: { fields: ofPage, at: monthAddress },
  reopenMonth: { fields: ofPage, at: monthAddress },
})
