import { env } from 'cloudflare:workers'
import { sealContents } from '../../../src/psp/connect.ts'
import { pspAccounts, routes } from '../../../src/registry/schema.ts'
import { publishAccount, refreshProfile } from '../../../src/registry/copies.ts'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach } from 'vitest'
import { type Pos, makePos, tokenFor } from '../hub/hub.ts'
import { outsideWith } from '../outside.ts'
import { mollieFake } from '../psps/mollie.ts'

/** A live-mode point of sale that has a Mollie account for every method. */
export async function makeLivePos(): Promise<Pos> {
  const pos = await makePos({ mode: 'live' })
  const db = drizzle(env.DB)
  const account = `mollie-${pos.id.slice(0, 8)}`
  const [credentials] = mollieFake().accounts
  const sealed = await sealContents(env, account, { credentials })
  const row = { id: account, psp: 'mollie', mode: 'live' as const, sealed, createdAt: 0 }
  await db.insert(pspAccounts).values(row)
  await publishAccount(env.TOKENS, row)
  await db.insert(routes).values({ pos: pos.id, paymentMethod: '*', position: 0, account })
  await refreshProfile(env, pos.id)
  return pos
}

/** Mollie and the shops' receivers. */
export function outside() {
  return outsideWith(mollieFake())
}

/** Before each test of a file, makes a new live shop with a token, and plays everything outside the hub. */
export function liveShop() {
  const shop = {} as { world: ReturnType<typeof outside>; pos: Pos; token: string }
  beforeEach(async () => {
    shop.world = outside()
    shop.pos = await makeLivePos()
    shop.token = await tokenFor(shop.pos)
  })
  return shop
}
