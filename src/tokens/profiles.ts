import * as v from 'valibot'
import { accountById } from '../registry/accounts.ts'
import { profileById } from '../registry/points-of-sale.ts'
import { type Account, Profile } from '../registry/profile.ts'
import { tokenPrefix } from './access-token.ts'

const CACHE_SECONDS = 30

const profileName = (pos: string): string => `pos:${pos}`

/**
 * A point of sale's profile for what happens without its token: returns, reports, pulls. From KV, and from D1
 * where KV has none. Null for an unknown id.
 */
export const profileOf = async (env: Env, pos: string): Promise<Profile | null> => {
  const copy = await env.TOKENS.get(profileName(pos), { type: 'json', cacheTtl: CACHE_SECONDS })
  if (copy !== null) return v.parse(Profile, copy)
  const found = await profileById(env.DB, pos)
  return found?.profile ?? null
}

/** The account that holds a job's payment: of the POS's routes, or one it used to route to. */
export const accountOf = async (env: Env, pos: string, account: string): Promise<Account | null> => {
  const profile = await profileOf(env, pos)
  return profile?.accounts.find(({ id }) => id === account) ?? accountById(env.DB, account)
}

export const publishProfile = async (kv: KVNamespace, profile: Profile): Promise<void> =>
  kv.put(profileName(profile.pos), JSON.stringify(profile))

/** Ends every token of a point of sale. Other places may honour one for as long as they cache it (30 s). */
export const revokeTokens = async (kv: KVNamespace, pos: string): Promise<void> => {
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix: tokenPrefix(pos), cursor })
    await Promise.all(page.keys.map(({ name }) => kv.delete(name)))
    cursor = page.list_complete ? null : page.cursor
  } while (cursor !== null)
}
