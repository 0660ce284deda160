import { useEffect, useState } from 'preact/hooks'
import type { ListedPaymentJob, PaymentJob } from '../contract/payment-job.ts'
import { shownText } from '../platform/pages/formats.ts'
import { Sure } from './actions.tsx'
import { type Cash, cashOf, removeCash } from './cash.ts'
import { DrawerCount } from './drawer-count.tsx'
import { Columns, Failure, NoConnection, TextField } from './field.tsx'
import { Others } from './payment.tsx'
import type { Session } from './session.ts'
import { figure, money, moneyOf, say, tag } from './speech.ts'
import { useAction } from './use-job.ts'
import {
  type Taking,
  type Total,
  WAYS,
  amountsOf,
  dayOf,
  isPaid,
  standingOf,
  totalsOf,
  wordOf,
} from './words.ts'

const AGAIN = 10_000

/** Shows the orders of a day by this machine's clock, with their totals, for the screen and for paper. */
export function Day({ session, onPayment }: { session: Session; onPayment: (job: string) => void }) {
  const [day, setDay] = useState(dayOf(new Date()))
  const { jobs, error } = useOrders(session, day)
  const [notes, setNotes] = useState(0)
  const pos = session.about.pointOfSale.id
  const cash = cashOf(pos, day)
  const open = jobs?.filter(({ status }) => status === 'PENDING').length ?? 0
  const lines = [...(jobs ?? []), ...cash].toSorted((one, other) => (one.created < other.created ? 1 : -1))
  return (
    <section class="card day" aria-labelledby="day-title">
      <h2 id="day-title">
        {say('orders')} – {shownDay(day)}
      </h2>
      <NoConnection connection={session.connection} />
      <Failure error={error} />
      <div class="row unprinted">
        <TextField
          name="day"
          label={say('day')}
          value={day}
          onChange={setDay}
          input={{ type: 'date', required: true }}
        />
        <button type="button" class="button" onClick={() => print()}>
          {say('print')}
        </button>
      </div>
      {open > 0 && <p class="wrong">{say('undecided', { count: String(open) })}</p>}
      {jobs && lines.length === 0 && <p class="soft">{say('noOrders')}</p>}
      {lines.length > 0 && (
        <>
          <Totals taken={lines.map(takenBy)} session={session} />
          {cash.length > 0 && <p class="hint">{say('cashNote')}</p>}
          <Orders lines={lines} onPayment={onPayment} onRemoved={() => setNotes(notes + 1)} />
        </>
      )}
      {[...new Set([session.last['currency'] ?? 'EUR', ...cash.map(({ currency }) => currency)])].map(
        (currency) => (
          <DrawerCount key={`${day} ${currency}`} {...{ pos, day, currency, cash }} />
        ),
      )}
    </section>
  )
}

type Line = DayOrder | Cash

/** Returns how the money of a line came in. */
function takenBy(line: Line): Taking {
  if (!('paymentJob' in line)) return { ...line, way: 'cash', part: '' }
  const { terminal, paymentMethod } = line
  return terminal
    ? { ...line, way: 'terminal', part: terminal.id }
    : { ...line, way: 'page', part: paymentMethod }
}

/** Names a total: a way to pay, or a part of it. */
function totalName({ about, terminals }: Session, { way, part }: Pick<Total, 'way' | 'part'>): string {
  if (way === null) return say('sum')
  if (part === null) return say(WAYS[way])
  return way === 'terminal'
    ? (terminals.find(({ id }) => id === part)?.name ?? part)
    : (about.paymentMethods.find(({ paymentMethod }) => paymentMethod === part)?.name ?? part)
}

/** Each total has two rows, so that large amounts fit on a phone. */
function Totals({ taken, session }: { taken: readonly Taking[]; session: Session }) {
  return [...totalsOf(taken)].map(([currency, totals]) => (
    <table key={currency} class="totals">
      <caption>{say('totals', { currency })}</caption>
      <Columns names={[say('count'), say('came'), say('back'), say('left')]} />
      {totals.map(({ payments, paid, back, left, tips, ...one }) => (
        <tbody
          key={`${one.way} ${one.part}`}
          class={one.way === null ? 'sum' : one.part === null ? 'way' : 'part'}
        >
          <tr>
            <th scope="rowgroup" colSpan={4}>
              {totalName(session, one)}
              {tips > 0 && one.part === null && <Others amounts={[['tip', tips]]} currency={currency} />}
            </th>
          </tr>
          <tr>
            <td>{payments}</td>
            {[paid, back, left].map((minor) => (
              <td>{figure(minor, currency)}</td>
            ))}
          </tr>
        </tbody>
      ))}
    </table>
  ))
}

