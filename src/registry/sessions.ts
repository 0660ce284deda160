import { drizzle } from 'drizzle-orm/d1'
import { and, asc, gt, lt, sql } from 'drizzle-orm'
import { endedSessions, operatorTokens, sessions } from './schema.ts'

export type Session = typeof sessions.$inferSelect

/** Notes a session of the console for the list, and forgets those that have expired. */
export async function addSession(database: D1Database, session: Session): Promise<void> {
  const db = drizzle(database)
  await db.batch([
    db.insert(sessions).values(session),
    db.delete(sessions).where(lt(sessions.expiresAt, session.beganAt)),
  ])
}

/** Lists the sessions that go on, oldest first. */
export function listSessions(database: D1Database, now: number): Promise<Session[]> {
  const hasEnded = sql`exists (select 1 from ${endedSessions} e where e.hash = ${sessions.hash}
    or e.hash = 'all' and e.expires_at >= ${sessions.expiresAt})`
  const isOfLiveToken = sql`not exists (select 1 from ${operatorTokens} t where t.id = ${sessions.token} and t.revoked_at is not null)`
  return drizzle(database)
    .select()
    .from(sessions)
    .where(and(gt(sessions.expiresAt, now), isOfLiveToken, sql`not ${hasEnded}`))
    .orderBy(asc(sessions.beganAt))
}
