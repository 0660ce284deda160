import * as v from 'valibot'
import { described, amount, currency, Mode, documented } from './values.ts'

/**
 * The common names of payment methods, in small letters: those of the table in docs/psps.md. A
 * point of sale in test mode is told these, so that a shop can be built before its contracts are
 * signed. What a live one may use is up to its routes.
 */
export const PAYMENT_METHODS: readonly string[] = (
  'ideal bancontact creditcard card paypal klarna sofort sepa banktransfer wero applepay ' +
  'googlepay eps przelewy24 p24 blik twint mbway multibanco trustly vipps mobilepay swish alipay ' +
  'wechatpay belfius kbc riverty billie satispay bizum paybybank giftcard'
).split(' ')

/**
 * Names that no PSP takes from the hub: giropay has ended, and in3 needs what an order does not
 * have. Test mode takes them all the same, for programs written for other hubs. Nobody is told
 * them.
 */
export const FORMER_METHODS: readonly string[] = ['giropay', 'in3']

/**
 * The currencies of the payment methods that exist in these alone, whichever PSP takes them: what
 * the method pays over has no other (an account in euros, a bank of one country).
 * https://docs.mollie.com/docs/multicurrency ("EUR: all payment methods except BACS, Blik, Swish
 * and Twint") and https://docs.stripe.com/payments/payment-methods/payment-method-support agree. A
 * method that is not here takes what the PSP and the account take.
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
 * The currencies that a method exists in, by a point of sale's name of it in any case; undefined
 * where the hub does not know.
 */
export function currenciesOf(method: string): readonly string[] | undefined {
  return CURRENCIES.get(method.toLowerCase())
}

export const MethodLimit = v.object({
  currency,
  minimum: v.exactOptional(
    amount('The least that a payment may be. Missing where the hub does not know it.'),
  ),
  maximum: v.exactOptional(amount('The most that a payment may be. Missing where the hub does not know it.')),
})
export type MethodLimit = v.InferOutput<typeof MethodLimit>

export const MethodCapture = v.pipe(
  v.object({
    days: v.pipe(
      v.number(),
      v.integer(),
      v.description(
        'For how many days at least the PSP holds the money. The `captureBefore` of a job says until when it does.',
      ),
      v.examples([7]),
    ),
    several: v.pipe(
      v.boolean(),
      v.description('Whether several parts can be captured. Where not, the first capture releases the rest.'),
    ),
  }),
  v.description(
    'How its money is reserved for an order with `capture: "manual"`. Missing where no such order can name it.',
  ),
)

export const UsableMethod = documented('A payment method that the point of sale can use now.', {
  paymentMethod: described('What an order names as its `payment_method`.', 'ideal'),
  aliases: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.minLength(1),
      v.description('Other names of the same method, which an order may use as well.'),
      v.examples([['card']]),
    ),
  ),
  name: described('What customers call it, in the language of the answer.', 'iDEAL'),
  currencies: v.exactOptional(
    v.pipe(
      v.array(currency),
      v.minLength(1),
      v.description(
        'The currencies that it can be paid in. Missing where the hub does not know: the PSP decides.',
      ),
    ),
  ),
  limits: v.exactOptional(
    v.pipe(
      v.array(MethodLimit),
      v.minLength(1),
      v.description(
        'What one payment may be, by currency. Missing where the hub does not know it: the PSP may still have limits.',
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
  pointOfSale: v.pipe(
    v.object({
      id: v.pipe(
        v.string(),
        v.regex(/^[0-9a-f]{32}$/),
        v.description('The id of the point of sale.'),
        v.examples(['8602843c484e4ec4c2567d02625981eb']),
      ),
      name: v.exactOptional(described('What the operator calls it. May be missing.', 'Shop 1')),
    }),
    v.description('The point of sale that asked.'),
  ),
  language: described('The language of the names: a BCP 47 tag.', 'nl'),
  paymentMethods: v.pipe(
    v.array(UsableMethod),
    v.description('The common methods first, then the others by name.'),
  ),
})
export type PaymentMethods = v.InferOutput<typeof PaymentMethods>
