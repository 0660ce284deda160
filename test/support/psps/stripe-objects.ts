import type { Dispute, Refund, RefundStatus } from './stripe-money-back.ts'
import type { Form } from './stripe-parameters.ts'

/** The API version of the objects: https://docs.stripe.com/api/checkout/sessions/object */
export const API_VERSION = '2026-10-28.endive'

const DAY = 86_400

/** A Checkout Session in this Stripe's memory, with times in seconds. */
export type Session = {
  id: string
  intent: string
  form: Form
  created: number
  status: 'open' | 'complete' | 'expired'
  /**
   * The state of the money after the customer's action. `underway`: by a method that takes days; `reserved`:
   * not yet captured, or only in part; `released`: let go without a capture.
   */
  money: 'none' | 'underway' | 'reserved' | 'failed' | 'paid' | 'released'
  /** The captured part of reserved money; everything if undefined. */
  captured?: number
  /** When the money was reserved (s). */
  reservedAt?: number
  isMulticapture?: boolean
  /** Why Stripe or the shop cancelled the intent. */
  cancelledFor?: string | null
  /** Metadata added to the intent by a capture. */
  noted?: Record<string, string>
  /** A payment intent at a terminal. It has no session, so `id` is the intent's. */
  terminal?: { tip: number; error: object | null; card: string }
  refunds: Refund[]
  disputes: Dispute[]
}

export function idOf(prefix: string): string {
  return (
    prefix +
    Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => (byte % 36).toString(36)).join('')
  )
}

export function newSession(form: Form, now: number): Session {
  return {
    id: idOf('cs_live_a1'),
    intent: idOf('pi_3'),
    form,
    created: Math.floor(now / 1000),
    status: 'open',
    money: 'none',
    refunds: [],
    disputes: [],
  }
}

export function membersOf(form: Form, name: string): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([param, value]) =>
      param.startsWith(`${name}[`) ? [[param.slice(name.length + 1, -1), value]] : [],
    ),
  )
}

/** Sums the items and their prices as Stripe does. */
export function totalOf(form: Form): number {
  return [...form].reduce((total, [param, value]) => {
    const [, item] = /^(line_items\[\d+\])\[price_data\]\[unit_amount\]$/.exec(param) ?? []
    return item === undefined ? total : total + Number(value) * Number(form.get(`${item}[quantity]`))
  }, 0)
}

export function currencyOf(form: Form): string | null {
  return form.get('line_items[0][price_data][currency]') ?? null
}

const INTENT_STATUS = {
  none: 'requires_payment_method',
  underway: 'processing',
  reserved: 'requires_capture',
  failed: 'requires_payment_method',
  paid: 'succeeded',
  released: 'canceled',
} as const

/** For how many days Stripe holds reserved money, by methods other than cards. */
const HOLDS: Readonly<Record<string, number>> = {
  klarna: 27,
  afterpay_clearpay: 13,
  paypal: 10,
  card_present: 2,
}

function methodOf({ form }: Session): string {
  return form.get('allowed_payment_method_types[0]') ?? 'card'
}

export function isManual({ form, money }: Session): boolean {
  return form.get('payment_intent_data[capture_method]') === 'manual' || money === 'reserved'
}

/** The customer pays, and Stripe reserves the money. */
export function reserve(session: Session, isMulticapture: boolean): void {
  const reservedAt = Math.floor(Date.now() / 1000)
  Object.assign(session, { status: 'complete', money: 'reserved', isMulticapture, reservedAt })
}

/** When Stripe releases reserved money (s since 1970). */
function heldUntil(session: Session): number {
  return (session.reservedAt ?? session.created) + (HOLDS[methodOf(session)] ?? 7) * DAY
}

export function receivedOf({ form, money, captured }: Session): number {
  return captured ?? (money === 'paid' ? totalOf(form) : 0)
}

