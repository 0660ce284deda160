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

/** Whether D1 had the one after the other. What release 0.1.0 wrote has none, and counts as the oldest. */
function isNewer(one: Pick<Access, 'asOf' | 'tokensSince'> | undefined, other: Access | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined
  return one.tokensSince === other.tokensSince ? one.asOf > other.asOf : one.tokensSince > other.tokensSince
}

/**
 * Of the profile that a token was issued with and KV's copy: the newer one. A location may see an old copy for a minute,
 * and a token that was issued in that time must work there.
 */
export function newestOf<Carrier extends { access?: Access | undefined }>(
  issuedWith: Carrier,
  copy: Carrier,
): Carrier {
  return isNewer(issuedWith.access, copy.access) ? issuedWith : copy
}

/**
 * The rule: a token is honoured while the newest profile of its point of sale lists the token's generation. A token of
 * release 0.1.0 has no generation: it is honoured while any lives, and if it was issued (ms) after all tokens were ended
 * last. Where 0.1.0 wrote the profile, and D1 is down, there is no list: that release deletes a token that it ends, so
 * one that is there is honoured.
 */
export function isTokenHonoured(
  token: { generation?: string | undefined; issuedAt: number },
  access: Access | undefined,
): boolean {
  if (access === undefined) return true
  return token.generation === undefined
    ? access.generations.length > 0 && token.issuedAt > access.tokensSince
    : access.generations.includes(token.generation)
}

/** What is remembered of an API key: that D1 had it live at one instant. A key never comes back once it is revoked. */
export const KnownKey = v.object({ pos: v.string(), ...v.omit(Access, ['generations']).entries })
export type KnownKey = v.InferOutput<typeof KnownKey>

/**
 * The rule for an API key that comes in place of a token: it is honoured while the copy lists its generation. What is
 * remembered of it counts where it is newer: then the copy is one that a location sees late. A copy of release 0.1.0 says
 * nothing of keys: none is honoured.
 */
export function isKeyHonoured(keyHash: string, known: KnownKey, access: Access | undefined): boolean {
  return (
    access !== undefined &&
    (isNewer(known, access) || access.generations.includes(generationOf(keyHash, access.tokensSince)))
  )
}
