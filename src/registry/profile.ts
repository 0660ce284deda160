import * as v from 'valibot'
import { Access } from './access.ts'
import { Account, Mode } from './account.ts'

/**
 * What a request needs to know of its point of sale, in one piece. D1 holds the truth, KV holds copies.
 * `routes` are in the order in which they are tried; their payment methods are in lower case, `*` stands for any.
 */
export const Profile = v.object({
  pos: v.string(),
  mode: Mode,
  signReturn: v.boolean(),
  signingVersion: v.number(),
  routes: v.array(v.object({ paymentMethod: v.string(), account: v.string() })),
  accounts: v.array(Account),
  /** What the operator calls it. */
  name: v.string(),
  /** Until then (ms) the secret before `signingVersion` signs. */
  formerSecretUntil: v.exactOptional(v.number()),
  access: Access,
})
export type Profile = v.InferOutput<typeof Profile>
