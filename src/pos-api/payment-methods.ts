import { formatAmount } from '../contract/money.ts'
import { type MethodLimit, type UsableMethod, currenciesOf } from '../contract/payment-methods.ts'
import { type Usable, limitsOf, usableMethods } from '../psp/adapters.ts'
import { reply } from '../platform/http/operations.ts'
import {
  type CustomerLanguage,
  LANGUAGES,
  customerLanguage,
  preferredLanguage,
} from '../platform/http/headers.ts'
import type { Limit } from '../psp/port.ts'
import type { Profile } from '../registry/profile.ts'
import type { PosHandler } from './handler.ts'
import METHOD_NAMES from './method-names.json'

/** Brands are called the same everywhere. Others are written as shops write them, capitalised. */
const BRANDS: Readonly<Record<string, string>> = {
  alipayplus: 'Alipay+',
  amazonpay: 'Amazon Pay',
  amex: 'American Express',
  applepay: 'Apple Pay',
  bacs: 'Bacs Direct Debit',
  bancomatpay: 'BANCOMAT Pay',
  blik: 'BLIK',
  cbc: 'CBC',
  debitcard: 'Debit card',
  eps: 'eps',
  giropay: 'giropay',
  googlepay: 'Google Pay',
  ideal: 'iDEAL',
  in3: 'in3',
  kbc: 'KBC',
  klarnapaylater: 'Klarna – Pay later',
  klarnapaynow: 'Klarna – Pay now',
  klarnasliceit: 'Klarna – Slice it',
  mbway: 'MB WAY',
  mobilepay: 'MobilePay',
  mybank: 'MyBank',
  paybybank: 'Pay by Bank',
  paypal: 'PayPal',
  paysafecard: 'paysafecard',
  revolutpay: 'Revolut Pay',
  trustpay: 'TrustPay',
  twint: 'TWINT',
  wechatpay: 'WeChat Pay',
}

/** Several names of one method: a list for a customer shows it once. */
const SAME: Readonly<Record<string, string>> = {
  card: 'creditcard',
  directdebit: 'sepa',
  mistercash: 'bancontact',
  p24: 'przelewy24',
  sepadebit: 'sepa',
  sepadirectdebit: 'sepa',
}

const WORDS: Readonly<Record<string, Readonly<Record<CustomerLanguage, string>>>> = METHOD_NAMES

function methodMeant(paymentMethod: string): string {
  return SAME[paymentMethod] ?? paymentMethod
}

export function nameOf(paymentMethod: string, language: CustomerLanguage): string {
  const method = methodMeant(paymentMethod)
  return WORDS[method]?.[language] ?? BRANDS[method] ?? method.charAt(0).toUpperCase() + method.slice(1)
}

/** The names are in the asked language, else in that of `Accept-Language`, else in English. */
export const listPaymentMethods: PosHandler<'listPaymentMethods'> = async ({ request, query }, profile) => {
  const asked = query.language
  const language =
    (asked === undefined ? undefined : customerLanguage(asked, LANGUAGES)) ??
    preferredLanguage(request, LANGUAGES)
  const { mode, pos, name } = profile
  const pointOfSale = { id: pos, ...(name === undefined ? {} : { name }) }
  const answer = { mode, pointOfSale, language, paymentMethods: represent(profile, language) }
  return reply(answer, { 'content-language': language, vary: 'Accept-Language' })
}

/** Each method once: its other names stand with the first. */
function represent(profile: Profile, language: CustomerLanguage): UsableMethod[] {
  const methods = Map.groupBy(usableMethods(profile), ({ paymentMethod }) => methodMeant(paymentMethod))
  return [...methods.values()].flatMap(([method, ...others]) =>
    method ? [representMethod(method, others, language)] : [],
  )
}

function representMethod(
  method: Usable,
  others: readonly Usable[],
  language: CustomerLanguage,
): UsableMethod {
  const { paymentMethod } = method
  const currencies = currenciesOf(paymentMethod)
  const limits = limitsOf(method).map(representLimit)
  return {
    paymentMethod,
    ...(others.length > 0 ? { aliases: others.map((other) => other.paymentMethod) } : {}),
    name: nameOf(paymentMethod, language),
    ...(currencies ? { currencies: [...currencies] } : {}),
    ...(limits.length > 0 ? { limits } : {}),
  }
}

function representLimit({ currency, minimum, maximum }: Limit): MethodLimit {
  return {
    currency,
    ...(minimum === undefined ? {} : { minimum: formatAmount(minimum, currency) }),
    ...(maximum === undefined ? {} : { maximum: formatAmount(maximum, currency) }),
  }
}
