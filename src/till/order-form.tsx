import { useEffect, useState } from 'preact/hooks'
import { LANGUAGES } from '../platform/http/headers.ts'
import { Sure } from './actions.tsx'
import { Failure, NoConnection, SelectField, TextField, Ways } from './field.tsx'
import { changeOf, takeCash } from './cash.ts'
import { Way, habits, leaveUnseen, remember, rememberMethod } from './device.ts'
import type { Again } from './payment.tsx'
import type { Placing } from './sealed.ts'
import { Mistake, type Session, keepSession } from './session.ts'
import { type Saying, minorOf, say, tag } from './speech.ts'
import { namedTerminal, terminalToUse, useTerminals } from './terminals.ts'
import { useAction } from './use-job.ts'
import { typedAmount } from './words.ts'

/** The address in orders without those of a shop: the customer stays on the hub, and the hub sends no report. */
const TILL = `${location.origin}/till`

/** From so much on (in minor units), the till asks whether cash was typed right: 10 000 euros, 1 000 000 yen. */
const MUCH_CASH = 1_000_000

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

/** The members that differ from order to order. */
function blank() {
  const now = new Date()
  return {
    amount: '',
    order_number: newNumber(now),
    order_id: String(now.getTime()),
    // The Idempotency-Key. A changed order gets a new one, because the hub would refuse the same one.
    key: crypto.randomUUID(),
  }
}

/** The order that a form begins with: one to pay another way, or one that was sent and has no answer yet. */
export type Start = { again?: Again; placing?: Placing }

/** A reload sends an order again up to this age (ms). Nobody waits for an older one any more. */
const STILL_WANTED = 60_000

type Props = {
  session: Session
  start: Start
  onOrder: (job: string) => void
}

/**
 * Takes money: on a page, at a terminal or in cash. The form keeps everything from the last order except
 * its amount and number.
 */
