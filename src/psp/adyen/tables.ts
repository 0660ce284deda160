import * as v from 'valibot'
import { closestLocale } from '../../contract/language.ts'
import { type Reasons, type Meaning, type PatienceTable, OPEN, PAID, UNDERWAY, endedAs } from '../answer.ts'
import { type Reserves, credential } from '../port.ts'
import type { Units } from '../values.ts'

/** Returns the hexadecimal keys in a text, between spaces or commas; none for anything else. */
export function keysIn(text: string): string[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '')
  return keys.every((key) => /^([0-9a-f]{2})+$/i.test(key)) ? keys : []
}

/** Returns an API key as Adyen's Customer Area shows it. */
function apiKey(description: string) {
  return credential(/^[\x21-\x7e]+$/, 'must be an Adyen API key, without spaces', description)
}

function eventCredential(description: string) {
  return v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty'), v.description(description))
}

export const Credentials = v.object({
  apiKey: apiKey('API key, from Developers → API credentials → Server settings → Authentication'),
  merchantAccount: credential(
    /^\S+$/,
    'must be the name of a merchant account, without spaces',
    'Name of the merchant account, as in the top left of the Customer Area',
  ),
  hmacKey: v.pipe(
    v.string('must be a text'),
    v.check((text) => keysIn(text).length > 0, 'must be one or more hexadecimal keys, with spaces between'),
    v.description(
      'HMAC key of the webhook, from Developers → Webhooks → Standard webhook → Security; while you replace it, also the previous one, after a space',
    ),
  ),
  reportKey: v.optional(
    apiKey(
      'API key of the Report Service user (report@Company…), from Developers → API credentials; only for what Adyen paid out',
    ),
  ),
  terminalRegion: v.optional(
    credential(
      /^(eu|us|au|apse|nea)( old)?$/,
      'must be eu, us, au, apse or nea, and may end with " old"',
      'Only for card terminals: the region of their data centre, one of eu, us, au, apse (nea is in no document of Adyen: ask Adyen); for an account that is refused by the addresses device-api-…, with " old" after it',
    ),
  ),
  terminalKey: v.optional(
    apiKey('API key with the role Cloud Device API, for card terminals; by default the apiKey'),
  ),
  eventUser: v.optional(
    eventCredential('User name of the Basic authentication of the event URL, for card terminals'),
  ),
  eventPassword: v.optional(
    eventCredential('Password of the Basic authentication of the event URL, for card terminals'),
  ),
  livePrefix: v.optional(
    credential(
      /^[A-Za-z0-9-]+$/,
      'must be only the prefix, such as 1797a841fbb37ca7-AdyenDemo',
      'Prefix of the live endpoint, from Developers → API URLs in the live Customer Area; needed in live mode',
    ),
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>

/**
 * Adyen's payment method types by the names that orders use. The types are those of the Checkout
 * API's OpenAPI document (CheckoutService-v71), the names those of
 * https://docs.adyen.com/payment-methods/payment-method-types. A name with several types offers all of
 * them.
 */
export const METHODS = new Map<string, readonly string[]>([
  ...(
    'alipay alma applepay bizum blik eps giftcard googlepay ideal mbway mobilepay multibanco ' +
    'paybybank paypal paysafecard sepadirectdebit swish trustly twint vipps wero'
  )
    .split(' ')
    .map((name) => [name, [name]] as const),
  ['bacs', ['directdebit_GB']],
  ['bancontact', ['bcmc', 'bcmc_mobile']],
  ['banktransfer', ['bankTransfer_IBAN']],
  ['card', ['scheme']],
  ['creditcard', ['scheme']],
  ['directdebit', ['sepadirectdebit']],
  ['klarna', ['klarna', 'klarna_account', 'klarna_paynow']],
  ['klarnapaylater', ['klarna']],
  ['klarnapaynow', ['klarna_paynow']],
  ['klarnasliceit', ['klarna_account']],
  ['mistercash', ['bcmc', 'bcmc_mobile']],
  ['p24', ['onlineBanking_PL']],
  ['przelewy24', ['onlineBanking_PL']],
  ['riverty', ['riverty', 'riverty_account']],
  ['sepa', ['sepadirectdebit']],
  // Sofort's own type, and Klarna's payment from a bank account.
  ['sofort', ['directEbanking', 'klarna_paynow']],
  ['wechatpay', ['wechatpayQR', 'wechatpayWeb']],
])

/**
 * Billie also wants a `company`, which Adyen's page does not ask for:
 * https://docs.adyen.com/payment-methods/klarna/billie
 */
export const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['billie', "Adyen needs the customer's company for it, which the hub's API does not carry."],
])

/** Billie by its type, so that nobody chooses it where Adyen's page offers all methods. */
export const BLOCKED: readonly string[] = ['klarna_b2b']

/**
 * Currencies that Klarna and Riverty take in one country only, whose code they begin with: "countryCode and
 * amount.currency" together make Adyen offer them (https://docs.adyen.com/payment-methods/klarna/android-drop-in).
 * They take euros in several, and an order does not say in which one the customer lives.
 */
export const PAID_LATER_IN_ONE: ReadonlySet<string> = new Set('AUD CHF DKK GBP NOK PLN SEK'.split(' '))

/**
 * The locale of Adyen's checkout for a language. The first of a language is its default:
 * packages/server/translations in https://github.com/Adyen/adyen-web
 */
export const localeOf = closestLocale(
  'en-US nl-NL de-DE fr-FR es-ES ca-ES pt-PT pt-BR it-IT da-DK sv-SE no-NO fi-FI is-IS pl-PL cs-CZ sk-SK sl-SI hr-HR hu-HU ro-RO bg-BG el-GR et-EE lv-LV lt-LT ru-RU ar ja-JP ko-KR zh-CN zh-TW',
)

/**
 * "For CLP, CVE, IDR, and ISK the standard has a different number of decimals … the decimals in the
 * table on this page are leading": https://docs.adyen.com/development-resources/currency-codes
 */
export const UNITS: Units = {
  CLP: { decimals: 2 },
  CVE: { decimals: 0 },
  IDR: { decimals: 0 },
  ISK: { decimals: 2 },
}

/** "Maximum length: 280 characters", which Adyen counts in UTF-16 units. */
export const DESCRIPTION_LENGTH = 280

/** The reason for a refusal, by its `errorCode`: https://docs.adyen.com/development-resources/error-codes */
export const REASONS: Reasons = new Map([
  ['100', 'refused_amount'],
  ['137', 'refused_amount'],
  ['138', 'refused_amount'],
  ['905', 'refused_method'],
  ['905_1', 'refused_method'],
  ['010', 'refused_account'],
  ['901', 'refused_account'],
])

/**
 * `paymentPending`: "The shopper is in the process of making the payment. Applies to payment
 * methods with an asynchronous flow." No end of a link is final for good: a session that the
 * shopper began before may still be authorised, for cards within twelve hours
 * (https://docs.adyen.com/api-explorer/Webhooks/1/post/OFFER_CLOSED). The words are those of
 * https://docs.adyen.com/api-explorer/Checkout/71/get/paymentLinks/(linkId).
 */
export const STATUSES: Readonly<Record<string, Meaning>> = {
  active: OPEN,
  paymentPending: UNDERWAY,
  completed: PAID,
  paid: PAID,
  expired: endedAs('EXPIRED'),
}

/**
 * Adyen names credit cards, PayPal, Apple Pay, Google Pay and open invoice methods such as Klarna. It
 * releases the money of cards after 28 days, and of Cartes Bancaires after 12:
 * https://www.adyen.help/hc/en-us/articles/115001179684. The schemes guarantee less: Mastercard and
 * American Express 7 days, Visa 10. The other methods can wait according to their own pages:
 * https://docs.adyen.com/payment-methods/vipps, …/mobilepay, …/twint, …/riverty. Klarna holds money for 90
 * days, longer than the hub waits. "By default, any unclaimed amount after a partial capture gets
 * cancelled": https://docs.adyen.com/api-explorer/Checkout/71/post/payments/(paymentPspReference)/captures.
 */
export const RESERVES: Reserves = {
  days: new Map([
    ...'applepay card creditcard googlepay mobilepay vipps'.split(' ').map((name) => [name, 7] as const),
    // "PayPal captures are only guaranteed for three days after the authorisation."
    ['paypal', 3],
    // "The authorization for TWINT payments expires after 7 days."
    ['twint', 7],
    ...'klarna klarnapaylater klarnapaynow klarnasliceit riverty'
      .split(' ')
      .map((name) => [name, 28] as const),
  ]),
  captures: 'once',
}

/**
 * Days that money may be under way, and that Adyen's types of methods hold reserved money. A link does not
 * show by which method it was paid, but it repeats those that it offers, and a link for a later capture
 * offers only one. Adyen names no limit for a pending link: 28 days leave room for direct debits and bank
 * transfers.
 */
export const PATIENCE: PatienceTable = {
  methods: new Map(
    [...RESERVES.days].flatMap(([name, days]) =>
      (METHODS.get(name) ?? []).map((type) => [type, days] as const),
    ),
  ),
  otherwise: 28,
  authorized: 28,
}
