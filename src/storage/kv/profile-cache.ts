import { Profile } from '../../domain/profile.ts'
import { storedShape } from '../../domain/stored.ts'
import { profileById } from '../d1/points-of-sale.ts'
import { canBeWritten, invalidateToken, tokenPrefix, writeToken } from './access-token.ts'
import { kvCopies } from './copies.ts'

export const profileCopy = storedShape(Profile)
const copies = kvCopies('pos', profileCopy)

/**
 * A point of sale's profile for what happens without its token: returns, reports, pulls. From KV, and from D1 where
 * KV has none or does not answer: either may be down. Null for an unknown id.
 */
export const readProfile = (env: Env, pos: string): Promise<Profile | null> =>
  copies.read(env.TOKENS, pos, async () => (await profileById(env.DB, pos))?.profile ?? null)

export const publishProfile = (kv: KVNamespace, profile: Profile): Promise<void> =>
  copies.publish(kv, profile.pos, profile)

/** Brings a changed profile to KV: its copy, and the tokens that carry it, which go on with the new one. */
export const republishProfile = async (kv: KVNamespace, profile: Profile): Promise<void> => {
  await publishProfile(kv, profile)
  await eachToken(kv, profile.pos, async (name, expires) => {
    // KV lists names for a while that are gone: a token that was revoked must not come back.
    if ((await kv.get(name)) === null) return
    // A token that ends within a minute cannot be written any more: it ends now.
    await (canBeWritten(expires) ? writeToken(kv, name, { expires, profile }) : kv.delete(name))
  })
}

/** Ends every token of a point of sale. Other locations may honour one for as long as they cache it (30 s). */
export const revokeTokens = (kv: KVNamespace, pos: string): Promise<void> =>
  eachToken(kv, pos, (name) => kv.delete(name))

/** Does something with each token of a point of sale; `expires` is in Unix seconds. */
const eachToken = async (
  kv: KVNamespace,
  pos: string,
  change: (name: string, expires: number) => Promise<void>,
): Promise<void> => {
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix: tokenPrefix(pos), cursor })
    await Promise.all(
      page.keys.map(async ({ name, expiration }) => {
        await change(name, expiration ?? 0)
        invalidateToken(name)
      }),
    )
    cursor = page.list_complete ? null : page.cursor
  } while (cursor !== null)
}
