import { asc, desc, gt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { type AuditHead, BEFORE_ALL, type DayHead } from './audit-chain.ts'
import { auditHeads } from '../registry/schema.ts'

/** Keeps the heads of days. A day that goes on gets a newer head; none gets an older one. */
export async function keepHeads(database: D1Database, heads: readonly DayHead[]): Promise<void> {
  const db = drizzle(database)
  const { day, number } = auditHeads
  const set = { number: sql`excluded.number`, hash: sql`excluded.hash` }
  for (const head of heads) {
    await db
      .insert(auditHeads)
      .values(head)
      .onConflictDoUpdate({ target: day, set, setWhere: sql`excluded.number > ${number}` })
  }
}

/** The newest head that is kept, or what stands before the first entry. */
export async function newestHead(database: D1Database): Promise<AuditHead> {
  const [row] = await drizzle(database).select().from(auditHeads).orderBy(desc(auditHeads.number)).limit(1)
  return row ?? BEFORE_ALL
}

/** The heads that are later than an entry, oldest first. */
export async function headsAfter(database: D1Database, number: number): Promise<DayHead[]> {
  return drizzle(database)
    .select()
    .from(auditHeads)
    .where(gt(auditHeads.number, number))
    .orderBy(asc(auditHeads.number))
}
