import METHOD_NAMES from './method-names.json'

/** Names that are the same in all languages. Other methods show the name in the API, capitalised. */
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
  // https://docs.adyen.com/payment-methods/ideal/api-only, https://docs.stripe.com/payments/ideal
  ideal: 'iDEAL | Wero',
  // https://docs.mollie.com/docs/idealin3, https://docs.multisafepay.com/docs/in3
  in3: 'iDEAL in3',
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

/** Aliases with the common name of the method, so that a list for a customer shows it once. */
const SAME: Readonly<Record<string, string>> = {
  card: 'creditcard',
  directdebit: 'sepa',
  mistercash: 'bancontact',
  p24: 'przelewy24',
  sepadebit: 'sepa',
  sepadirectdebit: 'sepa',
}

/** Each method's languages keep the order of `LANGUAGES`. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = METHOD_NAMES

/** Returns the common name of a method. */
export function methodMeant(paymentMethod: string): string {
  return SAME[paymentMethod] ?? paymentMethod
}

/** Returns the name of a method for customers, in a language (ISO 639-1). */
export function nameOf(paymentMethod: string, language: string): string {
  const method = methodMeant(paymentMethod)
  return WORDS[method]?.[language] ?? BRANDS[method] ?? method.charAt(0).toUpperCase() + method.slice(1)
}
