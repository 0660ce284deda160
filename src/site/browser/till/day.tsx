import { useEffect, useState } from 'preact/hooks'
import type { ListedPaymentJob, PaymentJob } from '../../../contract/payment-job.ts'
import { shownText } from '../../../platform/pages/formats.ts'
import { Columns, Failure, NoConnection, TextField } from './field.tsx'
import type { Session } from './session.ts'
import { dayOf, standingOf, totalsOf } from './words.ts'

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
      <h2 id="day-title">Orders of {day}</h2>
      <NoConnection connection={session.connection} />
      <Failure error={error} />
      <div class="row unprinted">
        <TextField
          name="day"
          label="Day"
          value={day}
          onChange={setDay}
          input={{ type: 'date', required: true }}
        />
        <button type="button" class="button" onClick={() => print()}>
          Print
        </button>
      </div>
      {open > 0 && (
        <p class="wrong">{open === 1 ? 'One payment is' : `${open} payments are`} not decided yet.</p>
      )}
      {jobs?.length === 0 && <p class="soft">No orders. One that was just made shows here within seconds.</p>}
      {jobs && jobs.length > 0 && (
        <>
          <Totals jobs={jobs} nameOf={nameOf} />
          <Orders jobs={jobs} onPayment={onPayment} />
        </>
      )}
    </section>
  )
}

function Totals({ jobs, nameOf }: { jobs: readonly Order[]; nameOf: (method: string) => string }) {
  return (
    <table class="totals">
      <caption>Totals</caption>
      <Columns names={['Method', 'No.', 'Paid', 'Back', 'Left']} />
      <tbody>
        {totalsOf(jobs).map(({ currency, method, payments, paid, back, left }) => (
          <tr key={`${currency} ${method}`} class={method === null ? 'sum' : ''}>
            <th scope="row">{method === null ? `All in ${currency}` : nameOf(method)}</th>
            {[payments, paid, back, left].map((value) => (
              <td>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
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
      <caption>Orders</caption>
      <Columns names={['Time', 'Order', 'Amount', 'Status']} />
      <tbody>
        {jobs.map((job) => (
          <tr key={job.paymentJob}>
            <td>
              {new Date(job.created).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}
            </td>
            <td>
              <button type="button" class="link" onClick={() => onPayment(job.paymentJob)}>
                <bdi>{shownText(job.orderNumber) || job.orderId}</bdi>
              </button>
            </td>
            <td>
              {job.amount} {job.currency}
            </td>
            <td>{standingOf(job, []).words}</td>
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
