import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { within } from '../platform/deadline.ts'
import { pointsOfSale } from './schema.ts'

/** How long (ms) D1 may take to tell a name: who asks about a payment is not to wait for it. */
const LONGEST = 2000

/** What the operator calls a point of sale. Null where there is none of that id, and where D1 does not answer in time. */
export function posName(database: D1Database, id: string): Promise<string | null> {
  return within(LONGEST, nameOf(database, id))
}

async function nameOf(database: D1Database, id: string): Promise<string | null> {
  try {
    const { name } = pointsOfSale
    const found = await drizzle(database).select({ name }).from(pointsOfSale).where(eq(pointsOfSale.id, id))
    return found[0]?.name ?? null
  } catch {
    return null
  }
}
