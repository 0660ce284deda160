import * as v from 'valibot'

/**
 * What the shop's client speaks. `v1` is for the first PayoCity clients, which ask `/api/v1` and
 * verify what they are told by the token that they get there; their returns are signed.
 */
export const Dialect = v.picklist(['v1', 'v2'], 'must be v1 or v2')
export type Dialect = v.InferOutput<typeof Dialect>
