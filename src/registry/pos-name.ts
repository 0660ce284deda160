import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { pointsOfSale } from './schema.ts'

/** How long (ms) D1 may take to tell a name: who asks about a payment is not to wait for it. */
const LONGEST = 2000

/** What the operator calls a point of sale. Null where there is none of that id, and where D1 does not answer in time. */
export async function posName(database: D1Database, id: string): Promise<string | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, LONGEST, null)
  })
  return Promise.race([nameOf(database, id), late]).finally(() => clearTimeout(timer))
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
