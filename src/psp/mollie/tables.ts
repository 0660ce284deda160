import * as v from 'valibot'
import { closestLocale } from '../../contract/language.ts'
import type { Mode } from '../../contract/values.ts'
import {
  type Reasons,
  type Meaning,
  type PatienceTable,
  AUTHORIZED,
  OPEN,
  PAID,
  UNDERWAY,
  closedAs,
  endedAs,
  wordIn,
} from '../answer.ts'
import { type Limits, type Reserves, credential } from '../port.ts'
import type { Units } from '../values.ts'

export const Credentials = v.object({
  apiKey: credential(
    /^(test|live)_\w{10,}$/,
    'must be a Mollie API key: test_… or live_…',
    'API key (live_… or test_…), from Developers → API keys',
  ),
  organisationToken: v.optional(
    credential(
      /^access_\w{10,}$/,
      'must be an access token of the organisation: access_…',
      'access token of the organisation with settlements.read (access_…), from Developers → Organization access tokens; only for what Mollie paid out',
    ),
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>

/** Returns the mode that a key shows. */
export function modeOf({ apiKey }: Credentials): Mode {
  return apiKey.startsWith('live_') ? 'live' : 'test'
}

/**
 * Mollie's payment methods, with other names for them (`method` in
 * https://docs.mollie.com/reference/create-payment). Direct debits (`directdebit`, `bacs`) are
 * missing: Mollie needs an earlier mandate of the customer.
 */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ...(
    'applepay bancomatpay bancontact banktransfer belfius bizum blik creditcard ' +
    'eps giftcard ideal kbc mbway mobilepay multibanco mybank paybybank paypal ' +
    'paysafecard przelewy24 satispay swish trustly twint vipps'
  )
    .split(' ')
    .map((name) => [name, name] as const),
  ['card', 'creditcard'],
  // Missing from the enum of the create call, in which it is a way to pay by card.
  ['googlepay', 'creditcard'],
  ['mistercash', 'bancontact'],
  ['p24', 'przelewy24'],
])

const NO_ADDRESS = "Mollie needs the customer's billing address for it, which the hub's API does not carry."
const NO_CATEGORIES = 'Mollie needs the categories of the goods for it, which the hub does not know.'

/**
 * Mollie's methods that the hub cannot ask for. `billingAddress` in
 * https://docs.mollie.com/reference/create-payment: "Required for payment method alma, in3, klarna, billie,
 * billink and riverty"; one line for the whole order does not replace it. `voucher` needs order lines
 * with a category of goods each: https://docs.mollie.com/docs/integrating-vouchers. Mollie's page does
 * not offer these methods either.
 */
export const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ...'alma billie billink in3 klarna riverty'.split(' ').map((name) => [name, NO_ADDRESS] as const),
  ['voucher', NO_CATEGORIES],
])

/**
 * The limits on Mollie's pages of methods: https://docs.mollie.com/docs/blik,
 * https://docs.mollie.com/docs/bancontact
 */
export const LIMITS: Limits = new Map([
  ['bancontact', [{ currency: 'EUR', minimum: 2 }]],
  ['mistercash', [{ currency: 'EUR', minimum: 2 }]],
  ['blik', [{ currency: 'PLN', minimum: 1, maximum: 5_000_000 }]],
])

/** Mollie's locale for a language. The first one of a language is its default. */
export const localeOf = closestLocale(
  'en_US en_GB en_BE en_NL nl_NL nl_BE de_DE de_AT de_CH de_LU fr_FR fr_BE fr_LU cs_CZ sk_SK es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI da_DK is_IS hu_HU pl_PL lv_LV lt_LT',
)

/** Mollie's decimals, if they are not those of ISO 4217: https://docs.mollie.com/docs/multicurrency */
export const UNITS: Units = { ISK: { decimals: 0 }, JPY: { decimals: 0 } }

/** Mollie cuts longer descriptions by itself, at this length or a shorter one of the method. */
export const DESCRIPTION_LENGTH = 255

/**
 * The reason for a refusal, by the `field` of the error:
 * https://docs.mollie.com/reference/handling-errors
 */
export const REASONS: Reasons = new Map([
  ['amount', 'refused_amount'],
  ['method', 'refused_method'],
  ['profileId', 'refused_account'],
])

/**
 * https://docs.mollie.com/docs/status-change. `pending`: "the actual payment process has been
 * started, but it is not complete yet".
 */
export const STATUSES = {
  open: OPEN,
  pending: UNDERWAY,
  authorized: AUTHORIZED,
  paid: PAID,
  canceled: closedAs('CANCELLED'),
  expired: closedAs('EXPIRED'),
  failed: closedAs('FAILURE'),
} satisfies Record<string, Meaning>

/**
 * Methods by which money may still come after the end, if the customer sends it late:
 * https://docs.mollie.com/docs/status-change#expiry-times-per-payment-method
 */
const LATE_METHODS: ReadonlySet<string> = new Set(['banktransfer'])

export function meaningOf(status: string, method: string | null): Meaning | undefined {
  const meaning = wordIn<Meaning>(STATUSES, status)
  return meaning?.is === 'ended' && LATE_METHODS.has(method ?? '') ? endedAs(meaning.status) : meaning
}

/**
 * Days that money may be under way:
 * https://docs.mollie.com/docs/status-change#expiry-times-per-payment-method. Mollie holds
 * authorisations for 28 days at most: https://docs.mollie.com/docs/place-a-hold-for-a-payment
 */
export const PATIENCE: PatienceTable = {
  methods: new Map([
    ['banktransfer', 30],
    ['directdebit', 21],
    ['bacs', 21],
    ['multibanco', 7],
  ]),
  otherwise: 7,
  authorized: 28,
}

/** https://docs.mollie.com/docs/refunds: Mollie takes up to two working days to send a refund on. */
export const REFUND_STATUSES = {
  queued: 'pending',
  pending: 'pending',
  processing: 'pending',
  refunded: 'done',
  failed: 'failed',
  canceled: 'failed',
} as const

/** https://docs.mollie.com/docs/place-a-hold-for-a-payment: "Captures have their own status." */
export const CAPTURE_STATUSES = {
  pending: 'pending',
  succeeded: 'done',
  failed: 'failed',
} as const

/**
 * The methods with manual capture (https://docs.mollie.com/docs/place-a-hold-for-a-payment) that the hub
 * can ask for, so not Klarna, Billie and Riverty. Cards of Visa and American Express are held for "at
 * least 7 days", others longer. Mollie names no days for Vipps and MobilePay: a card behind them has "as
 * short as 7 days" (https://developer.vippsmobilepay.com/docs/knowledge-base/reserve-and-capture). Each
 * payment's own end is its `captureBefore`. A payment without a method is missing, because the customer
 * may choose one that cannot be held.
 */
export const RESERVES: Reserves = {
  days: new Map('creditcard card googlepay mobilepay vipps'.split(' ').map((name) => [name, 7] as const)),
  captures: 'several',
}
