import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RegistryRow } from '../contract/backup.ts'

/** Columns that may differ in the same row: the hub itself changes them, or they say what was taken away. */
const CHANGES = new Set(
  'used_at unrouted_at revoked_at disabled_at tokens_since signing_version secret_made_at former_secret_until'.split(
    ' ',
  ),
)

/** How many rows were written, and how many are now as given. */
export type Inserted = { written: number; right: number }

/**
 * Writes missing rows, by the names of their columns. Existing rows stay. `older` has an SQL expression
 * for each column (`table.column`) that rows of older backups lack.
 */
export async function insertMissing(
  database: D1Database,
  table: SQLiteTable,
  rows: readonly RegistryRow['row'][],
  older: ReadonlyMap<string, string> = new Map(),
): Promise<Inserted> {
  const name = getTableName(table)
  const columns = Object.values(getTableColumns(table)).map((column) => column.name)
  const values = columns.map((column) => {
    const missing = older.get(`${name}.${column}`)
    return missing ? `coalesce(given.value ->> '${column}', ${missing})` : `given.value ->> '${column}'`
  })
  const isSame = columns
    .flatMap((column, at) => (CHANGES.has(column) ? [] : [`kept.${column} is (${values[at]})`]))
    .join(' and ')
  const json = JSON.stringify(rows)
  const [inserted, same] = await database.batch<{ right: number }>([
    database
      .prepare(
        `insert into ${name} (${columns.join(', ')}) select ${values.join(', ')}
         from json_each(?) as given where true on conflict do nothing`,
      )
      .bind(json),
    database
      .prepare(`select count(*) as right from json_each(?) as given join ${name} as kept on ${isSame}`)
      .bind(json),
  ])
  return { written: inserted?.meta.changes ?? 0, right: same?.results[0]?.right ?? 0 }
}
