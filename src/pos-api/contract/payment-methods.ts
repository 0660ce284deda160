import * as v from 'valibot'

/** What a payment method takes in one currency, as decimal texts. An end that is not there is one that the hub does not know. */
export const MethodLimit = v.object({
  currency: v.string(),
  minimum: v.optional(v.string()),
  maximum: v.optional(v.string()),
})
export type MethodLimit = v.InferOutput<typeof MethodLimit>

/** A payment method that the point of sale can use now. */
export const UsableMethod = v.object({
  /** What an order names as its `payment_method`. */
  paymentMethod: v.string(),
  /** Other names that an order may give it. */
  aliases: v.optional(v.array(v.string())),
  /** For the customer's eyes, in the language of the answer. */
  name: v.string(),
  /** ISO 4217 codes, where the method exists in these alone. */
  currencies: v.optional(v.array(v.string())),
  limits: v.optional(v.array(MethodLimit)),
})
export type UsableMethod = v.InferOutput<typeof UsableMethod>

/** The answer of `GET /v2/paymentmethods`: the common methods first, then by name. */
export const PaymentMethods = v.object({
  mode: v.picklist(['test', 'live']),
  /** The name is missing where the hub has not learnt it yet: it is in the registry since a later release. */
  pointOfSale: v.object({ id: v.string(), name: v.optional(v.string()) }),
  /** The language of the names: a BCP 47 tag. */
  language: v.string(),
  paymentMethods: v.array(UsableMethod),
})
export type PaymentMethods = v.InferOutput<typeof PaymentMethods>
