import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { SQLiteSyncDialect, SQLiteTable, getTableConfig } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import * as audit from '../../src/audit/schema.ts'
import * as books from '../../src/books/schema.ts'
import * as jobIndex from '../../src/job-index/schema.ts'
import * as monitoring from '../../src/monitoring/schema.ts'
import * as registry from '../../src/registry/schema.ts'

/** A table in the code or the database: the parts on which queries and migrations depend. */
type Shape = {
  columns: Record<string, string>
  primaryKey: string[]
  indexes: Record<string, string>
  references: string[]
}

const sqlite = new SQLiteSyncDialect()
function inSql(part: Parameters<typeof sqlite.sqlToQuery>[0]): string {
  return sqlite.sqlToQuery(part).sql
}

function ofCode(table: SQLiteTable): Shape {
  const { columns, primaryKeys, indexes, foreignKeys } = getTableConfig(table)
  const own = columns.filter(({ primary }) => primary)
  return {
    columns: Object.fromEntries(
      columns.map((column) => [
        column.name,
        told(column.getSQLType(), column.notNull, column.hasDefault ? sqlText(column.default) : null),
      ]),
    ),
    primaryKey: [...own, ...primaryKeys.flatMap((key) => key.columns)].map(({ name }) => name),
    indexes: Object.fromEntries([
      ...columns
        .filter(({ isUnique }) => isUnique)
        .map(({ uniqueName, name }) => [uniqueName, indexText(true, [name], null)] as const),
      ...indexes.map(({ config }) => {
        const names = config.columns.map((column) => ('name' in column ? column.name : inSql(column)))
        const where = config.where ? inSql(config.where) : null
        return [config.name, indexText(config.unique, names, where)] as const
      }),
    ]),
    references: foreignKeys
      .map((key) => key.reference())
      .map(
        ({ columns: from, foreignTable, foreignColumns: to }) =>
          `${from[0]?.name} -> ${getTableConfig(foreignTable).name}.${to[0]?.name}`,
      )
      .toSorted(),
  }
}

function sqlText(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
function told(type: string, isNotNull: boolean, preset: string | null): string {
  return `${type.toLowerCase()}${isNotNull ? ' not null' : ''}${preset === null ? '' : ` default ${preset}`}`
}
function indexText(isUnique: boolean, columns: readonly string[], where: string | null): string {
  return `${isUnique ? 'unique ' : ''}(${columns.join(', ')})${where === null ? '' : ` where ${where}`}`
}

async function rows<Row>(query: string, ...values: string[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<Row>()
  return results
}

async function ofDatabase(name: string): Promise<Shape> {
  const columns = await rows<{
    name: string
    type: string
    notnull: number
    dflt_value: string | null
    pk: number
  }>('select name, type, "notnull", dflt_value, pk from pragma_table_info(?)', name)
  const indexes = await rows<{ name: string; unique: number; sql: string }>(
    `select list.name, list."unique", made.sql from pragma_index_list(?) as list
     join sqlite_master as made on made.name = list.name where list.origin = 'c'`,
    name,
  )
  const references = await rows<{ from: string; table: string; to: string }>(
    'select "from", "table", "to" from pragma_foreign_key_list(?)',
    name,
  )
  return {
    columns: Object.fromEntries(
      columns.map((column) => [column.name, told(column.type, column.notnull === 1, column.dflt_value)]),
    ),
    primaryKey: columns
      .filter(({ pk }) => pk > 0)
      .toSorted((a, b) => a.pk - b.pk)
      .map((column) => column.name),
    indexes: Object.fromEntries(
      await Promise.all(
        indexes.map(async (index) => {
          const parts = await rows<{ name: string }>('select name from pragma_index_info(?)', index.name)
          const where = / where (.*)$/i.exec(index.sql)?.[1] ?? null
          return [
            index.name,
            indexText(
              index.unique === 1,
              parts.map((part) => part.name),
              where,
            ),
          ] as const
        }),
      ),
    ),
    references: references.map(({ from, table, to }) => `${from} -> ${table}.${to}`).toSorted(),
  }
}

const TABLES = Object.values({ ...registry, ...jobIndex, ...books, ...monitoring, ...audit }).filter(
  (table) => is(table, SQLiteTable),
)

describe('the tables in the code are those of the migrations', () => {
  it.each(TABLES.map((table) => [getTableConfig(table).name, table] as const))('%s', async (name, table) => {
    expect(await ofDatabase(name)).toEqual(ofCode(table))
  })

  it('there is no other', async () => {
    const made = await rows<{ name: string }>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!'
       and name not like '!_cf!_%' escape '!' and name <> 'd1_migrations'`,
    )
    expect(made.map(({ name }) => name).toSorted()).toEqual(
      TABLES.map((table) => getTableConfig(table).name).toSorted(),
    )
  })
})
