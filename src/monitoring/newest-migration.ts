/** The newest file of `migrations/`: a database that has an older one as its newest lacks tables that this release reads. */
export const NEWEST_MIGRATION = '0001_hub.sql'

/** The newest migration of a database; null where it has none. */
export function newestMigrationOf(database: D1Database): Promise<string | null> {
  return database.prepare('select name from d1_migrations order by id desc limit 1').first<string>('name')
}
