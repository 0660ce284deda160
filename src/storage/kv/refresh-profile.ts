import { profileRefreshMessage } from '../../domain/messages.ts'
import { profileById } from '../d1/points-of-sale.ts'
import { publishProfile, republishProfile, revokeTokens } from './profile-cache.ts'

/** Seconds until the second look: KV lists a token that was issued elsewhere up to a minute late. */
const SECOND_LOOK = 90

/**
 * Brings what D1 has of a point of sale to KV, after any change of it: its copy, and the tokens that carry it. A disabled
 * one loses its tokens; its copy stays, for its jobs are still finished. Now, and once more when KV shows the tokens
 * that were being issued meanwhile.
 */
export const publishPos = async (env: Env, pos: string): Promise<void> => {
  // First: should the refresh be cut off, the message makes up for it.
  await env.EDGE.send(profileRefreshMessage.write({ pos }), { delaySeconds: SECOND_LOOK })
  await refreshProfile(env, pos)
}

export const refreshProfile = async (env: Env, pos: string): Promise<void> => {
  const found = await profileById(env.DB, pos)
  if (!found) return
  if (found.disabledAt === null) return republishProfile(env.TOKENS, found.profile)
  await Promise.all([publishProfile(env.TOKENS, found.profile), revokeTokens(env.TOKENS, pos)])
}
