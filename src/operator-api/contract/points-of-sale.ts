import * as v from 'valibot'

/** What the operator API answers about points of sale, their keys and their routes. */

const Mode = v.picklist(['test', 'live'])

/** A point of sale, also the answer of `POST /pos/{id}`. `disabled` is when it was disabled, or null. */
export const PointOfSale = v.object({
  id: v.string(),
  name: v.string(),
  mode: Mode,
  signReturn: v.boolean(),
  created: v.string(),
  disabled: v.nullable(v.string()),
})
export type PointOfSale = v.InferOutput<typeof PointOfSale>

/** The answer of `POST /pos`: the only one that shows the API key. */
export const NewPointOfSaleCreated = v.object({
  ...PointOfSale.entries,
  apiKey: v.string(),
  signingSecret: v.string(),
})
export type NewPointOfSaleCreated = v.InferOutput<typeof NewPointOfSaleCreated>

/** The answer of `GET /pos`, oldest first. */
export const PointOfSaleList = v.object({ pointsOfSale: v.array(PointOfSale) })
export type PointOfSaleList = v.InferOutput<typeof PointOfSaleList>

/** The answer of `POST /pos/{id}/disable`. */
export const PointOfSaleDisabled = v.object({ id: v.string(), disabled: v.literal(true) })
export type PointOfSaleDisabled = v.InferOutput<typeof PointOfSaleDisabled>

/** The answer of `POST /pos/{id}/enable`. */
export const PointOfSaleEnabled = v.object({ id: v.string(), disabled: v.literal(false) })
export type PointOfSaleEnabled = v.InferOutput<typeof PointOfSaleEnabled>

/** The answer of `POST /pos/{id}/keys`: the only one that shows the API key. */
export const ApiKeyAdded = v.object({ id: v.string(), apiKey: v.string() })
export type ApiKeyAdded = v.InferOutput<typeof ApiKeyAdded>

/** The answer of `POST /pos/{id}/keys/revoke`: how many keys ended. */
export const ApiKeysRevoked = v.object({ id: v.string(), revoked: v.number() })
export type ApiKeysRevoked = v.InferOutput<typeof ApiKeysRevoked>

/**
 * The answer of `POST /pos/{id}/secret`: the newest secret, and when it was `made`. `repeated` says that a call before made
 * it. Until `formerUntil` the secret before signs `X-Signature`; null when it does not.
 */
export const SigningSecretRotated = v.object({
  id: v.string(),
  signingSecret: v.string(),
  made: v.exactOptional(v.string()),
  repeated: v.exactOptional(v.boolean()),
  formerUntil: v.exactOptional(v.nullable(v.string())),
})
export type SigningSecretRotated = v.InferOutput<typeof SigningSecretRotated>

/** The accounts that take a payment method (`*`: any other), in the order in which they are tried. */
export const PaymentRoute = v.object({ paymentMethod: v.string(), accounts: v.array(v.string()) })
export type PaymentRoute = v.InferOutput<typeof PaymentRoute>

/** The answer of `GET` and `POST /pos/{id}/routes`. `mode` is that of all its accounts; null when it has none. */
export const PaymentRouteList = v.object({
  pos: v.string(),
  mode: v.nullable(Mode),
  routes: v.array(PaymentRoute),
})
export type PaymentRouteList = v.InferOutput<typeof PaymentRouteList>
