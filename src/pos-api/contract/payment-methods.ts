import * as v from 'valibot'
import { amount, currency } from './values.ts'

/** What one payment by a method may be in one currency. */
export const MethodLimit = v.pipe(
  v.object({
    currency,
    minimum: v.exactOptional(
      amount('The least that a payment may be. Missing where the hub does not know it.'),
    ),
    maximum: v.exactOptional(
      amount('The most that a payment may be. Missing where the hub does not know it.'),
    ),
  }),
  v.title('Limit of a payment method'),
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
        v.minLength(1),
        v.description('Other names of the same method, which an order may use as well.'),
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
        v.array(currency),
        v.minLength(1),
        v.description(
          'The currencies of a method that exists in these alone. Missing where the hub does not know them.',
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
  }),
  v.title('Payment method'),
  v.description('A payment method that the point of sale can use now.'),
)
export type UsableMethod = v.InferOutput<typeof UsableMethod>

/** The answer of `GET /v2/paymentmethods`. */
export const PaymentMethods = v.pipe(
  v.object({
    mode: v.pipe(
      v.picklist(['test', 'live']),
      v.description(
        '`test`: payments are at the built-in sandbox, and no money moves. `live`: they are real.',
      ),
    ),
    pointOfSale: v.pipe(
      v.object({
        id: v.pipe(
          v.string(),
          v.regex(/^[0-9a-f]{32}$/),
          v.description('The id of the point of sale.'),
          v.examples(['8602843c484e4ec4c2567d02625981eb']),
        ),
        name: v.exactOptional(
          v.pipe(
            v.string(),
            v.description('What the operator calls it. May be missing.'),
            v.examples(['Shop 1']),
          ),
        ),
      }),
      v.description('The point of sale that asked.'),
    ),
    language: v.pipe(
      v.string(),
      v.description('The language of the names: a BCP 47 tag.'),
      v.examples(['nl']),
    ),
    paymentMethods: v.pipe(
      v.array(UsableMethod),
      v.description('The common methods first, then the others by name.'),
    ),
  }),
  v.title('Payment methods'),
  v.description('The payment methods that the point of sale can use now.'),
)
export type PaymentMethods = v.InferOutput<typeof PaymentMethods>
