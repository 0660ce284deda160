import { asc, desc, gt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { type AuditHead, BEFORE_ALL, type DayHead } from './audit-chain.ts'
import { auditLog } from './audit-log.ts'
import { log } from '../platform/log.ts'
import { auditHeads } from './schema.ts'

/** Stores the log's head of the day in D1, every hour. Reports a log that lacks the last stored head. */
export async function keepAuditHeads(env: Env): Promise<void> {
  try {
    const known = await newestHead(env.DB)
    const heads = await auditLog(env).headsSince(known)
    if (!heads) return log.error('audit.broken', { number: known.number, hash: known.hash })
    await keepHeads(env.DB, heads)
    for (const { day, number, hash } of heads) log.info('audit.head', { day, number, hash })
  } catch (error) {
    log.fault('audit.head-failed', error)
  }
}

/** Stores the heads of days. A newer head of a day replaces an older one, never the other way. */
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

async function newestHead(database: D1Database): Promise<AuditHead> {
  const [row] = await drizzle(database).select().from(auditHeads).orderBy(desc(auditHeads.number)).limit(1)
  return row ?? BEFORE_ALL
}

export async function headsAfter(database: D1Database, number: number): Promise<DayHead[]> {
  return drizzle(database)
    .select()
    .from(auditHeads)
    .where(gt(auditHeads.number, number))
    .orderBy(asc(auditHeads.number))
}
