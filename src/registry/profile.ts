import * as v from 'valibot'

/** An account at a PSP. `sealed` holds its credentials (see `crypto/seal.ts`), bound to `id`. */
export const Account = v.object({ id: v.string(), psp: v.string(), sealed: v.string() })
export type Account = v.InferOutput<typeof Account>

/**
 * What a request needs to know of its point of sale, in one piece. D1 holds the truth, the edge keeps copies.
 * `routes` are in the order in which they are tried.
 */
export const Profile = v.object({
  pos: v.string(),
  mode: v.picklist(['test', 'live']),
  signReturn: v.boolean(),
  signingVersion: v.number(),
  routes: v.array(v.object({ paymentMethod: v.string(), account: v.string() })),
  accounts: v.array(Account),
})
export type Profile = v.InferOutput<typeof Profile>
