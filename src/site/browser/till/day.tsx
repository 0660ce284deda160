import { useEffect, useState } from 'preact/hooks'
import type { ListedPaymentJob, PaymentJob } from '../../../contract/payment-job.ts'
import { shownText } from '../../../platform/pages/formats.ts'
import { Columns, Failure, NoConnection, TextField } from './field.tsx'
import type { Session } from './session.ts'
import { figure, moneyOf, say, tag } from './speech.ts'
import { dayOf, standingOf, totalsOf, wordOf } from './words.ts'

const AGAIN = 10_000

/** Shows the orders of a day by this machine's clock, with their totals, to be printed too. */
export function Day({ session, onPayment }: { session: Session; onPayment: (job: string) => void }) {
  const [day, setDay] = useState(dayOf(new Date()))
  const { jobs, error } = useOrders(session, day)
  const open = jobs?.filter(({ status }) => status === 'PENDING').length ?? 0
  const nameOf = (method: string) =>
    session.about.paymentMethods.find(({ paymentMethod }) => paymentMethod === method)?.name ?? method
  return (
    <section class="card day" aria-labelledby="day-title">
      <h2 id="day-title">{say('ordersOf', { day: shownDay(day) })}</h2>
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
      {jobs?.length === 0 && <p class="soft">{say('noOrders')}</p>}
      {jobs && jobs.length > 0 && (
        <>
          <Totals jobs={jobs} nameOf={nameOf} />
          <Orders jobs={jobs} onPayment={onPayment} />
        </>
      )}
    </section>
  )
}

/** Each method has two rows, so that large sums fit on a phone. */
function Totals({ jobs, nameOf }: { jobs: readonly Order[]; nameOf: (method: string) => string }) {
  return [...totalsOf(jobs)].map(([currency, totals]) => (
    <table key={currency} class="totals">
      <caption>{say('totals', { currency })}</caption>
      <Columns names={[say('count'), say('came'), say('back'), say('left')]} />
      {totals.map(({ method, payments, paid, back, left }) => (
        <tbody key={method} class={method === null ? 'sum' : ''}>
          <tr>
            <th scope="rowgroup" colSpan={4}>
              {method === null ? say('sum') : nameOf(method)}
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

/** Writes a day as people do; an unreadable one as it is. */
function shownDay(day: string): string {
  const time = new Date(`${day}T12:00:00`)
  return Number.isNaN(time.getTime()) ? day : time.toLocaleDateString(tag, { dateStyle: 'long' })
}

function Orders({
  jobs,
  onPayment,
}: {
  jobs: readonly ListedPaymentJob[]
  onPayment: (job: string) => void
}) {
  return (
    <table>
      <caption>{say('orders')}</caption>
      <Columns names={[say('time'), say('order'), say('amount')]} />
      <tbody>
        {jobs.map((job) => (
          <tr key={job.paymentJob}>
            <td>{new Date(job.created).toLocaleTimeString(tag, { hour: '2-digit', minute: '2-digit' })}</td>
            <td>
              <button type="button" class="link" onClick={() => onPayment(job.paymentJob)}>
                <bdi>{shownText(job.orderNumber) || job.orderId}</bdi>
              </button>
              <span class="hint">{wordOf(standingOf(job, []), job.currency)}</span>
            </td>
            <td>{moneyOf(job.amount, job.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** An order of a day, with the money that went back, which the list lacks. */
type Order = ListedPaymentJob & Pick<PaymentJob, 'amountRefunded' | 'amountChargedBack'>

/** Returns the orders of a day from the index, newest first; reads them again every ten seconds. */
function useOrders({ hub }: Pick<Session, 'hub'>, day: string) {
  const [jobs, setJobs] = useState<readonly Order[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const read = new Map<string, Promise<PaymentJob>>()
    /** Reads a paid job once for each change in the list. */
    const withBack = async (listed: ListedPaymentJob): Promise<Order> => {
      const { paymentJob, lastUpdate, amountPaid } = listed
      if (amountPaid === '0.00') return listed
      const change = `${paymentJob} ${lastUpdate}`
      const reading = read.get(change) ?? hub.getPaymentJob(paymentJob, { signal })
      read.set(change, reading)
      const { amountRefunded, amountChargedBack } = await reading
      return {
        ...listed,
        ...(amountRefunded && { amountRefunded }),
        ...(amountChargedBack && { amountChargedBack }),
      }
    }
    const look = async (): Promise<void> => {
      try {
        setJobs(await Promise.all((await ordersOf(hub, day, signal)).map(withBack)))
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