/** Writes a day as people do, and an invalid one unchanged. */
function shownDay(day: string): string {
  const time = new Date(`${day}T12:00:00`)
  return Number.isNaN(time.getTime()) ? day : time.toLocaleDateString(tag, { dateStyle: 'long' })
}

type Lines = { lines: readonly Line[]; onPayment: (job: string) => void; onRemoved: () => void }

function Orders({ lines, onPayment, onRemoved }: Lines) {
  return (
    <table>
      <caption>{say('orders')}</caption>
      <Columns names={[say('time'), say('order'), say('amount')]} />
      <tbody>
        {lines.map((line) => (
          <tr key={'id' in line ? line.id : line.paymentJob}>
            <td>{new Date(line.created).toLocaleTimeString(tag, { hour: '2-digit', minute: '2-digit' })}</td>
            {'id' in line ? (
              <>
                <td>
                  <bdi>{shownText(line.orderNumber)}</bdi>
                  <span class="hint">{say('wayCash')}</span>
                  <Remove cash={line} onRemoved={onRemoved} />
                </td>
                <td>{moneyOf(line.amountPaid, line.currency)}</td>
              </>
            ) : (
              <>
                <td>
                  <button type="button" class="link" onClick={() => onPayment(line.paymentJob)}>
                    <bdi>{shownText(line.orderNumber) || line.orderId}</bdi>
                  </button>
                  <span class="hint">{wordOf(standingOf(line, []), line.currency)}</span>
                  <Others amounts={amountsOf(line, line.amount).others} currency={line.currency} />
                </td>
                <td>{money(amountsOf(line, line.amount).main, line.currency)}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Removes a note of cash, after a question. */
function Remove({ cash, onRemoved }: { cash: Cash; onRemoved: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const { error, run } = useAction(async () => {
    removeCash(cash)
    onRemoved()
  })
  return (
    <>
      <button type="button" class="link unprinted" onClick={() => setAsking(true)}>
        {say('remove')}
      </button>
      <Failure error={error} />
      {isAsking && (
        <Sure
          question={say('removeSure', { amount: moneyOf(cash.amountPaid, cash.currency) })}
          button={say('remove')}
          onSure={run}
          onBack={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** An order of a day from the list, or with the further members that only a read returns. */
type DayOrder = ListedPaymentJob & Partial<Omit<PaymentJob, keyof ListedPaymentJob>>

/** Returns the orders of a day from the index, newest first; reads them again every ten seconds. */
function useOrders({ hub }: Pick<Session, 'hub'>, day: string) {
  const [jobs, setJobs] = useState<readonly DayOrder[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const read = new Map<string, Promise<PaymentJob>>()
    /** Reads a paid or open job, and any at a terminal, once for each change in the list. Reads an open one at a
     * terminal each time, because it can become doubtful without a change. */
    const withDetails = async (listed: ListedPaymentJob): Promise<DayOrder> => {
      const { paymentJob, lastUpdate, status, paymentMethod } = listed
      const isAtTerminal = paymentMethod === 'terminal'
      if (!isPaid(listed) && status !== 'PENDING' && !isAtTerminal) return listed
      const change = `${paymentJob} ${lastUpdate}`
      const isLive = status === 'PENDING' && isAtTerminal
      const reading = (!isLive && read.get(change)) || hub.getPaymentJob(paymentJob, { signal })
      read.set(change, reading)
      return { ...(await reading), amount: listed.amount }
    }
    const look = async (): Promise<void> => {
      try {
        setJobs(await Promise.all((await ordersOf(hub, day, signal)).map(withDetails)))
        setError(null)
      } catch (wrong) {
        read.clear()
        if (!signal.aborted) setError(wrong)
      }
    }
    void look()
    const timer = setInterval(() => void look(), AGAIN)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [hub, day])
  return { jobs, error }
}

async function ordersOf(hub: Session['hub'], day: string, signal: AbortSignal): Promise<ListedPaymentJob[]> {
  const from = new Date(`${day}T00:00:00`)
  if (Number.isNaN(from.getTime())) return []
  const to = new Date(from.getFullYear(), from.getMonth(), from.getDate() + 1)
  const jobs: ListedPaymentJob[] = []
  let after: string | null | undefined
  while (after !== null) {
    const page = await hub.listPaymentJobs({ from, to, limit: 200, ...(after ? { after } : {}) }, { signal })
    jobs.push(...page.paymentJobs)
    after = page.next
  }
  return jobs
}
