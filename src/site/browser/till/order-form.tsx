import { useEffect, useState } from 'preact/hooks'
import { LANGUAGES } from '../../../platform/http/headers.ts'
import { Failure, SelectField, TextField } from './field.tsx'
import type { Session } from './session.ts'
import { useAction } from './use-job.ts'
import { typedAmount } from './words.ts'

/** The `report_url` of jobs whose reports this tab takes: nobody has this address (RFC 2606). */
const NOWHERE = 'https://till.example.com/report'

const CHOICES = LANGUAGES.map(
  (code) => [code, new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code] as const,
)

/** Makes an order number of the date and time, which people can read out. */
function newNumber(now: Date): string {
  const digits = [now.getMonth() + 1, now.getDate(), now.getHours(), now.getMinutes(), now.getSeconds()]
  const [month, day, ...time] = digits.map((part) => String(part).padStart(2, '0'))
  return `TILL-${month}${day}-${time.join('')}`
}

/** Creates a payment job. The form keeps all of the last order but its amount and number. */
export function OrderForm({ session, onOrder }: { session: Session; onOrder: (job: string) => void }) {
  const { mode, paymentMethods } = session.about
  const isLive = mode === 'live'
  useEffect(() => document.getElementById('amount')?.focus(), [])
  const [order, setOrder] = useState({
    currency: 'EUR',
    payment_method: paymentMethods[0]?.paymentMethod ?? '',
    language: 'en',
    return_url: isLive ? '' : 'https://example.com/',
    report_url: '',
    ...session.last,
    amount: '',
    order_number: newNumber(new Date()),
  })
  const field = (name: keyof typeof order, label: string) => ({
    name,
    label,
    value: order[name],
    onChange: (value: string) => setOrder({ ...order, [name]: value }),
  })
  // A changed order gets a new Idempotency-Key, because the hub would refuse the same one.
  const { busy, error, run } = useAction(async () => {
    const takesReports = order.report_url.trim() === ''
    const { paymentJob } = await session.hub.createPaymentJob({
      ...order,
      amount: typedAmount(order.amount),
      report_url: takesReports ? NOWHERE : order.report_url.trim(),
      order_id: String(Date.now()),
      ip_address: session.ipAddress,
    })
    if (takesReports) session.jobs.add(paymentJob)
    const { amount: _amount, order_number: _number, ...last } = order
    session.last = last
    onOrder(paymentJob)
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
      <h2 id="order-title">Order</h2>
      <div class="fields">
        <TextField
          {...field('amount', 'Amount')}
          input={{ inputmode: 'decimal', required: true, class: 'amount' }}
        />
        <SelectField
          {...field('payment_method', 'Payment method')}
          options={paymentMethods.map(({ paymentMethod, name }) => [paymentMethod, name])}
        />
      </div>
      <Failure error={error} />
      <p>
        <button type="submit" class="button first" disabled={busy}>
          {busy ? 'Asking …' : 'Take the payment'}
        </button>
      </p>
      <details open={isLive && session.last['return_url'] === undefined}>
        <summary>More of the order</summary>
        <div class="fields">
          <TextField {...field('order_number', 'Order number')} input={{ required: true, maxlength: 255 }} />
          <TextField
            {...field('currency', 'Currency')}
            input={{
              required: true,
              maxlength: 3,
              pattern: '[A-Z]{3}',
              title: 'Three capitals, such as EUR',
            }}
          />
          <SelectField {...field('language', "Customer's language")} options={CHOICES} />
        </div>
        <TextField
          {...field('return_url', 'Where the customer goes after paying')}
          input={{ type: 'url', required: true }}
        />
        <TextField
          {...field('report_url', isLive ? 'Where reports go' : 'Where reports go (optional)')}
          hint={
            isLive
              ? 'An https address of your shop that answers each POST with 200. This tab shows the result all the same.'
              : 'Without an address this tab takes the reports itself, as long as it is open.'
          }
          input={{ type: 'url', required: isLive }}
        />
      </details>
    </form>
  )
}
