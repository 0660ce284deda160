import { desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Alert } from './alert-rules.ts'
import { DAY } from '../contract/timestamp.ts'
import { alerts } from '../registry/schema.ts'

/** Ended alerts that are shown. */
const MOST_ENDED = 100

export async function openAlerts(database: D1Database): Promise<Alert[]> {
  return drizzle(database).select().from(alerts).where(isNull(alerts.endedAt))
}

/** Writes what was decided of alerts, all or nothing. One that another run began at the same time is not begun twice. */
export async function writeAlerts(
  database: D1Database,
  begun: readonly Alert[],
  changed: readonly Alert[],
): Promise<void> {
  const db = drizzle(database)
  const [first, ...others] = [
    ...begun.map((alert) => db.insert(alerts).values(alert).onConflictDoNothing()),
    ...changed.map(({ id, wellSince, endedAt }) =>
      db.update(alerts).set({ wellSince, endedAt }).where(eq(alerts.id, id)),
    ),
  ]
  if (first) await db.batch([first, ...others])
}

/** All that may have a message due: the open ones, and those that ended within a day. */
export async function tellableAlerts(database: D1Database, now: number): Promise<Alert[]> {
  return drizzle(database)
    .select()
    .from(alerts)
    .where(or(isNull(alerts.endedAt), gt(alerts.endedAt, now - DAY)))
}

/** The queue took a message of an alert. */
export async function markTold(database: D1Database, id: string, now: number): Promise<void> {
  await drizzle(database).update(alerts).set({ toldAt: now }).where(eq(alerts.id, id))
}

/** The alerts that are open, and the newest that have ended. */
export async function listAlerts(database: D1Database): Promise<Alert[]> {
  const db = drizzle(database)
  const [open, ended] = await db.batch([
    db.select().from(alerts).where(isNull(alerts.endedAt)).orderBy(desc(alerts.since)),
    db.select().from(alerts).where(isNotNull(alerts.endedAt)).orderBy(desc(alerts.endedAt)).limit(MOST_ENDED),
  ])
  return [...open, ...ended]
}
