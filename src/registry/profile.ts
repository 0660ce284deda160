import * as v from 'valibot'

/** Whether money moves. */
export const Mode = v.picklist(['test', 'live'])
export type Mode = v.InferOutput<typeof Mode>

/** An account at a PSP. `sealed` holds its credentials (see `crypto/seal.ts`), bound to `id`. */
export const Account = v.object({ id: v.string(), psp: v.string(), mode: Mode, sealed: v.string() })
export type Account = v.InferOutput<typeof Account>

/**
 * What a request needs to know of its point of sale, in one piece. D1 holds the truth, the edge keeps copies.
 * `routes` are in the order in which they are tried; their payment methods are in lower case, `*` stands for any.
 */
export const Profile = v.object({
  pos: v.string(),
  mode: Mode,
  signReturn: v.boolean(),
  signingVersion: v.number(),
  routes: v.array(v.object({ paymentMethod: v.string(), account: v.string() })),
  accounts: v.array(Account),
})
export type Profile = v.InferOutput<typeof Profile>