export function OrderForm({ session, start: { again, placing }, onOrder }: Props) {
  const { mode, paymentMethods, pointOfSale } = session.about
  const isLive = mode === 'live'
  const terminals = useTerminals(session)
  const [used] = useState(habits)
  /** Says which cash was just taken, and its change. */
  const [cash, setCash] = useState<readonly string[]>([])
  const [given, setGiven] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [order, setOrder] = useState({
    currency: 'EUR',
    payment_method: paymentMethods[0]?.paymentMethod ?? '',
    language: PHONE,
    return_url: '',
    report_url: '',
    terminal: '',
    ...session.last,
    way: used.way ?? (paymentMethods.length > 0 ? 'page' : 'terminal'),
    ...blank(),
    ...again?.order,
    ...placing?.order,
  })
  useEffect(() => document.getElementById(again ? 'take' : 'amount')?.focus(), [])
  const field = (name: keyof typeof order, label: string) => ({
    name,
    label,
    value: order[name],
    onChange: (value: string) => setOrder({ ...order, [name]: value, key: crypto.randomUUID() }),
  })
  const ways = Way.options.filter((one) => one !== 'terminal' || terminals.length > 0)
  const way = ways.find((one) => one === order.way) ?? 'page'
  const terminal = terminals.some(({ id }) => id === order.terminal)
    ? order.terminal
    : terminalToUse(terminals, { last: used.terminal, avoid: again?.avoid })
  const typed = typedAmount(order.amount, order.currency)
  const change = changeOf(given, typed, order.currency)
  const placeOf = (method: string) =>
    used.methods.includes(method) ? used.methods.indexOf(method) : used.methods.length
  const methods = paymentMethods
    .map(({ paymentMethod, name }) => [paymentMethod, name] as const)
    .toSorted(
      ([one, name], [other, ofOther]) => placeOf(one) - placeOf(other) || name.localeCompare(ofOther, tag),
    )
  const { busy, error, run } = useAction(async (isSure: boolean = false) => {
    setCash([])
    setAsking(false)
    if (!typed.ok) throw new Mistake(typed.wrong)
    remember({ way, ...(way === 'terminal' ? { terminal } : {}) })
    if (way === 'cash') {
      if (change.wrong) throw new Mistake(change.wrong)
      const { currency, order_number: orderNumber } = order
      if (!isSure && minorOf(typed.api, currency) >= MUCH_CASH) return setAsking(true)
      takeCash({ pos: pointOfSale.id, currency, amountPaid: typed.api, orderNumber })
      setOrder({ ...order, ...blank() })
      setCash([say('takeCash', { amount: typed.shown }), change.shown])
      setGiven('')
      document.getElementById('amount')?.focus()
      // Not awaited, because the cashier may already be typing the next amount.
      void keepSession(session, null)
      return
    }
    const placed = { ...order, terminal }
    setOrder(placed)
    await keepSession(session, null, { at: Date.now(), order: placed })
    const { way: _way, key, amount: _amount, terminal: _terminal, ...kept } = order
    const { payment_method, return_url, ...sent } = kept
    const takesReports = order.report_url.trim() === ''
    session.unseen.add('')
    const creating = session.hub.createPaymentJob(
      {
        ...sent,
        ...(way === 'terminal' ? { terminal } : { payment_method, return_url: return_url.trim() || TILL }),
        amount: typed.api,
        report_url: order.report_url.trim() || TILL,
        ip_address: session.ipAddress,
      },
      { idempotencyKey: key },
    )
    const { paymentJob } = await creating.finally(() => session.unseen.delete(''))
    session.unseen.add(paymentJob)
    // The cashier closed the till meanwhile.
    if (session.isClosed) return leaveUnseen(pointOfSale.id, [...session.unseen])
    if (takesReports) session.jobs.add(paymentJob)
    const { order_number: _number, order_id: _id, ...last } = kept
    session.last = last
    if (way === 'page') rememberMethod(payment_method)
    onOrder(paymentJob)
  })
  // After a reload in the middle of an order, this continues it.
  useEffect(() => void (placing && Date.now() - placing.at < STILL_WANTED && run()), [])
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
      <div role="status">
        {cash.length > 0 && (
          <div class="standing good">
            {cash.map((words) => (
              <p class="word">{words}</p>
            ))}
          </div>
        )}
      </div>
      <Ways way={way} ways={ways} onChange={field('way', '').onChange} />
      <div class="fields">
        <TextField
          {...field('amount', say('amount'))}
          input={{ inputmode: 'decimal', required: true, class: 'amount' }}
        />
        {way === 'page' && (
          <SelectField {...field('payment_method', say('payment_method'))} options={methods} />
        )}
        {way === 'terminal' && (
          <SelectField
            {...field('terminal', say('terminal'))}
            value={terminal}
            options={terminals.map((one) => [one.id, namedTerminal(one)] as const)}
          />
        )}
        {way === 'cash' && (
          <TextField
            name="given"
            label={say('given')}
            hint={change.shown}
            value={given}
            onChange={setGiven}
            input={{ inputmode: 'decimal', class: 'amount' }}
          />
        )}
      </div>
      {way === 'cash' && <p class="hint">{say('cashNote')}</p>}
      <NoConnection connection={session.connection} />
      <Failure error={error} />
      {isAsking && typed.ok && (
        <Sure
          question={say('cashSure', { amount: typed.shown })}
          button={say(TAKE[way], { amount: typed.shown })}
          onSure={() => run(true)}
          onBack={() => setAsking(false)}
        />
      )}
      <p>
        <button id="take" type="submit" class="button first" disabled={busy}>
          {busy ? say('busy') : typed.ok ? say(TAKE[way], { amount: typed.shown }) : say('takeAny')}
        </button>
      </p>
      <details>
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
              placeholder: 'EUR',
            }}
          />
          {way !== 'cash' && (
            <SelectField
              {...field('language', say('language'))}
              options={[[PHONE, say('phone')], ...CHOICES]}
            />
          )}
        </div>
        {way === 'page' && <TextField {...field('return_url', say('return_url'))} input={{ type: 'url' }} />}
        {way !== 'cash' && (
          <TextField
            {...field('report_url', say('report_url'))}
            hint={say(isLive ? 'reportHintLive' : 'reportHintTest')}
            input={{ type: 'url' }}
          />
        )}
      </details>
    </form>
  )
}

const TAKE: Readonly<Record<Way, Saying>> = { page: 'take', terminal: 'take', cash: 'takeCash' }
