import * as v from 'valibot'

/** What the operator API answers about PSPs, accounts at them, and the keys that seal their credentials. */

const Mode = v.picklist(['test', 'live'])

/** One of the texts that the credentials of an account consist of. */
export const CredentialField = v.object({ name: v.string(), description: v.string(), optional: v.boolean() })
export type CredentialField = v.InferOutput<typeof CredentialField>

/** The answer of `GET /psps`: the PSPs that accounts can be at. */
export const PspList = v.object({
  psps: v.array(v.object({ psp: v.string(), credentials: v.array(CredentialField) })),
})
export type PspList = v.InferOutput<typeof PspList>

/** An account. `sealingKey` says which key its credentials are sealed under. */
export const Account = v.object({
  id: v.string(),
  psp: v.string(),
  mode: Mode,
  sealingKey: v.string(),
  created: v.string(),
})
export type Account = v.InferOutput<typeof Account>

/** The answer of `GET /accounts`. */
export const AccountList = v.object({ accounts: v.array(Account) })
export type AccountList = v.InferOutput<typeof AccountList>

/** The answer of `POST /accounts/{id}/credentials`. */
export const CredentialsReplaced = v.object({ id: v.string(), psp: v.string(), mode: Mode })
export type CredentialsReplaced = v.InferOutput<typeof CredentialsReplaced>

/** The answer of `POST /accounts/{id}/check`: whether the credentials work, and if not, what the PSP told. */
export const AccountChecked = v.object({
  id: v.string(),
  result: v.picklist(['working', 'refused', 'unavailable']),
  message: v.nullable(v.string()),
})
export type AccountChecked = v.InferOutput<typeof AccountChecked>

/** The answer of `POST /accounts/{id}/remove`. */
export const AccountRemoved = v.object({ id: v.string(), removed: v.literal(true) })
export type AccountRemoved = v.InferOutput<typeof AccountRemoved>

/**
 * The answer of `POST /sealing/rotate`, of one page: of all `accounts`, the ids of those sealed anew and of those that could
 * not be; how many `copies` in KV were written. `next` is the `after` of the next page, or null at the end.
 */
export const SealingRotated = v.object({
  sealingKey: v.string(),
  resealed: v.array(v.string()),
  failed: v.array(v.string()),
  accounts: v.number(),
  copies: v.exactOptional(v.number()),
  next: v.exactOptional(v.nullable(v.string())),
})
export type SealingRotated = v.InferOutput<typeof SealingRotated>

/**
 * The answer of `GET /sealing`, of one page: of all `accounts`, the ids of those that are not under `sealingKey` in D1; of the
 * `copies` in KV that were looked at, the names of those that are not. `next` as above.
 */
export const SealingStatus = v.object({
  sealingKey: v.string(),
  accounts: v.number(),
  copies: v.number(),
  oldAccounts: v.array(v.string()),
  oldCopies: v.array(v.string()),
  next: v.nullable(v.string()),
})
export type SealingStatus = v.InferOutput<typeof SealingStatus>
