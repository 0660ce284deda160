import type { Form } from './stripe-parameters.ts'

/** The version that the objects are of: https://docs.stripe.com/api/checkout/sessions/object */
export const API_VERSION = '2026-10-28.endive'

const DAY = 86_400

/** A Checkout Session as this Stripe keeps it, its times in seconds. */
export type Session = {
  id: string
  intent: string
  form: Form
  created: number
  status: 'open' | 'complete' | 'expired'
  /** Set once the customer is done. */
  money: 'none' | 'failed' | 'paid'
}

export const idOf = (prefix: string): string =>
  prefix + Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => (byte % 36).toString(36)).join('')

export const newSession = (form: Form, now: number): Session => ({
  id: idOf('cs_live_a1'),
  intent: idOf('pi_3'),
  form,
  created: Math.floor(now / 1000),
  status: 'open',
  money: 'none',
})

const membersOf = (form: Form, name: string): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([param, value]) =>
      param.startsWith(`${name}[`) ? [[param.slice(name.length + 1, -1), value]] : [],
    ),
  )

/** Items and their prices are summed as Stripe does. */
const totalOf = (form: Form): number =>
  [...form].reduce((total, [param, value]) => {
    const [, item] = /^(line_items\[\d+\])\[price_data\]\[unit_amount\]$/.exec(param) ?? []
    return item === undefined ? total : total + Number(value) * Number(form.get(`${item}[quantity]`))
  }, 0)

const currencyOf = (form: Form): string | null => form.get('line_items[0][price_data][currency]') ?? null

export const intentJson = (session: Session) => ({
  id: session.intent,
  object: 'payment_intent',
  amount: totalOf(session.form),
  amount_received: session.money === 'paid' ? totalOf(session.form) : 0,
  capture_method: 'automatic_async',
  created: session.created,
  currency: currencyOf(session.form),
  livemode: true,
  metadata: membersOf(session.form, 'payment_intent_data[metadata]'),
  status:
    session.status === 'expired'
      ? 'canceled'
      : session.money === 'paid'
        ? 'succeeded'
        : 'requires_payment_method',
})

/** The payment intent exists once the customer has begun to pay. */
const intentOf = (session: Session, expand: readonly string[]) => {
  if (session.money === 'none') return null
  return expand.includes('payment_intent') ? intentJson(session) : session.intent
}

export const sessionJson = (session: Session, expand: readonly string[] = []) => {
  const { form } = session
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    allowed_payment_method_types: form.has('allowed_payment_method_types[0]')
      ? Object.values(membersOf(form, 'allowed_payment_method_types'))
      : null,
    amount_subtotal: totalOf(form),
    amount_total: totalOf(form),
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: form.get('cancel_url') ?? null,
    client_reference_id: form.get('client_reference_id') ?? null,
    client_secret: null,
    created: session.created,
    currency: currencyOf(form),
    customer: null,
    customer_details: null,
    customer_email: form.get('customer_email') ?? null,
    expires_at: Number(form.get('expires_at') ?? session.created + DAY),
    livemode: true,
    locale: form.get('locale') ?? null,
    metadata: membersOf(form, 'metadata'),
    mode: form.get('mode'),
    payment_intent: intentOf(session, expand),
    payment_link: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: session.money === 'paid' ? 'paid' : 'unpaid',
    setup_intent: null,
    status: session.status,
    submit_type: form.get('submit_type') ?? null,
    subscription: null,
    success_url: form.get('success_url') ?? null,
    ui_mode: 'hosted_page',
    url: session.status === 'open' ? `https://checkout.stripe.com/c/pay/${session.id}#fid` : null,
  }
}

/** An event of a session, as it stands: https://docs.stripe.com/api/events/object */
export const eventJson = (type: string, session: Session, at: number) => ({
  id: idOf('evt_1'),
  object: 'event',
  api_version: API_VERSION,
  created: Math.floor(at / 1000),
  data: { object: sessionJson(session) },
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
})
