import { useEffect, useState } from 'preact/hooks'
import { LANGUAGES } from '../../../platform/http/headers.ts'
import { Failure, SelectField, TextField } from './field.tsx'
import { methodsUsedLately, rememberMethod } from './lately.ts'
import { Mistake, type Session } from './session.ts'
import { say, tag } from './speech.ts'
import { useAction } from './use-job.ts'
import { typedAmount } from './words.ts'

/** The `report_url` of jobs whose reports this tab takes: nobody has this address (RFC 2606). */
const NOWHERE = 'https://till.example.com/report'

/**
 * No language, in the till's country (BCP 47): the customer's browser decides the language, and
 * PSPs that want a country get this one.
 */
const PHONE = `und-${new Intl.Locale(tag).maximize().region}`
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
    language: PHONE,
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
  const typed = typedAmount(order.amount, order.currency)
  const [lately] = useState(methodsUsedLately)
  const placeOf = (method: string) => (lately.includes(method) ? lately.indexOf(method) : lately.length)
  const methods = paymentMethods
    .map(({ paymentMethod, name }) => [paymentMethod, name] as const)
    .toSorted(
      ([one, name], [other, ofOther]) => placeOf(one) - placeOf(other) || name.localeCompare(ofOther, tag),
    )
  // A changed order gets a new Idempotency-Key, because the hub would refuse the same one.
  const { busy, error, run } = useAction(async () => {
    if (!typed.ok) throw new Mistake(typed.wrong)
    const takesReports = order.report_url.trim() === ''
    const { paymentJob } = await session.hub.createPaymentJob({
      ...order,
      amount: typed.api,
      report_url: takesReports ? NOWHERE : order.report_url.trim(),
      order_id: String(Date.now()),
      ip_address: session.ipAddress,
    })
    if (takesReports) session.jobs.add(paymentJob)
    const { amount: _amount, order_number: _number, ...last } = order
    session.last = last
    rememberMethod(order.payment_method)
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
      <h2 id="order-title">{say('order')}</h2>
      <div class="fields">
        <TextField
          {...field('amount', say('amount'))}
          input={{ inputmode: 'decimal', required: true, class: 'amount' }}
        />
        <SelectField {...field('payment_method', say('payment_method'))} options={methods} />
      </div>
      <Failure error={error} />
      <p>
        <button type="submit" class="button first" disabled={busy}>
          {busy ? say('busy') : typed.ok ? say('take', { amount: typed.shown }) : say('takeAny')}
        </button>
      </p>
      <details open={isLive && session.last['return_url'] === undefined}>
        <summary>{say('more')}</summary>
        <div class="fields">
          <TextField
            {...field('order_number', say('order_number'))}
            input={{ required: true, maxlength: 255 }}
          />
          <TextField
            {...field('currency', say('currency'))}
            input={{
              required: true,
              maxlength: 3,
              pattern: '[A-Z]{3}',
              title: say('currencyHint'),
            }}
          />
          <SelectField
            {...field('language', say('language'))}
            options={[[PHONE, say('phone')], ...CHOICES]}
          />
        </div>
        <TextField {...field('return_url', say('return_url'))} input={{ type: 'url', required: true }} />
        <TextField
          {...field('report_url', say(isLive ? 'report_url' : 'reportUrlOptional'))}
          hint={say(isLive ? 'reportHintLive' : 'reportHintTest')}
          input={{ type: 'url', required: isLive }}
        />
      </details>
    </form>
  )
}
