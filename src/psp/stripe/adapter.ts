import * as v from 'valibot'
import { formatAmount } from '../../contract/money.ts'
import {
  type AnnounceAnswer,
  type RefusedOrder,
  type AskAnswer,
  ofOrderOrAccount,
  refusedOrder,
} from '../answer.ts'
import { type Called, type Call, apiClient, postUntilFree, isConflict, unavailable } from '../http-client.ts'
import { type Checked, type Connection, type PaymentRequest, type Psp, defineAdapter } from '../port.ts'
import { toPspUnits, shorten, fromPspUnits, urlPart } from '../values.ts'
import { jobOf, readNotification } from './notification.ts'
import { askRefund, refund } from './refunds.ts'
import {
  SESSIONS,
  Session,
  amountIn,
  endOf,
  intentIdOf,
  meaningIn,
  askSession,
  sessionPath,
  toSeen,
  toRefused,
} from './session.ts'
import { Credentials, modeOf, LIMITS, METHODS, UNITS, DESCRIPTION_LENGTH, localeOf } from './tables.ts'

const ENDPOINT = 'https://api.stripe.com'

/**
 * The version of the API that all of this was written for, whatever the account's own is. From
 * 2026-09-30 on a payment method is asked for by `allowed_payment_method_types`;
 * `payment_method_types` is refused:
 * https://docs.stripe.com/changelog/endive/2026-09-30/remove-payment-method-types-checkout-sessions
 */
const VERSION = '2026-10-28.endive'

function open({ fetch, endpoint = ENDPOINT, credentials }: Connection<Credentials>): Psp {
  const { secretKey } = credentials
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': VERSION }
  const call = apiClient({ fetch, endpoint, headers, secret: secretKey })

  return {
    async announce(payment, deadline) {
      const amount = toPspUnits(payment.amount, payment.currency, UNITS)
      if (amount === null) return tooFine(payment)
      const body = announcement(payment, amount)
      for (const idempotencyKey of keysOf(payment.job)) {
        const options = { body, idempotencyKey, deadline }
        const answer = await postUntilFree(call, SESSIONS, options, isConflict)
        if (answer.is === 'answered' || !answer.replayed) return toAnnounced(answer, payment)
        if (deadline.aborted) break
      }
      return unavailable('Stripe repeats its fault of before.')
    },
    ask: (reference, currency) => askSession(call, reference, currency),
    jobOf: (reference) => jobOf(call, reference),
    async stop(reference, currency) {
      const answer = await call('POST', `${sessionPath(reference)}/expire`, { body: new URLSearchParams() })
      // 400: it is no longer open. How it stands now is the answer.
      if (answer.is === 'answered' && answer.status === 400) return askSession(call, reference, currency)
      const seen = toSeen(answer, currency)
      return seen.is === 'observed' && seen.status === 'EXPIRED' ? { ...seen, status: 'CANCELLED' } : seen
    },
    capture: (reference, amount, currency) => captureSession(call, reference, amount, currency),
    refund: (payment, wanted) => refund(call, payment, wanted),
    askRefund: (payment, wanted) => askRefund(call, payment, wanted),
    readNotification: (notification) => readNotification(notification, credentials, call),
    accepted: 'OK',
    check: async () => toChecked(await call('GET', `${SESSIONS}?limit=1`)),
  }
}

export const stripe = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  limits: LIMITS,
  references: /^(cs|pi)_\w+$/,
  modeOf,
  open,
})

/**
 * Stripe repeats even a 500 for a day under the key that met it: then the next key is tried, which
 * is the same for each repetition. https://docs.stripe.com/api/idempotent_requests
 */
function keysOf(job: string): string[] {
  return [job, ...[2, 3, 4].map((next) => `${job}-${next}`)]
}

function toAnnounced(answer: Called, { currency, amount }: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400 && answer.status !== 409) {
    const refused = toRefused(answer.body)
    return refused.is === 'refused' ? ofOrderOrAccount(answer.status, refused) : refused
  }
  const session = v.safeParse(Session, answer.body)
  if (!session.success || !session.output.url || !URL.canParse(session.output.url)) {
    return unavailable('Stripe answered without a session to check out.')
  }
  const meaning = meaningIn(session.output)
  if (meaning.is === 'unavailable') return meaning
  if (amountIn(session.output, currency) !== amount) {
    return unavailable('Stripe answered with a session of another amount or currency.')
  }
  const { id, url, expires_at } = session.output
  return { is: 'announced', reference: id, checkoutUrl: url, expiresAt: endOf(expires_at) }
}

function toChecked(answer: Called): Checked {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : toRefused(answer.body)
}

function tooFine({ amount, currency }: PaymentRequest): RefusedOrder {
  const step = fromPspUnits(UNITS[currency]?.step ?? 1, currency, UNITS) ?? 1
  return refusedOrder(
    'refused_amount',
    `Stripe cannot take ${formatAmount(amount, currency)} ${currency}: it takes multiples of ${formatAmount(step, currency)}.`,
  )
}

/**
 * It sets no `expires_at`: Stripe's own is after 24 hours, as the hub's, and one that counts from
 * now would differ each time.
 */
function announcement(payment: PaymentRequest, amount: number): URLSearchParams {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language)
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
    ...(locale ? { locale } : {}),
    'metadata[payment_job]': payment.job,
    'payment_intent_data[metadata][payment_job]': payment.job,
  })
}

/**
 * Takes money that is reserved: https://docs.stripe.com/api/payment_intents/capture. Whatever
 * Stripe answers, how the payment stands then is what counts: a 400 says that it was captured
 * already, or is no longer held. It has no idempotency key: Stripe captures once by itself, and
 * would repeat a fault under a key for a day.
 */
async function captureSession(
  call: Call,
  reference: string,
  amount: number,
  currency: string,
): Promise<AskAnswer> {
  const held = await call('GET', sessionPath(reference))
  if (held.is === 'unavailable') return held
  const session = v.safeParse(Session, held.body)
  const intent = session.success ? intentIdOf(session.output) : null
  const units = toPspUnits(amount, currency, UNITS)
  if (intent === null || units === null)
    return unavailable(`Stripe answered ${held.status} without the payment.`)
  const answer = await call('POST', `/v1/payment_intents/${urlPart(intent)}/capture`, {
    body: new URLSearchParams({ amount_to_capture: String(units) }),
  })
  return answer.is === 'unavailable' ? answer : askSession(call, reference, currency)
}
