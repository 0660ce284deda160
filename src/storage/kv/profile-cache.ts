import * as v from 'valibot'
import { profileById } from '../d1/points-of-sale.ts'
import { Profile } from '../../domain/profile.ts'
import { TokenRecord, invalidateToken, tokenPrefix } from './access-token.ts'
import { kvCopies } from './copies.ts'

const copies = kvCopies('pos', Profile)

/**
 * A point of sale's profile for what happens without its token: returns, reports, pulls. From KV, and from D1 where
 * KV has none or does not answer: either may be down. Null for an unknown id.
 */
export const profileOf = async (env: Env, pos: string): Promise<Profile | null> => {
  const copy = await copies.read(env.TOKENS, pos)
  if (copy) return copy
  const found = await profileById(env.DB, pos)
  return found?.profile ?? null
}

export const publishProfile = (kv: KVNamespace, profile: Profile): Promise<void> =>
  copies.publish(kv, profile.pos, profile)

/** Brings a changed profile to the edge: its copy, and the tokens that carry it, which go on with the new one. */
export const republish = async (kv: KVNamespace, profile: Profile): Promise<void> => {
  await publishProfile(kv, profile)
  await eachToken(kv, profile.pos, async (name) => {
    const found = await kv.get(name, 'json')
    if (found === null) return
    const { expires } = v.parse(TokenRecord, found)
    // KV refuses an expiration less than a minute ahead: such a token ends now.
    if (expires * 1000 < Date.now() + 61_000) return kv.delete(name)
    const record: TokenRecord = { expires, profile }
    await kv.put(name, JSON.stringify(record), { expiration: expires })
  })
}

/** Ends every token of a point of sale. Other places may honour one for as long as they cache it (30 s). */
export const revokeTokens = (kv: KVNamespace, pos: string): Promise<void> =>
  eachToken(kv, pos, (name) => kv.delete(name))

const eachToken = async (
  kv: KVNamespace,
  pos: string,
  change: (name: string) => Promise<void>,
): Promise<void> => {
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix: tokenPrefix(pos), cursor })
    await Promise.all(
      page.keys.map(async ({ name }) => {
        await change(name)
        invalidateToken(name)
      }),
    )
    cursor = page.list_complete ? null : page.cursor
  } while (cursor !== null)
}