/** The amount that can still be captured. */
export function capturableOf(session: Session): number {
  return session.money === 'reserved' ? totalOf(session.form) - receivedOf(session) : 0
}

/** The part of reserved money that Stripe has released. */
function releasedOf(session: Session): number {
  const isOver = session.money === 'released' || session.money === 'paid'
  return isOver ? totalOf(session.form) - receivedOf(session) : 0
}

/**
 * Ends a reservation: "Uncaptured PaymentIntents transition to `canceled`, while partially captured
 * PaymentIntents transition to `succeeded`": https://docs.stripe.com/payments/multicapture
 */
export function endReservation(session: Session, reason: string | null): void {
  const captured = receivedOf(session)
  Object.assign(
    session,
    captured > 0 ? { money: 'paid', captured } : { money: 'released', captured, cancelledFor: reason },
  )
}

/** Ends a reservation whose time is over. */
export function lapse(session: Session, now: number): void {
  if (session.money === 'reserved' && now / 1000 >= heldUntil(session)) endReservation(session, 'automatic')
}

/** A payment intent that was cancelled at a terminal before the customer showed a card has no charge. */
function hasCharge({ money, terminal, reservedAt }: Session): boolean {
  const isMissing = money === 'released' && terminal?.error === null && reservedAt === undefined
  return money !== 'none' && !isMissing
}

/** `expand`: which members Stripe shows whole. Expanding one of its members expands the charge too. */
export function intentJson(session: Session, expand: readonly string[] = []) {
  const isExpanded = expand.some((name) => name.startsWith('latest_charge'))
  const withRefunds = expand.includes('latest_charge.refunds')
  return {
    id: session.intent,
    object: 'payment_intent',
    amount: totalOf(session.form),
    amount_capturable: capturableOf(session),
    amount_received: receivedOf(session),
    cancellation_reason: session.cancelledFor ?? null,
    capture_method: isManual(session)
      ? 'manual'
      : (session.form.get('payment_intent_data[capture_method]') ?? 'automatic_async'),
    created: session.created,
    currency: currencyOf(session.form),
    latest_charge: !hasCharge(session)
      ? null
      : isExpanded
        ? chargeJson(session, withRefunds)
        : chargeOf(session),
    livemode: true,
    metadata: { ...membersOf(session.form, 'payment_intent_data[metadata]'), ...session.noted },
    status: session.status === 'expired' ? 'canceled' : INTENT_STATUS[session.money],
    ...(session.terminal ? atTerminalJson(session, session.terminal) : {}),
  }
}

/** The additional members of a payment intent at a terminal: the tip, and why the last card was declined. */
function atTerminalJson({ form, money }: Session, { tip, error }: NonNullable<Session['terminal']>) {
  return {
    allowed_payment_method_types: [form.get('allowed_payment_method_types[0]')],
    amount_details: tip > 0 ? { tip: { amount: tip } } : { tip: {} },
    last_payment_error: money === 'paid' ? null : error,
    payment_method_types: [form.get('allowed_payment_method_types[0]')],
  }
}

/** https://docs.stripe.com/api/charges/object, `payment_method_details.card_present` */
function cardPresentJson(last4: string) {
  return {
    brand: 'visa',
    last4,
    read_method: 'contactless_emv',
    receipt: { authorization_code: '123456', application_preferred_name: 'VISA CREDIT' },
    cardholder_name: 'ANYBODY/A',
  }
}

export function chargeOf({ intent }: Session): string {
  return intent.replace('pi_', 'ch_')
}

/** Statuses of refunds that count. A failed or cancelled refund does not, because its money is back. */
const GIVEN_BACK: ReadonlySet<RefundStatus> = new Set(['pending', 'requires_action', 'succeeded'])

export function refundedOf({ refunds }: Session): number {
  return refunds.filter(({ status }) => GIVEN_BACK.has(status)).reduce((sum, { amount }) => sum + amount, 0)
}

