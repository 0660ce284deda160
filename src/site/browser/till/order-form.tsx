import { useEffect, useRef, useState } from 'preact/hooks'
import type { CreatedPaymentJob } from '../../../contract/payment-job.ts'
import { Failure, SelectField, TextField } from './field.tsx'
import type { Session } from './session.ts'
import { useAction } from './use-job.ts'
import { typedAmount } from './words.ts'

/**
 * Where reports go to that this tab takes itself: an address that nobody has (RFC 2606). It is
 * never called.
 */
const NOWHERE = 'https://till.example.com/report'

const LANGUAGES = ['en', 'nl', 'de', 'fr', 'es', 'it', 'pt', 'pl', 'da', 'sv', 'nb', 'fi', 'cs', 'el'].map(
  (code) => [code, new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code] as const,
)

/** A number that no order of this minute has. */
function newNumber(): string {
  return String(Date.now()).slice(-9)
}

/** What becomes of an order: its job, and whether this tab takes its reports. */
export type Ordered = { job: CreatedPaymentJob; takesReports: boolean }

/** Asks for an order, and makes a payment job of it. */
export function OrderForm({ session, onOrder }: { session: Session; onOrder: (ordered: Ordered) => void }) {
  const [number] = useState(newNumber)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const [order, setOrder] = useState({
    amount: '12.50',
    currency: 'EUR',
    payment_method: session.about.paymentMethods[0]?.paymentMethod ?? '',
    order_number: `TILL-${number}`,
    language: 'en',
    return_url: 'https://example.com/',
    report_url: '',
  })
  const change = (name: keyof typeof order) => (value: string) => setOrder({ ...order, [name]: value })
  const field = (name: keyof typeof order, label: string) => ({
    name,
    label,
    value: order[name],
    onChange: change(name),
  })
  // Another order gets another key: the same one would be refused with it.
  const { busy, error, run } = useAction(async () => {
    const takesReports = order.report_url.trim() === ''
    const job = await session.hub.createPaymentJob({
      ...order,
      amount: typedAmount(order.amount),
      report_url: takesReports ? NOWHERE : order.report_url.trim(),
      order_id: number,
      ip_address: '203.0.113.7',
    })
    if (takesReports) session.jobs.add(job.paymentJob)
    onOrder({ job, takesReports })
  })
  return (
    <form
      class="card"
      aria-labelledby="order-title"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <h2 id="order-title" ref={title} tabindex={-1}>
        Order
      </h2>
      <div class="fields">
        <TextField {...field('amount', 'Amount')} input={{ inputmode: 'decimal', required: true }} />
        <TextField
          {...field('currency', 'Currency')}
          input={{ required: true, maxlength: 3, pattern: '[A-Z]{3}', title: 'Three capitals, such as EUR' }}
        />
        <SelectField
          {...field('payment_method', 'Payment method')}
          options={session.about.paymentMethods.map(({ paymentMethod, name }) => [paymentMethod, name])}
        />
        <TextField {...field('order_number', 'Order number')} input={{ required: true, maxlength: 255 }} />
        <SelectField {...field('language', "Customer's language")} options={LANGUAGES} />
      </div>
      <details>
        <summary>Addresses</summary>
        <TextField
          {...field('return_url', 'Where the customer goes after paying')}
          input={{ type: 'url', required: true }}
        />
        <TextField
          {...field('report_url', 'Where reports go (optional)')}
          hint="Without an address this tab takes the reports itself, as long as it is open."
          input={{ type: 'url' }}
        />
      </details>
      <Failure error={error} />
      <p>
        <button type="submit" class="button first" disabled={busy}>
          {busy ? 'Creating …' : 'Create the payment job'}
        </button>
      </p>
    </form>
  )
}
