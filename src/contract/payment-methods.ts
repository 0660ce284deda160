import * as v from 'valibot'
import { described, amount, currency, Mode, documented } from './values.ts'

/**
 * The common names of payment methods, in small letters: those that test mode takes. The
 * list of a point of sale in test mode has these, so that a shop can be built before its contracts
 * are signed. A live one may use the methods of its routes.
 */
export const PAYMENT_METHODS: readonly string[] = (
  'ideal bancontact creditcard card paypal klarna sofort sepa banktransfer wero applepay ' +
  'googlepay eps przelewy24 p24 blik twint mbway multibanco trustly vipps mobilepay swish alipay ' +
  'wechatpay belfius kbc riverty billie satispay bizum paybybank giftcard'
).split(' ')

/**
 * Names that no PSP takes from the hub: giropay has ended, and in3 needs data that an order does not
 * have. Test mode still takes them, for programs written for other hubs, but no list has them.
 */
export const FORMER_METHODS: readonly string[] = ['giropay', 'in3']

/**
 * The currencies of payment methods that have no others at any PSP, because of the accounts that
 * they use (in euros, or at the banks of one country).
 * https://docs.mollie.com/docs/multicurrency ("EUR: all payment methods except BACS, Blik, Swish
 * and Twint") and https://docs.stripe.com/payments/payment-methods/payment-method-support agree. A
 * method that is not here takes whatever the PSP and the account take.
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
  }).flatMap(([code, methods]) => methods.split(' ').map((method) => [method, [code]] as const)),
)

/**
 * Returns the currencies of a method, by its name in small or capital letters; undefined if the hub
 * does not know them.
 */
export function currenciesOf(method: string): readonly string[] | undefined {
  return CURRENCIES.get(method.toLowerCase())
}

export const MethodLimit = v.object({
  currency,
  minimum: v.exactOptional(amount('The least that a payment may be. Missing if the hub does not know it.')),
  maximum: v.exactOptional(amount('The most that a payment may be. Missing if the hub does not know it.')),
})
export type MethodLimit = v.InferOutput<typeof MethodLimit>

export const MethodCapture = documented(
  'How the PSP reserves money for an order with `capture: "manual"`. Missing if the method cannot do that.',
  {
    days: v.pipe(
      v.number(),
      v.integer(),
      v.description(
        'For how many days, at least, the PSP holds the money. The exact end is `captureBefore` of the job.',
      ),
      v.examples([7]),
    ),
    several: v.pipe(
      v.boolean(),
      v.description('Whether you can capture several parts. If not, the first capture releases the rest.'),
    ),
    whole: v.exactOptional(
      v.pipe(v.literal(true), v.description('The PSP captures only the whole amount, no part of it.')),
    ),
  },
)

export const UsableMethod = documented('A payment method that the point of sale can use now.', {
  paymentMethod: described('The `payment_method` to send in an order.', 'ideal'),
  aliases: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.minLength(1),
      v.description('Other names of the same method, which an order may also use.'),
      v.examples([['card']]),
    ),
  ),
  name: described('Its name for customers, in the language of the answer.', 'iDEAL | Wero'),
  currencies: v.exactOptional(
    v.pipe(
      v.array(currency),
      v.minLength(1),
      v.description('Its currencies. Missing if the hub does not know them: the PSP decides.'),
    ),
  ),
  limits: v.exactOptional(
    v.pipe(
      v.array(MethodLimit),
      v.minLength(1),
      v.description(
        'The limits of one payment, by currency. Missing if the hub does not know them: the PSP may still have some.',
      ),
    ),
  ),
  capture: v.exactOptional(MethodCapture),
})
export type UsableMethod = v.InferOutput<typeof UsableMethod>

export const PaymentMethods = documented('The payment methods that the point of sale can use now.', {
  mode: v.pipe(
    v.picklist(Mode.options),
    v.description('`test`: payments are at the built-in sandbox, and no money moves. `live`: they are real.'),
  ),
  pointOfSale: documented('The point of sale of your token.', {
    id: v.pipe(
      v.string(),
      v.regex(/^[0-9a-f]{32}$/),
      v.description('The id of the point of sale.'),
      v.examples(['8602843c484e4ec4c2567d02625981eb']),
    ),
    name: v.exactOptional(described('The name that the operator chose. May be missing.', 'Shop 1')),
  }),
  language: described('The language of the names: a BCP 47 tag.', 'nl'),
  paymentMethods: v.pipe(
    v.array(UsableMethod),
    v.description('The common methods first, then the others by name.'),
  ),
})
export type PaymentMethods = v.InferOutput<typeof PaymentMethods>
