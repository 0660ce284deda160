import * as v from 'valibot'

/**
 * The form of the API that a shop's client expects. `v1` is for the first PayoCity clients: they
 * call `/api/v1`, and verify answers, reports and signed returns with their token.
 */
export const Dialect = v.picklist(['v1', 'v2'], 'must be v1 or v2')
export type Dialect = v.InferOutput<typeof Dialect>
