import { withDeadline } from '../../platform/deadline.ts'
import type { InstructionAnswer } from '../answer.ts'
import { type Call, DEADLINE, apiClient } from '../http-client.ts'
import {
  type Connection,
  type Instruction,
  type MadePayment,
  type PaymentRequest,
  type Psp,
  defineAdapter,
} from '../port.ts'
import { announcedIn, checkedIn, instructedIn, seenIn, stoppedByHub } from '../reading.ts'
import { shorten, toPspUnits } from '../values.ts'
import { stripePayouts } from './payouts.ts'
import { MONEY_EVENTS, SESSION_EVENTS, TERMINAL_EVENTS, jobOf, readNotification } from './notification.ts'
import { CAPTURE, RELEASE, actOn } from './reserved.ts'
import { AT_STRIPE, SESSIONS, callWithKeys, intentOf, sessionPath, tooFine } from './session.ts'
import {
  AFTERPAY_COUNTRIES,
  Credentials,
  DESCRIPTION_LENGTH,
  LIMITS,
  METHODS,
  RESERVES,
  UNITS,
  localeOf,
  modeOf,
} from './tables.ts'
import { stripeTerminals } from './terminal.ts'
import { askSession } from './transfers.ts'

const ENDPOINT = 'https://api.stripe.com'

/**
 * The API version for all requests, whatever the account's default. From 2026-09-30 on,
 * `allowed_payment_method_types` names the method, and Stripe refuses `payment_method_types`:
 * https://docs.stripe.com/changelog/endive/2026-09-30/remove-payment-method-types-checkout-sessions
 */
const VERSION = '2026-10-28.endive'

function open({ fetch, endpoint = ENDPOINT, credentials }: Connection<Credentials>): Psp {
  const { secretKey } = credentials
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': VERSION }
  const account = { headers, secret: secretKey }
  const call = apiClient({
    fetch,
    endpoint,
    authorise: () => account,
    keyHeader: 'idempotency-key',
    // https://docs.stripe.com/api/idempotent_requests
    isReplayed: (answered) => answered.get('idempotent-replayed') === 'true',
  })

  return {
    async announce(payment, deadline) {
      const amount = toPspUnits(payment.amount, payment.currency, UNITS)
      if (amount === null) return tooFine(payment)
      const body = announcement(payment, amount)
      const answer = await callWithKeys(payment.job, deadline, (idempotencyKey) =>
        call('POST', SESSIONS, { body, idempotencyKey, deadline }),
      )
      return announcedIn(AT_STRIPE, answer, payment)
    },
    ask: (reference, currency) => askSession(call, reference, currency),
    jobOf: (reference) => jobOf(call, reference),
    async stop(reference, currency) {
      const answer = await call('POST', `${sessionPath(reference)}/expire`, { body: new URLSearchParams() })
      // 400: the session is no longer open, so the hub asks about it instead.
      if (answer.is === 'answered' && answer.status === 400) return askSession(call, reference, currency)
      return stoppedByHub(seenIn(AT_STRIPE, answer, currency))
    },
    terminals: stripeTerminals(call),
    capture: actOn(call, CAPTURE),
    release: actOn(call, RELEASE),
    refund: (payment, wanted) => refund(call, payment, wanted),
    readNotification: (notification) => readNotification(notification, credentials, call),
    accepted: 'OK',
    payouts: stripePayouts(call),
    check: async () => checkedIn(AT_STRIPE, await call('GET', `${SESSIONS}?limit=1`)),
  }
}

export const stripe = defineAdapter({
  name: 'Stripe',
  credentials: Credentials,
  methods: METHODS,
  limits: LIMITS,
  // The global limit of an account: https://docs.stripe.com/rate-limits. An endpoint takes 25, or more for some.
  requestsPerSecond: { live: 100, test: 25 },
  reserves: RESERVES,
  webhook: `In the dashboard: Developers → Webhooks → Add endpoint, with the events ${[...SESSION_EVENTS.keys(), ...MONEY_EVENTS].join(', ')}. Its signing secret is the webhookSecret of this account.`,
  references: /^(cs|pi)_\w+$/,
  terminals: `Register each reader at Stripe, with its location: in the dashboard under Terminal → Readers. The hub drives smart readers only (BBPOS WisePOS E, Stripe S700 and newer, Verifone). In the account's webhook endpoint also switch on the events ${[...TERMINAL_EVENTS].join(', ')}. A restricted key also needs write access to Terminal readers.`,
  modeOf,
  open,
})

/**
 * Returns the session to create. It has no `expires_at`: Stripe's default is 24 hours, like the hub's,
 * and a time counted from now would differ in each repetition.
 */
function announcement(payment: PaymentRequest, amount: number): URLSearchParams {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language)
  const isManual = payment.capture === 'manual'
  return new URLSearchParams({
    mode: 'payment',
    client_reference_id: payment.job,
    'line_items[0][price_data][currency]': payment.currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(amount),
    'line_items[0][price_data][product_data][name]': shorten(payment.description, DESCRIPTION_LENGTH),
    'line_items[0][quantity]': '1',
    success_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    ...(method ? { 'allowed_payment_method_types[0]': method } : {}),
    // "The client type that the end customer will pay from" is required for WeChat Pay.
    ...(method === 'wechat_pay' ? { 'payment_method_options[wechat_pay][client]': 'web' } : {}),
    ...(method === 'afterpay_clearpay' ? shippingTo(AFTERPAY_COUNTRIES) : {}),
    ...(locale ? { locale } : {}),
    'metadata[payment_job]': payment.job,
    // Stripe's dashboard and payouts show this, so it has the order's number.
    'payment_intent_data[description]': shorten(payment.description, DESCRIPTION_LENGTH),
    'payment_intent_data[metadata][payment_job]': payment.job,
    ...(isManual ? { 'payment_intent_data[capture_method]': 'manual' } : {}),
    // Several captures, if the card and the account allow them: https://docs.stripe.com/payments/multicapture
    ...(isManual && (method ?? 'card') === 'card'
      ? { 'payment_method_options[card][request_multicapture]': 'if_available' }
      : {}),
  })
}

/** Makes Stripe's page ask the customer for an address in one of these countries. */
function shippingTo(countries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    countries.map((country, at) => [`shipping_address_collection[allowed_countries][${at}]`, country]),
  )
}

/**
 * Requests a refund: https://docs.stripe.com/api/refunds/create. The hub's id of the refund is its
 * idempotency key. The metadata has it too, and the job's id for notifications.
 */
function refund(call: Call, payment: MadePayment, wanted: Instruction): Promise<InstructionAnswer> {
  return withDeadline(DEADLINE, async (deadline) => {
    const amount = toPspUnits(wanted.amount, wanted.currency, UNITS)
    if (amount === null)
      return { is: 'refused', message: `Stripe cannot refund that much ${wanted.currency}.` }
    const intent = await intentOf(call, payment.reference, deadline)
    if (!intent.ok) return intent.error
    if (!intent.value?.id) return { is: 'refused', message: 'Stripe has no paid payment to refund.' }
    const body = new URLSearchParams({
      payment_intent: intent.value.id,
      amount: String(amount),
      'metadata[refund]': wanted.id,
      'metadata[payment_job]': payment.job,
    })
    return instructedIn(
      AT_STRIPE,
      'refund',
      await call('POST', '/v1/refunds', { body, idempotencyKey: wanted.id, deadline }),
    )
  })
}
