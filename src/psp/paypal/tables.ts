import * as v from 'valibot'
import { closestLocale } from '../../contract/language.ts'
import {
  type Meaning,
  type PatienceTable,
  type Reasons,
  AUTHORIZED,
  OPEN,
  PAID,
  UNDERWAY,
  closedAs,
  endedAs,
} from '../answer.ts'
import { type Reserves, credential } from '../port.ts'
import type { Units } from '../values.ts'

export const Credentials = v.object({
  clientId: credential(
    /^[\w-]{40,128}$/,
    'must be the client ID of a REST app',
    'client ID of the REST app, from developer.paypal.com → Apps & Credentials',
  ),
  clientSecret: credential(
    /^[\w-]{40,128}$/,
    'must be the secret of a REST app',
    'secret of the same app, for live or for sandbox',
  ),
  webhookId: credential(
    /^[A-Z0-9]{10,30}$/,
    'must be the id of a webhook, such as 8PT597110X687430L',
    "id of the app's webhook, from the same page",
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>

/**
 * PayPal's page has PayPal, Pay Later and often cards, and the customer chooses. PayPal has local methods too, but
 * they need the customer's name and country, which the hub's API does not carry.
 */
export const METHODS: ReadonlyMap<string, string> = new Map([['paypal', 'paypal']])

/** PayPal's locale for a language: https://developer.paypal.com/reference/locale-codes/ */
export const localeOf = closestLocale(
  'en-US en-GB en-AU en-IN nl-NL de-DE fr-FR fr-CA es-ES it-IT pt-PT pt-BR da-DK sv-SE no-NO fi-FI pl-PL cs-CZ sk-SK hu-HU el-GR tr-TR ru-RU he-IL ar-EG ja-JP ko-KR th-TH id-ID zh-CN zh-TW zh-HK',
)

/** "This currency does not support decimals": https://developer.paypal.com/reference/currency-codes/ */
export const UNITS: Units = { HUF: { decimals: 0 }, JPY: { decimals: 0 }, TWD: { decimals: 0 } }

/** `description` of a purchase unit: https://developer.paypal.com/docs/api/orders/v2/#orders_create */
export const DESCRIPTION_LENGTH = 127

/** The reason for a refusal, by the `issue` of its details: https://developer.paypal.com/api/rest/reference/orders/v2/errors/ */
export const REASONS: Reasons = new Map([
  ...(
    'CANNOT_BE_NEGATIVE CANNOT_BE_ZERO_OR_NEGATIVE CURRENCY_NOT_SUPPORTED_FOR_COUNTRY DECIMALS_NOT_SUPPORTED ' +
    'DECIMAL_PRECISION INVALID_CURRENCY_CODE MAX_VALUE_EXCEEDED TRANSACTION_LIMIT_EXCEEDED ' +
    'TRANSACTION_RECEIVING_LIMIT_EXCEEDED'
  )
    .split(' ')
    .map((issue) => [issue, 'refused_amount'] as const),
  ...'NOT_ENABLED_FOR_CARD_PROCESSING PAYMENT_SOURCE_CANNOT_BE_USED PAYMENT_SOURCE_NOT_SUPPORTED'
    .split(' ')
    .map((issue) => [issue, 'refused_method'] as const),
  ...'CONSENT_NEEDED PAYEE_ACCOUNT_INVALID PAYEE_ACCOUNT_LOCKED_OR_CLOSED PAYEE_ACCOUNT_RESTRICTED PERMISSION_DENIED'
    .split(' ')
    .map((issue) => [issue, 'refused_account'] as const),
])

/**
 * The statuses of an order: https://developer.paypal.com/docs/api/orders/v2/#orders_get. An approved order is open,
 * because PayPal moves no money before the hub confirms it. How a completed one was paid, its captures and its
 * authorisation show.
 */
export const STATUSES = {
  CREATED: OPEN,
  SAVED: OPEN,
  PAYER_ACTION_REQUIRED: OPEN,
  APPROVED: OPEN,
  COMPLETED: PAID,
  VOIDED: closedAs('CANCELLED'),
} satisfies Record<string, Meaning>

/**
 * https://developer.paypal.com/docs/api/payments/v2/#authorizations_get. PayPal voids an authorisation that nobody
 * captured in time.
 */
export const AUTHORIZATION_STATUSES = {
  CREATED: AUTHORIZED,
  PENDING: UNDERWAY,
  PARTIALLY_CAPTURED: AUTHORIZED,
  CAPTURED: PAID,
  DENIED: endedAs('FAILURE'),
  VOIDED: closedAs('CANCELLED'),
} satisfies Record<string, Meaning>

/** https://developer.paypal.com/docs/api/payments/v2/#captures_get. What went back, the refunds show. */
export const CAPTURE_STATUSES = {
  COMPLETED: 'done',
  PARTIALLY_REFUNDED: 'done',
  REFUNDED: 'done',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
} as const

/** https://developer.paypal.com/docs/api/payments/v2/#refunds_get */
export const REFUND_STATUSES = {
  COMPLETED: 'done',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'failed',
} as const

/** The reasons of a refunded capture whose money the customer took back by a dispute. */
export const DISPUTED: ReadonlySet<string> = new Set(['BUYER_COMPLAINT', 'CHARGEBACK'])

/**
 * What it means if PayPal refuses to capture or authorise an approved order, by the `issue`. After a decline the
 * customer can choose another way to pay at the same address:
 * https://developer.paypal.com/docs/checkout/standard/customize/handle-funding-failures/
 */
export const CONFIRMATIONS: Readonly<Record<string, Meaning>> = {
  ORDER_NOT_APPROVED: OPEN,
  PAYER_ACTION_REQUIRED: OPEN,
  INSTRUMENT_DECLINED: OPEN,
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: OPEN,
  PAYER_CANNOT_PAY: OPEN,
  TRANSACTION_REFUSED: OPEN,
  COMPLIANCE_VIOLATION: endedAs('FAILURE'),
  DOMESTIC_TRANSACTION_REQUIRED: endedAs('FAILURE'),
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: endedAs('FAILURE'),
  PAYEE_BLOCKED_TRANSACTION: endedAs('FAILURE'),
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: endedAs('FAILURE'),
  PAYER_ACCOUNT_RESTRICTED: endedAs('FAILURE'),
  TRANSACTION_BLOCKED_BY_PAYEE: endedAs('FAILURE'),
  TRANSACTION_LIMIT_EXCEEDED: endedAs('FAILURE'),
  TRANSACTION_RECEIVING_LIMIT_EXCEEDED: endedAs('FAILURE'),
  ORDER_EXPIRED: endedAs('EXPIRED'),
}

/** The issues of a confirmation, or of a void, that was carried out before: the order shows what came of it. */
export const DONE_BEFORE: ReadonlySet<string> = new Set([
  'ORDER_ALREADY_AUTHORIZED',
  'ORDER_ALREADY_CAPTURED',
  'ORDER_COMPLETED_OR_VOIDED',
  'ORDER_COMPLETION_IN_PROGRESS',
  'PREVIOUSLY_VOIDED',
])

/** The issues of a refund that PayPal may make later: the capture is not completed, or the balance is too low. */
export const NOT_YET: ReadonlySet<string> = new Set(['PENDING_CAPTURE', 'REFUND_FAILED_INSUFFICIENT_FUNDS'])

/**
 * Days that money may be under way. PayPal names days only for authorisations ("29 days"):
 * https://developer.paypal.com/docs/checkout/advanced/authorization-honor. An eCheck takes up to six working days.
 */
export const PATIENCE: PatienceTable = { methods: new Map(), otherwise: 14, authorized: 29 }

/**
 * "PayPal recommends that you capture the funds within the three-day honor period", although an authorisation "is valid
 * for 29 days": https://developer.paypal.com/docs/checkout/advanced/authorization-honor. Afterwards the customer may not
 * have the money any more. Each payment's own end is its `expiration_time`. For several captures "you must enable this
 * feature on your PayPal account", which the API does not show.
 */
export const RESERVES: Reserves = { days: new Map([['paypal', 3]]), captures: 'several' }
