/**
 * The currencies of the payment methods that exist in these alone, whichever PSP takes them: what the method pays over
 * has no other (an account in euros, a bank of one country). https://docs.mollie.com/docs/multicurrency ("EUR: all payment methods except
 * BACS, Blik, Swish and Twint") and https://docs.stripe.com/payments/payment-methods/payment-method-support agree. A method that is
 * not here takes what the PSP and the account take, which the hub does not know.
 */
const CURRENCIES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    EUR:
      'bancomatpay bancontact belfius bizum cbc directdebit eps giropay ideal kbc mbway mistercash multibanco mybank ' +
      'sepa sepadebit sepadirectdebit wero',
    PLN: 'blik',
    CHF: 'twint',
    SEK: 'swish',
    GBP: 'bacs',
    BRL: 'pix',
  }).flatMap(([currency, methods]) => methods.split(' ').map((method) => [method, [currency]] as const)),
)

/** The currencies that a method exists in, by a point of sale's name of it in any case; undefined where the hub does not know. */
export function currenciesOf(method: string): readonly string[] | undefined {
  return CURRENCIES.get(method.toLowerCase())
}
