import { env } from 'cloudflare:workers'
import { seal } from '../../src/crypto/seal.ts'
import { profileById } from '../../src/registry/points-of-sale.ts'
import { publishAccount } from '../../src/tokens/accounts.ts'
import { publishProfile } from '../../src/tokens/profiles.ts'
import { type Pos, tokenFor } from '../kit/hub.ts'
import { makeLivePos } from '../kit/live-pos.ts'

/** A live point of sale whose Mollie account holds exactly this text as its sealed credentials, and a token of it. */
export const livePosWith = async (credentials: string): Promise<{ pos: Pos; token: string }> => {
  const pos = await makeLivePos()
  const account = `mollie-${pos.id.slice(0, 8)}`
  const sealed = await seal(env.SEALING_KEY, account, credentials)
  await env.DB.prepare('update psp_accounts set sealed = ? where id = ?').bind(sealed, account).run()
  await publishAccount(env.TOKENS, { id: account, psp: 'mollie', mode: 'live', sealed })
  const found = await profileById(env.DB, pos.id)
  if (found) await publishProfile(env.TOKENS, found.profile)
  return { pos, token: await tokenFor(pos) }
}
