import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { AlertKind } from '../contract/hub-health.ts'

/** Alerts; a subject has at most one open. `toldAt` (ms): when the queue took the newest message. */
export const alerts = sqliteTable(
  'alerts',
  {
    id: text().primaryKey(),
    kind: text({ enum: AlertKind.options }).notNull(),
    subject: text().notNull(),
    detail: text().notNull(),
    since: integer().notNull(),
    toldAt: integer('told_at'),
    wellSince: integer('well_since'),
    endedAt: integer('ended_at'),
  },
  (table) => [
    uniqueIndex('alerts_open')
      .on(table.kind, table.subject)
      .where(sql`ended_at is null`),
    index('alerts_by_end').on(table.endedAt),
  ],
)
