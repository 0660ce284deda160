import * as v from 'valibot'
import { closestLocale } from '../../contract/language.ts'
import { Integer, type Mode } from '../../contract/values.ts'
import {
  AUTHORIZED,
  type Meaning,
  type Reasons,
  OPEN,
  PAID,
  type PatienceTable,
  type Transfer,
  type Unavailable,
  UNDERWAY,
  closedAs,
  endedAs,
  unknownWord,
  wordIn,
} from '../answer.ts'
import { type Limits, type Reserves, credential } from '../port.ts'
import { type Units, fromPspUnits } from '../values.ts'

export const Credentials = v.object({
  secretKey: credential(
    /^[sr]k_(test|live)_[\x21-\x7e]+$/,
    'must be a Stripe secret key: sk_live_…, sk_test_…, rk_…',
    'secret key (sk_…), or a restricted one (rk_…) that may write Checkout Sessions, PaymentIntents and Charges and Refunds, and read Disputes, from Developers → API keys',
  ),
  webhookSecret: credential(
    /^[\s,]*whsec_[^\s,]+([\s,]+whsec_[^\s,]+)*[\s,]*$/,
    'must be a Stripe signing secret: whsec_…, or several with spaces between them',
    "the webhook endpoint's signing secret (whsec_…), from Developers → Webhooks; while you roll it, also the previous one, after a space",
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>

/** Returns the mode that a key shows. */
export function modeOf({ secretKey }: Credentials): Mode {
  return /^.k_live_/.test(secretKey) ? 'live' : 'test'
}

function all<Value>(codes: string, value: Value): Record<string, Value> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, value]))
}

/**
 * The currencies that Stripe does not count with two decimals, and those that ISO 4217 does not:
 * https://docs.stripe.com/currencies. UGX is both in Stripe's list of zero-decimal currencies and in its
 * special cases. The latter say how payments count: like ISK, with two decimals that are always 00. The
 * last of three decimals is always 0
 * (https://web.archive.org/web/20220618095455/https://stripe.com/en-mt/docs/currencies).
 */
export const UNITS: Units = {
  ...all('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF', { decimals: 0 }),
  ...all('ISK UGX', { decimals: 2, step: 100 }),
  ...all('BHD JOD KWD OMR TND', { decimals: 3, step: 10 }),
  // "Currencies are two-decimal currencies unless otherwise specified."
  ...all('CLF IQD LYD UYI UYW', { decimals: 2 }),
}

/**
 * Checkout's locale for a language. The first one of a language is its default:
 * https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-locale
 */
export const localeOf = closestLocale(
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW',
)

/**
 * Stripe's types of payment methods, by the names that points of sale use, in lower case:
 * https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-allowed_payment_method_types.
 * Stripe takes wallets as cards. Klarna has replaced Sofort. Bank transfers are missing, because
 * Stripe makes them only for customers that it knows.
 */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ...(
    'alipay alma bancontact billie bizum blik eps ideal klarna link mobilepay multibanco p24 ' +
    'paypal pix satispay scalapay swish twint'
  )
    .split(' ')
    .map((name) => [name, name] as const),
  ...Object.entries({
    ...all('card creditcard debitcard applepay googlepay', 'card'),
    ...all('directdebit sepa sepadebit sepadirectdebit', 'sepa_debit'),
    ...all('afterpay clearpay', 'afterpay_clearpay'),
    amazonpay: 'amazon_pay',
    bacs: 'bacs_debit',
    mbway: 'mb_way',
    paybybank: 'pay_by_bank',
    przelewy24: 'p24',
    revolutpay: 'revolut_pay',
    sofort: 'klarna',
    wechatpay: 'wechat_pay',
  }),
])

/**
 * Where customers of Afterpay and Clearpay live. With them "Shipping addresses must be provided" to a session:
 * https://docs.stripe.com/payments/afterpay-clearpay/accept-a-payment
 */
export const AFTERPAY_COUNTRIES: readonly string[] = ['AU', 'CA', 'GB', 'NZ', 'US']

/** "Maximum amount 5000.00 CHF": https://docs.stripe.com/payments/twint */
export const LIMITS: Limits = new Map([['twint', [{ currency: 'CHF', maximum: 500_000 }]]])

/** Stripe refuses longer product names since 2018-10-31: https://docs.stripe.com/changelog#2018-10-31 */
export const DESCRIPTION_LENGTH = 250

/**
 * The reason for a refusal, by its `code` or the last name of its `param`:
 * https://docs.stripe.com/error-codes
 */
export const REASONS: Reasons = new Map([
  ['amount_too_large', 'refused_amount'],
  ['amount_too_small', 'refused_amount'],
  ['invalid_charge_amount', 'refused_amount'],
  ['unit_amount', 'refused_amount'],
  ['currency', 'refused_amount'],
  ['allowed_payment_method_types', 'refused_method'],
  ['payment_method_types', 'refused_method'],
  ['payment_method_unactivated', 'refused_method'],
  ['account_closed', 'refused_account'],
  ['account_invalid', 'refused_account'],
  ['testmode_charges_only', 'refused_account'],
])

/**
 * Converts an amount of Stripe's to minor units; null in another currency, if unreadable, or if minor
 * units cannot hold it.
 */
export function minorUnits(value: unknown, code: string, currency: string): number | null {
  return v.is(Integer, value) && code === currency.toLowerCase() ? fromPspUnits(value, currency, UNITS) : null
}

/** https://docs.stripe.com/api/checkout/sessions/object: `status` and `payment_status` */
export const SESSION_STATUSES = ['open', 'complete', 'expired']
export const PAYMENT_STATUSES = ['paid', 'unpaid', 'no_payment_required']

const EXPIRED = closedAs('EXPIRED')
const FAILED = closedAs('FAILURE')