/** https://docs.stripe.com/api/refunds/object */
export function refundJson(session: Session, { id, amount, status, metadata }: Refund) {
  return {
    id,
    object: 'refund',
    amount,
    charge: chargeOf(session),
    created: session.created,
    currency: currencyOf(session.form),
    ...(status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
    metadata,
    payment_intent: session.intent,
    reason: null,
    status,
  }
}

/**
 * The refunds of a payment: the ten newest if the form does not say otherwise. Stripe makes a refund of released
 * money too, except with multicapture.
 */
export function refundsJson(session: Session, url: string, form: Form = new Map()) {
  const amount = session.isMulticapture ? 0 : releasedOf(session)
  const id = session.intent.replace('pi_', 're_')
  const rest = amount > 0 ? [{ id, amount, status: 'succeeded' as const, metadata: {} }] : []
  return listJson(
    form,
    url,
    [...rest, ...session.refunds].map((refund) => refundJson(session, refund)),
  )
}

/** A page of a list, the newest first. */
export function listJson(form: Form, url: string, all: readonly { id: string }[]) {
  const newest = all.toReversed()
  const after = newest.findIndex(({ id }) => id === form.get('starting_after')) + 1
  const limit = Number(form.get('limit') ?? 10)
  const data = newest.slice(after, after + limit)
  return { object: 'list', data, has_more: after + limit < newest.length, url }
}

/**
 * https://docs.stripe.com/api/charges/object: a charge has its payment intent's metadata. Stripe counts
 * released money as refunded, except with multicapture. `refunds` is there only if it is expanded.
 */
export function chargeJson(session: Session, withRefunds = false) {
  const type = methodOf(session)
  const refunded = refundedOf(session) + (session.isMulticapture ? 0 : releasedOf(session))
  const reserved = isManual(session) ? { capture_before: heldUntil(session) } : {}
  const status = session.isMulticapture ? 'available' : 'unavailable'
  return {
    id: chargeOf(session),
    object: 'charge',
    amount: totalOf(session.form),
    amount_captured: receivedOf(session),
    amount_refunded: refunded,
    captured: session.money === 'paid',
    created: session.reservedAt ?? session.created,
    currency: currencyOf(session.form),
    disputed: session.disputes.length > 0,
    livemode: true,
    metadata: membersOf(session.form, 'payment_intent_data[metadata]'),
    paid:
      session.money === 'paid' || (session.terminal ? session.reservedAt !== undefined : isManual(session)),
    payment_intent: session.intent,
    payment_method_details: {
      type,
      ...(session.terminal && type === 'card_present'
        ? { card_present: { ...cardPresentJson(session.terminal.card), ...reserved } }
        : {}),
      ...(type === 'card' ? { card: { brand: 'visa', multicapture: { status }, ...reserved } } : {}),
    },
    refunded: refunded === totalOf(session.form),
    ...(withRefunds ? { refunds: refundsJson(session, `/v1/charges/${chargeOf(session)}/refunds`) } : {}),
    status: session.money === 'failed' ? 'failed' : session.money === 'underway' ? 'pending' : 'succeeded',
  }
}

/**
 * The payment intent, which exists once the customer begins to pay. Expanding one of its members expands it
 * too.
 */
function intentOf(session: Session, expand: readonly string[]) {
  if (session.money === 'none') return null
  const within = expand.flatMap((name) => /^payment_intent(?:\.(.+))?$/.exec(name)?.[1] ?? [])
  return expand.some((name) => name.startsWith('payment_intent'))
    ? intentJson(session, within)
    : session.intent
}

export function sessionJson(session: Session, expand: readonly string[] = []) {
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

/** An event about the current state of an object: https://docs.stripe.com/api/events/object */
export function eventJson(type: string, object: object, at: number) {
  return {
    id: idOf('evt_1'),
    object: 'event',
    api_version: API_VERSION,
    created: Math.floor(at / 1000),
    data: { object },
    livemode: true,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
}
