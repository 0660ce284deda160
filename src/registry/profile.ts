import * as v from 'valibot'
import { dialect, Mode } from '../contract/values.ts'
import { signingSecret } from '../platform/crypto/signing.ts'

/** The access to a point of sale, as D1 had it at one instant. Copies of profiles and tokens have it. */
export const Access = v.object({
  /** When D1 had this (ms), by D1's clock, because the hub compares values that different Workers read. */
  asOf: v.number(),
  /** When all tokens were last ended (ms), or 0. Grows each time. */
  tokensSince: v.number(),
  /** One for each live API key; none while the point of sale is disabled. */
  generations: v.array(v.string()),
})
export type Access = v.InferOutput<typeof Access>

/** Returns the generation of an API key's tokens. It ends with the key, or with all tokens. */
export function generationOf(keyHash: string, tokensSince: number): string {
  return `${keyHash.slice(0, 16)}-${tokensSince}`
}

function isNewer(one: Pick<Access, 'asOf' | 'tokensSince'>, other: Access): boolean {
  return one.tokensSince === other.tokensSince ? one.asOf > other.asOf : one.tokensSince > other.tokensSince
}

/** Returns the newer of two profiles: a new token works while a location has an old copy. */
export function newestOf<Carrier extends { access: Access }>(issuedWith: Carrier, copy: Carrier): Carrier {
  return isNewer(issuedWith.access, copy.access) ? issuedWith : copy
}

/** Returns whether a token is valid: the newest profile lists its generation. */
export function isTokenHonoured({ generation }: { generation: string }, access: Access): boolean {
  return access.generations.includes(generation)
}

/**
 * Returns whether a key was revoked, or all tokens were ended, between two reads. False if `now` is an
 * older copy. `then` may have shortened generations.
 */
export function hasLostKey(then: Access, now: Access): boolean {
  if (now.asOf <= then.asOf) return false
  const isLive = (key: string) => now.generations.some((generation) => generation.startsWith(key))
  return now.tokensSince !== then.tokensSince || !then.generations.every(isLive)
}

/** The limits of an API key, which never change: its end (ms), if it has one, and its rights, if not all. */
export const KeyLimits = v.object({
  until: v.exactOptional(v.number()),
  can: v.exactOptional(v.array(v.string())),
})
export type KeyLimits = v.InferOutput<typeof KeyLimits>

/** Returns whether a key or a token is past its end at `now` (ms). */
export function hasExpired({ expiresAt }: { expiresAt: number | null }, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** An API key that was live in D1 at one instant. A revoked key never comes back. */
export const KnownKey = v.object({
  pos: v.string(),
  ...v.omit(Access, ['generations']).entries,
  ...KeyLimits.entries,
})
export type KnownKey = v.InferOutput<typeof KnownKey>

/** Returns whether a key is valid: the copy lists its generation, or is older than `known`. */
export function isKeyHonoured(keyHash: string, known: KnownKey, access: Access): boolean {
  return isNewer(known, access) || access.generations.includes(generationOf(keyHash, access.tokensSince))
}

/**
 * An account at a PSP. `sealed` has its credentials (see `crypto/seal.ts`), bound to `id`. It takes
 * every currency that its PSP does, or only those of `currencies`.
 */
export const Account = v.object({
  id: v.string(),
  psp: v.string(),
  mode: Mode,
  sealed: v.string(),
  currencies: v.nullish(v.array(v.string())),
})
export type Account = v.InferOutput<typeof Account>

/** The account of all points of sale in test mode. D1 has no row for it. */
export const SANDBOX_ACCOUNT: Account = { id: 'sandbox', psp: 'sandbox', mode: 'test', sealed: '' }

/** Returns the mode of an account that the registry does not list: the sandbox, or a removed one. */
export function unlistedMode(account: string): Mode {
  return account === SANDBOX_ACCOUNT.id ? SANDBOX_ACCOUNT.mode : 'live'
}

/** A terminal that a point of sale may use. `id`: the PSP's own. `account`: the one that drives it. */
export const AssignedTerminal = v.object({
  id: v.string(),
  name: v.string(),
  account: v.string(),
  isDefault: v.exactOptional(v.literal(true)),
})
export type AssignedTerminal = v.InferOutput<typeof AssignedTerminal>

/**
 * The point of sale as requests need it: D1 has the original, KV a copy. `routes` are in the order in
 * which the hub tries them; payment methods are in lower case, `*` is any.
 */
export const Profile = v.object({
  pos: v.string(),
  mode: Mode,
  signReturn: v.boolean(),
  signingVersion: v.number(),
  routes: v.array(v.object({ paymentMethod: v.string(), account: v.string() })),
  /** The accounts of the routes, and of the terminals. */
  accounts: v.array(Account),
  /** The terminals that it may use, sorted by name. A copy of release 1.0 has none. */
  terminals: v.exactOptional(v.array(AssignedTerminal)),
  name: v.string(),
  /** Until when (ms) the secret before `signingVersion` signs. */
  formerSecretUntil: v.exactOptional(v.number()),
  /** Missing for v2. */
  dialect: v.exactOptional(dialect),
  /** How much of each currency (minor units) its keys may give back in a day; missing for no limit. */
  refundLimits: v.exactOptional(v.record(v.string(), v.number())),
  access: Access,
})
export type Profile = v.InferOutput<typeof Profile>

/** A point of sale that calls, with the limits of the key that it used, or that its token is of. */
export type Caller = Profile & KeyLimits

/**
 * Returns the version of the secret that signs answers, reports and returns now (ms): the newest, or
 * the former one while a POS that knows one secret at a time switches. `webhook-signature` has both.
 */
export function signingVersionAt(
  { signingVersion, formerSecretUntil = 0 }: Pick<Profile, 'signingVersion' | 'formerSecretUntil'>,
  now: number,
): number {
  return signingVersion > 1 && now < formerSecretUntil ? signingVersion - 1 : signingVersion
}

/** Returns the secret that signs for a point of sale now; `root` is SIGNING_ROOT. */
export function presentSecret(root: string, profile: Profile): Promise<string> {
  return signingSecret(root, profile.pos, signingVersionAt(profile, Date.now()))
}

/** Returns the accounts to try, in order; none without a route. In test mode it is the sandbox. */
export function accountsFor(profile: Profile, paymentMethod: string): Account[] {
  if (profile.mode === 'test') return [SANDBOX_ACCOUNT]
  const own = routedTo(profile, paymentMethod.toLowerCase())
  const routes = own.length > 0 ? own : routedTo(profile, '*')
  return routes.flatMap(({ account }) =>
    profile.accounts.filter(({ id, psp }) => id === account && psp !== SANDBOX_ACCOUNT.psp),
  )
}

export function routedMethods(profile: Profile): string[] {
  return [...new Set(profile.routes.map(({ paymentMethod }) => paymentMethod))]
}

function routedTo(profile: Profile, paymentMethod: string) {
  return profile.routes.filter((route) => route.paymentMethod === paymentMethod)
}