/**
 * The meaning of a session without money, by the status of its payment intent, or `none` without an
 * intent: https://docs.stripe.com/payments/paymentintents/lifecycle.
 * `complete`: the customer is done, and cannot pay the same session again. If the payment failed,
 * "contact the customer […] and request that they place a new order":
 * https://docs.stripe.com/checkout/fulfillment. A voucher waits for the customer's bank as
 * `requires_action`.
 * `expired`: Stripe has cancelled the payment intent. The hub still waits for money that has arrived.
 */
export const INTENTS: Readonly<Record<string, { complete: Meaning; expired: Meaning }>> = {
  none: { complete: UNDERWAY, expired: EXPIRED },
  requires_payment_method: { complete: FAILED, expired: EXPIRED },
  requires_confirmation: { complete: UNDERWAY, expired: EXPIRED },
  requires_action: { complete: UNDERWAY, expired: EXPIRED },
  requires_capture: { complete: AUTHORIZED, expired: AUTHORIZED },
  processing: { complete: UNDERWAY, expired: UNDERWAY },
  succeeded: { complete: UNDERWAY, expired: UNDERWAY },
  canceled: { complete: FAILED, expired: EXPIRED },
}

/**
 * Returns the meaning of Stripe's three words together; `unavailable` if the deciding one is unknown.
 * Money that has arrived counts, whatever the intent says. The hub always asks for money, so a session
 * that needed none is a failure.
 */
export function meaningOf(status: string, payment: string, intent: string): Meaning | Unavailable {
  if (!SESSION_STATUSES.includes(status)) return unknownWord('Stripe', 'session', status)
  if (!PAYMENT_STATUSES.includes(payment)) return unknownWord('Stripe', 'payment', payment)
  if (payment === 'paid') return PAID
  if (payment === 'no_payment_required' && status === 'complete') return FAILED
  if (status === 'open') return OPEN
  const meant = wordIn(INTENTS, intent)
  return status === 'expired'
    ? (meant?.expired ?? endedAs('EXPIRED'))
    : (meant?.complete ?? unknownWord('Stripe', 'payment intent', intent))
}

/**
 * Days that money may be under way, converted from business days if Stripe counts those: SEPA 14
 * (https://docs.stripe.com/payments/sepa-debit), Bacs 7
 * (https://docs.stripe.com/payments/payment-methods/bacs-debit), and others that customers may
 * choose: https://docs.stripe.com/payments/payment-methods#payment-notification. Boleto and konbini
 * may take up to 60 days. Stripe holds money for 31 days at most:
 * https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
 */
export const PATIENCE: PatienceTable = {
  methods: new Map([
    ['sepa_debit', 21],
    ['bacs_debit', 11],
    ['multibanco', 14],
    ['boleto', 62],
    ['konbini', 62],
  ]),
  otherwise: 14,
  authorized: 31,
}

/**
 * What a dispute's status means: "Stripe deducts the dispute amount" when a dispute opens, and returns it when the
 * merchant wins. A warning is a question, and takes none:
 * https://docs.stripe.com/disputes/how-disputes-work, https://docs.stripe.com/api/disputes/object
 */
export const DISPUTE_STATUSES: Readonly<Record<string, Transfer['state']>> = {
  warning_needs_response: 'pending',
  warning_under_review: 'pending',
  warning_closed: 'failed',
  needs_response: 'done',
  under_review: 'done',
  appeal_needs_response: 'done',
  appeal_under_review: 'done',
  won: 'returned',
  lost: 'done',
  prevented: 'failed',
}

/** https://docs.stripe.com/api/refunds/object: `status` */
export const REFUND_STATUSES = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
} as const

/**
 * The status of a payment intent that the hub has captured. "Attempting to capture the funds moves it to
 * `processing`", and if several captures are possible it stays `requires_capture`:
 * https://docs.stripe.com/payments/paymentintents/lifecycle, https://docs.stripe.com/payments/multicapture
 */
export const CAPTURE_STATUSES = {
  succeeded: 'done',
  requires_capture: 'done',
  processing: 'pending',
  requires_payment_method: 'failed',
  canceled: 'failed',
} as const

/** The statuses of a payment intent after which nothing is held any more. */
export const RELEASE_STATUSES = { canceled: 'done', succeeded: 'done' } as const

/**
 * For how many days Stripe holds money, by its types of methods that Checkout can capture manually:
 * https://docs.stripe.com/payments/place-a-hold-on-a-payment-method,
 * https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-payment_method_options
 */
const HOLDS: Readonly<Record<string, number>> = {
  card: 7,
  // https://docs.stripe.com/terminal/features/extended-authorizations
  card_present: 2,
  afterpay_clearpay: 13,
  // "By midnight of the 28th calendar day after the charge request": at least 27 days.
  klarna: 27,
  // "Stripe automatically attempts to extend the hold for another 10 days."
  paypal: 10,
  // Stripe names no days for these, but "a set number of days (7 by default)" for all:
  // https://docs.stripe.com/api/payment_intents/capture
  ...all('alma amazon_pay billie link mobilepay revolut_pay satispay scalapay', 7),
}

/** Returns for how many days Stripe holds money by one of its types of methods; by default 7. */
export function daysHeld(type: string | undefined): number {
  return wordIn(HOLDS, type) ?? 7
}

/**
 * "You can only perform one capture on an authorized payment for most payments"; several captures of a
 * card need a contract (IC+): https://docs.stripe.com/payments/multicapture
 */
export const RESERVES: Reserves = {
  days: new Map(
    [...METHODS].filter(([, type]) => type in HOLDS).map(([name, type]) => [name, daysHeld(type)]),
  ),
  captures: 'once',
  whole: new Set(['mobilepay']),
}
