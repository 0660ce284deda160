import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Account, Database } from './account.ts'
import { type Answer, failure, operation, success } from './operation.ts'

function shown({ uuid, name, jurisdiction }: Database) {
  return {
    uuid,
    name,
    version: 'production',
    created_at: '2026-11-22T00:00:00.000Z',
    file_size: 12_288,
    num_tables: 0,
    jurisdiction,
  }
}

/** Finds a database by its id or its name. */
function find({ databases }: Account, idOrName: string): Database | undefined {
  return databases.get(idOrName) ?? [...databases.values()].find(({ name }) => name === idOrName)
}

/** Makes a database, as `wrangler d1 create` does. */
export function makeDatabase(account: Account, name: string, jurisdiction: string | null = null): Database {
  const sqlite = new DatabaseSync(':memory:')
  const database = { uuid: randomUUID(), name, jurisdiction, sqlite, history: [] }
  account.databases.set(database.uuid, database)
  return database
}

/** D1: https://developers.cloudflare.com/api/resources/d1/ */
export const DATABASES = [
  operation(
    'GET /d1/database',
    { query: v.strictObject({ per_page: v.string(), page: v.string() }) },
    ({ databases }, { query }) => {
      const [size, page] = [Number(query.per_page), Number(query.page)]
      return success([...databases.values()].slice(size * (page - 1), size * page).map(shown))
    },
  ),
  operation(
    'POST /d1/database',
    {
      body: v.strictObject({
        name: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-_]*$/)),
        primary_location_hint: v.exactOptional(v.picklist(['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'])),
        jurisdiction: v.exactOptional(v.picklist(['eu', 'fedramp'])),
      }),
    },
    (account, { body }) =>
      find(account, body.name)
        ? failure(400, 7502, `Database with name '${body.name}' already exists`)
        : success(shown(makeDatabase(account, body.name, body.jurisdiction ?? null))),
  ),
  operation(
    'GET /d1/database/:database',
    { query: v.strictObject({ fields: v.exactOptional(v.string()) }) },
    (account, { params }) => {
      const database = find(account, params('database'))
      return database ? success(shown(database)) : failure(404, 7404, 'The database was not found')
    },
  ),
  operation(
    'POST /d1/database/:database/query',
    { body: v.strictObject({ sql: v.string(), params: v.exactOptional(v.array(v.string())) }) },
    (account, { params, body }) => {
      const database = account.databases.get(params('database'))
      return database
        ? run(database, body.sql)
        : failure(404, 7404, `The database ${params('database')} could not be found`)
    },
  ),
  // https://developers.cloudflare.com/d1/best-practices/import-export-data/
  operation(
    'POST /d1/database/:database/export',
    {
      body: v.strictObject({
        output_format: v.literal('polling'),
        dump_options: v.looseObject({}),
        current_bookmark: v.exactOptional(v.string()),
      }),
    },
    ({ databases, exports }, { params, url }) => {
      const database = databases.get(params('database'))
      if (!database) return failure(404, 7404, 'The database was not found')
      const id = randomUUID()
      exports.set(id, database.history.map(({ sql }) => `${sql};\n`).join(''))
      const result = { filename: `${id}.sql`, signed_url: new URL(`/exports/${id}`, url).href }
      return success({
        success: true,
        type: 'export',
        at_bookmark: id,
        messages: [],
        status: 'complete',
        result,
      })
    },
  ),
  // https://developers.cloudflare.com/d1/reference/time-travel/
  operation(
    'GET /d1/database/:database/time_travel/bookmark',
    { query: v.strictObject({ timestamp: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())) }) },
    (_, { query: { timestamp } }) => success({ bookmark: timestamp ?? new Date().toISOString() }),
  ),
  operation(
    'POST /d1/database/:database/time_travel/restore',
    {
      query: v.union([
        v.strictObject({ bookmark: v.pipe(v.string(), v.isoTimestamp()) }),
        v.strictObject({ timestamp: v.pipe(v.string(), v.isoTimestamp()) }),
      ]),
    },
    ({ databases }, { params, query }) => {
      const database = databases.get(params('database'))
      if (!database) return failure(404, 7404, 'The database was not found')
      const bookmark = 'bookmark' in query ? query.bookmark : query.timestamp
      database.history = database.history.filter(({ at }) => at <= Date.parse(bookmark))
      database.sqlite = new DatabaseSync(':memory:')
      for (const { sql } of database.history) database.sqlite.exec(sql)
      return success({ bookmark, previous_bookmark: new Date().toISOString(), message: '' })
    },
  ),
]

/** Runs statements in SQLite as one transaction. The last statement may return rows. */
function run({ sqlite, history }: Database, sql: string): Answer {
  const meta = { duration: 0.5, changes: 0, last_row_id: 0, rows_read: 0, rows_written: 0 }
  try {
    const isQuery = /^\s*(SELECT|PRAGMA)\b/i.test(sql)
    if (isQuery) return success([{ results: sqlite.prepare(sql).all(), success: true, meta }])
    sqlite.exec(`BEGIN; ${sql}; COMMIT`)
    history.push({ at: Date.now(), sql })
    return success([{ results: [], success: true, meta }])
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    return failure(400, 7500, error instanceof Error ? error.message : String(error))
  }
}
