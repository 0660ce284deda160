import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The newest entry of the audit log on a day (`2026-01-31`), kept outside the log. */
export const auditHeads = sqliteTable('audit_heads', {
  day: text().primaryKey(),
  number: integer().notNull(),
  hash: text().notNull(),
})
