import { env } from 'cloudflare:workers'
import { seal } from '../../src/platform/crypto/seal.ts'
import { publishAccount, refreshProfile } from '../../src/registry/copies.ts'
import { type Pos, tokenFor } from '../support/hub/hub.ts'
import { makeLivePos } from '../support/shops/live-pos.ts'

/** Makes a live point of sale whose Mollie account has exactly this sealed text. Returns a token of it. */
export async function livePosWith(credentials: string): Promise<{ pos: Pos; token: string }> {
  const pos = await makeLivePos()
  const account = `mollie-${pos.id.slice(0, 8)}`
  const sealed = await seal(env.SEALING_KEY, account, credentials)
  await env.DB.prepare('update psp_accounts set sealed = ? where id = ?').bind(sealed, account).run()
  await publishAccount(env.TOKENS, { id: account, psp: 'mollie', mode: 'live', sealed })
  await refreshProfile(env, pos.id)
  return { pos, token: await tokenFor(pos) }
}
