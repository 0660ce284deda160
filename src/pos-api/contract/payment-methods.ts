import * as v from 'valibot'
import { amount } from './values.ts'

/** What a payment method takes in one currency, as decimal texts. An end that is not there is one that the hub does not know. */
export const MethodLimit = v.pipe(
  v.object({
    currency: v.pipe(v.string(), v.description('An ISO 4217 code.'), v.examples(['EUR'])),
    minimum: v.exactOptional(amount('The least that it takes, where the hub knows that.')),
    maximum: v.exactOptional(amount('The most that it takes, where the hub knows that.')),
  }),
  v.title('Method limit'),
  v.description('What a payment method takes in one currency.'),
)
export type MethodLimit = v.InferOutput<typeof MethodLimit>

/** A payment method that the point of sale can use now. */
export const UsableMethod = v.pipe(
  v.object({
    paymentMethod: v.pipe(
      v.string(),
      v.description('What an order names as its `payment_method`.'),
      v.examples(['ideal']),
    ),
    aliases: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.description('Other names that an order may give it.'),
        v.examples([['card']]),
      ),
    ),
    name: v.pipe(
      v.string(),
      v.description('What customers call it, in the language of the answer.'),
      v.examples(['iDEAL']),
    ),
    currencies: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.description('ISO 4217 codes, where the method exists in these alone.'),
        v.examples([['EUR']]),
      ),
    ),
    limits: v.exactOptional(
      v.pipe(v.array(MethodLimit), v.description('What it takes, where the hub knows that.')),
    ),
  }),
  v.title('Usable method'),
  v.description('A payment method that an order of this point of sale may name now.'),
)
export type UsableMethod = v.InferOutput<typeof UsableMethod>

/** The answer of `GET /v2/paymentmethods`: the common methods first, then by name. */
export const PaymentMethods = v.pipe(
  v.object({
    mode: v.pipe(
      v.picklist(['test', 'live']),
      v.description('Whether payments of this point of sale are real.'),
    ),
    /** The name is missing where the hub has not learnt it yet: it is in the registry since a later release. */
    pointOfSale: v.pipe(
      v.object({
        id: v.pipe(v.string(), v.description('Its id.')),
        name: v.exactOptional(v.pipe(v.string(), v.description('Its name, as the operator gave it.'))),
      }),
      v.description('The point of sale that asks.'),
    ),
    language: v.pipe(
      v.string(),
      v.description('The language of the names: a BCP 47 tag.'),
      v.examples(['nl']),
    ),
    paymentMethods: v.pipe(v.array(UsableMethod), v.description('The common ones first, then by name.')),
  }),
  v.title('Payment methods'),
  v.description('The payment methods that orders of this point of sale may name now.'),
)
export type PaymentMethods = v.InferOutput<typeof PaymentMethods>
