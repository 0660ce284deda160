import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import * as v from 'valibot'
import { unstable_splitSqlQuery, unstable_readConfig } from 'wrangler'
import { PROJECT } from '../wrangler.ts'
import { makeStateFolder } from './serve-built.ts'
import { Settings } from './worker-options.ts'

const APPLIED = 'd1_migrations'
const MAKE_APPLIED = `CREATE TABLE IF NOT EXISTS ${APPLIED} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

type Migration = { name: string; statements: string[] }
type Database = Awaited<ReturnType<Miniflare['getD1Database']>>

/**
 * Brings the local databases up to date as `wrangler d1 migrations apply --local` does, which
 * starts a runtime for each migration: here is one for all. Throws when a migration fails: those
 * before it stay, and of that one nothing.
 */
export async function migrate(stateDir: string): Promise<void> {
  makeStateFolder(stateDir)
  const { d1_databases: databases, compatibility_date: compatibilityDate } = projectSettings()
  const bindings = databases.map(({ binding }) => binding)
  const runtime = new Miniflare({
    cf: false,
    log: new Log(LogLevel.ERROR),
    resourcePersistencePath: join(stateDir, 'v3'),
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: 'migrate',
          compatibilityDate,
          env: Object.fromEntries(bindings.map((binding) => [binding, { type: 'd1', id: binding }])),
          manifest: {
            mainModule: 'none.js',
            modules: { 'none.js': { type: 'esm', contents: 'export default {}' } },
          },
        },
      },
    ],
  })
  try {
    const migrations = await readMigrations()
    for (const binding of bindings) await apply(binding, await runtime.getD1Database(binding), migrations)
  } finally {
    await runtime.dispose()
  }
}

async function readMigrations(): Promise<Migration[]> {
  const folder = join(PROJECT, 'migrations')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const read = async (name: string) => ({
    name,
    statements: unstable_splitSqlQuery(await readFile(join(folder, name), 'utf8')),
  })
  return Promise.all(names.map(read))
}

/** Each migration is one transaction, with the row that says that the database has had it. */
async function apply(binding: string, database: Database, migrations: readonly Migration[]): Promise<void> {
  await database.prepare(MAKE_APPLIED).run()
  const { results } = await database.prepare(`SELECT name FROM ${APPLIED}`).all<{ name: string }>()
  const applied = new Set(results.map(({ name }) => name))
  for (const { name, statements } of migrations.filter((migration) => !applied.has(migration.name))) {
    const remember = database.prepare(`INSERT INTO ${APPLIED} (name) VALUES (?)`).bind(name)
    try {
      await database.batch([...statements.map((statement) => database.prepare(statement)), remember])
    } catch (error) {
      throw new Error(
        `the local database ${binding} could not be migrated: ${name} failed: ${String(error)}`,
        { cause: error },
      )
    }
  }
}

/** wrangler.toml, as wrangler reads it. */
export function projectSettings(): Settings {
  return v.parse(Settings, unstable_readConfig({ config: join(PROJECT, 'wrangler.toml') }))
}
