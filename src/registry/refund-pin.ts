import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { DAY, MINUTE } from '../contract/timestamp.ts'
import { randomHex, toHex } from '../platform/crypto/hash.ts'
import { hmac } from '../platform/crypto/signing.ts'
import { confirmed } from './points-of-sale.ts'
import { refundPins } from './schema.ts'

/** So many wrong tries lock a PIN for FIRST_LOCK (ms). Each further one doubles that, up to a day. */
export const MOST_WRONG = 5
const FIRST_LOCK = 5 * MINUTE

/** Makes a PIN of six digits. */
export function newRefundPin(): string {
  return String(BigInt(`0x${randomHex(32)}`) % 1_000_000n).padStart(6, '0')
}

async function hashOf(root: string, pos: string, pin: string): Promise<string> {
  return toHex(await hmac('SHA-256', root, `refund-pin:${pos}:${pin}`))
}

/** Gives a point of sale a PIN, which nobody has tried yet, or takes it away (null). `now` is in ms. */
export async function setRefundPin(env: Env, pos: string, pin: string | null, now: number): Promise<void> {
  const db = drizzle(env.DB)
  if (pin === null) {
    await confirmed(() => db.delete(refundPins).where(eq(refundPins.pos, pos)))
    return
  }
  const fresh = { hash: await hashOf(env.SIGNING_ROOT, pos, pin), madeAt: now, wrong: 0, lockedUntil: 0 }
  const write = db.insert(refundPins).values({ pos, ...fresh })
  await confirmed(() => write.onConflictDoUpdate({ target: refundPins.pos, set: fresh }))
}

export async function readRefundPin(database: D1Database, pos: string) {
  const [row = null] = await drizzle(database).select().from(refundPins).where(eq(refundPins.pos, pos))
  return row
}

/** `until` (ms): when the lock ends that a wrong try began, or that kept the hub from looking; 0 for none. */
type PinTry = { is: 'right' | 'wrong' | 'locked'; until: number }

/**
 * Compares a PIN and counts the try, in one statement: of tries that come at once, no more than MOST_WRONG are
 * compared. Null for a point of sale without a PIN.
 */
export async function tryRefundPin(env: Env, pos: string, pin: string, now: number): Promise<PinTry | null> {
  const tried = await env.DB.prepare(
    `update refund_pins set wrong = iif(hash = ?2, 0, wrong + 1), locked_until = iif(
       hash = ?2 or wrong + 1 < ${MOST_WRONG}, 0,
       ?3 + min(${DAY}, ${FIRST_LOCK} << min(wrong + 1 - ${MOST_WRONG}, 20)))
     where pos = ?1 and locked_until <= ?3 returning wrong, locked_until as until`,
  )
    .bind(pos, await hashOf(env.SIGNING_ROOT, pos, pin), now)
    .first<{ wrong: number; until: number }>()
  if (tried) return { is: tried.wrong === 0 ? 'right' : 'wrong', until: tried.until }
  const known = await readRefundPin(env.DB, pos)
  return known && { is: 'locked', until: known.lockedUntil }
}
