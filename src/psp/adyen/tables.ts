import { closestLocale } from '../locale.ts'
import type { Reasons } from '../refusal.ts'
import type { Units } from '../units.ts'

/**
 * Adyen's payment method types by the field's names for them. Every type stands in the Checkout API's OpenAPI document
 * (CheckoutService-v71); the names are those of https://docs.adyen.com/payment-methods/payment-method-types. What has
 * several types at Adyen is offered in all of them.
 */
export const METHODS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    alipay: ['alipay'],
    alma: ['alma'],
    applepay: ['applepay'],
    bacs: ['directdebit_GB'],
    bancontact: ['bcmc', 'bcmc_mobile'],
    banktransfer: ['bankTransfer_IBAN'],
    billie: ['klarna_b2b'],
    bizum: ['bizum'],
    blik: ['blik'],
    card: ['scheme'],
    creditcard: ['scheme'],
    directdebit: ['sepadirectdebit'],
    eps: ['eps'],
    giftcard: ['giftcard'],
    googlepay: ['googlepay'],
    ideal: ['ideal'],
    klarna: ['klarna', 'klarna_account', 'klarna_paynow'],
    klarnapaylater: ['klarna'],
    klarnapaynow: ['klarna_paynow'],
    klarnasliceit: ['klarna_account'],
    mbway: ['mbway'],
    mistercash: ['bcmc', 'bcmc_mobile'],
    mobilepay: ['mobilepay'],
    multibanco: ['multibanco'],
    p24: ['onlineBanking_PL'],
    paybybank: ['paybybank'],
    paypal: ['paypal'],
    paysafecard: ['paysafecard'],
    przelewy24: ['onlineBanking_PL'],
    riverty: ['riverty', 'riverty_account'],
    sepa: ['sepadirectdebit'],
    sepadirectdebit: ['sepadirectdebit'],
    // Sofort's own type, and Klarna's payment from a bank account.
    sofort: ['directEbanking', 'klarna_paynow'],
    swish: ['swish'],
    trustly: ['trustly'],
    twint: ['twint'],
    vipps: ['vipps'],
    wechatpay: ['wechatpayQR', 'wechatpayWeb'],
    wero: ['wero'],
  }),
)

/**
 * The locale of Adyen's checkout for a language. The first of a language is its default: packages/server/translations in
 * https://github.com/Adyen/adyen-web
 */
export const localeOf = closestLocale(
  'en-US nl-NL de-DE fr-FR es-ES ca-ES pt-PT pt-BR it-IT da-DK sv-SE no-NO fi-FI is-IS pl-PL cs-CZ sk-SK sl-SI hr-HR hu-HU ro-RO bg-BG el-GR et-EE lv-LV lt-LT ru-RU ar ja-JP ko-KR zh-CN zh-TW',
)

/**
 * "For CLP, CVE, IDR, and ISK the standard has a different number of decimals … the decimals in the table on this page
 * are leading": https://docs.adyen.com/development-resources/currency-codes
 */
export const UNITS: Units = {
  CLP: { decimals: 2 },
  CVE: { decimals: 0 },
  IDR: { decimals: 0 },
  ISK: { decimals: 2 },
}

/** "Maximum length: 280 characters", which Adyen counts in UTF-16 units. */
export const DESCRIPTION_LENGTH = 280

/** What a refusal is about, by its `errorCode`: https://docs.adyen.com/development-resources/error-codes */
export const REASONS: Reasons = new Map([
  ['100', 'refused_amount'],
  ['137', 'refused_amount'],
  ['138', 'refused_amount'],
  ['905', 'refused_method'],
  ['905_1', 'refused_method'],
  ['010', 'refused_account'],
  ['901', 'refused_account'],
])
