import * as v from 'valibot'

/**
 * Who may use a point of sale, as D1 had it at one instant: part of its profile, in KV's copy of it and in each token that
 * is issued.
 */
export const Access = v.object({
  /** When D1 had this, by D1's clock (ms): what is compared was read by different Workers. */
  asOf: v.number(),
  /** When all tokens were ended last (ms), or 0. It grows with each time. */
  tokensSince: v.number(),
  /** The generations that are live: one for each live API key, none while the point of sale is disabled. */
  generations: v.array(v.string()),
})
export type Access = v.InferOutput<typeof Access>

/**
 * The generation of the tokens that are issued for an API key (`keyHash` is its SHA-256). Revoking the key ends it, and so
 * does ending all tokens: then `tokensSince` is another, and so are all generations.
 */
export function generationOf(keyHash: string, tokensSince: number): string {
  return `${keyHash.slice(0, 16)}-${tokensSince}`
}

/** Whether D1 had the one after the other. */
function isNewer(one: Pick<Access, 'asOf' | 'tokensSince'>, other: Access): boolean {
  return one.tokensSince === other.tokensSince ? one.asOf > other.asOf : one.tokensSince > other.tokensSince
}

/**
 * Of the profile that a token was issued with and KV's copy: the newer one. A location may see an old copy for a minute,
 * and a token that was issued in that time must work there.
 */
export function newestOf<Carrier extends { access: Access }>(issuedWith: Carrier, copy: Carrier): Carrier {
  return isNewer(issuedWith.access, copy.access) ? issuedWith : copy
}

/** The rule: a token is honoured while the newest profile of its point of sale lists the token's generation. */
export function isTokenHonoured({ generation }: { generation: string }, access: Access): boolean {
  return access.generations.includes(generation)
}

/** What is remembered of an API key: that D1 had it live at one instant. A key never comes back once it is revoked. */
export const KnownKey = v.object({ pos: v.string(), ...v.omit(Access, ['generations']).entries })
export type KnownKey = v.InferOutput<typeof KnownKey>

/**
 * The rule for an API key that comes in place of a token: it is honoured while the copy lists its generation. What is
 * remembered of it counts where it is newer: then the copy is one that a location sees late.
 */
export function isKeyHonoured(keyHash: string, known: KnownKey, access: Access): boolean {
  return isNewer(known, access) || access.generations.includes(generationOf(keyHash, access.tokensSince))
}
