import { closestLocale } from '../locale.ts'
import type { Reasons } from '../refusal.ts'

/**
 * MultiSafepay's gateways by the payment methods that orders name:
 * https://docs.multisafepay.com/reference/gateway-ids. An order that names none is paid by the method that the customer
 * chooses on MultiSafepay's page. So these are left out, for MultiSafepay refuses orders that name them: methods that
 * are paid later (Klarna, Riverty, in3, Billink …), which want a shopping cart and an address; and those that ended
 * (Sofort, giropay). Gift cards have a gateway for each brand, and none for all.
 */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ['alipay', 'ALIPAY'],
  ['alipayplus', 'ALIPAYPLUS'],
  ['amazonpay', 'AMAZONBTN'],
  ['amex', 'AMEX'],
  ['applepay', 'APPLEPAY'],
  ['bancontact', 'MISTERCASH'],
  ['banktransfer', 'BANKTRANS'],
  ['belfius', 'BELFIUS'],
  ['bizum', 'BIZUM'],
  ['card', 'CREDITCARD'],
  ['cbc', 'CBC'],
  ['creditcard', 'CREDITCARD'],
  ['directdebit', 'DIRDEB'],
  ['dotpay', 'DOTPAY'],
  ['eps', 'EPS'],
  ['googlepay', 'GOOGLEPAY'],
  ['ideal', 'IDEAL'],
  ['kbc', 'KBC'],
  ['maestro', 'MAESTRO'],
  ['mastercard', 'MASTERCARD'],
  ['mbway', 'MBWAY'],
  ['mistercash', 'MISTERCASH'],
  ['multibanco', 'MULTIBANCO'],
  ['paypal', 'PAYPAL'],
  ['sepa', 'DIRDEB'],
  ['sepadirectdebit', 'DIRDEB'],
  ['trustly', 'TRUSTLY'],
  ['trustpay', 'TRUSTPAY'],
  ['visa', 'VISA'],
  ['wechatpay', 'WECHAT'],
])

/**
 * The locale for a language, of those in the API's document (`customer.locale`). The first of a language is its default. Without one the
 * page is in English, but Bancontact wants one: https://docs.multisafepay.com/reference/createorder
 */
export const localeOf = closestLocale(
  'en_US nl_NL nl_BE de_DE de_AT fr_FR fr_BE cs_CZ es_ES fi_FI it_IT pl_PL sv_SE zh_CN',
)

/** MultiSafepay refuses longer descriptions (error 1008). */
export const DESCRIPTION_LENGTH = 200

/** What a refusal is about, by its `error_code`: https://docs.multisafepay.com/reference/error-reference */
export const REASONS: Reasons = new Map([
  ['1001', 'refused_amount'],
  ['1002', 'refused_amount'],
  ['1023', 'refused_method'],
  ['5001', 'refused_method'],
  ['1019', 'refused_account'],
  ['1032', 'refused_account'],
])
