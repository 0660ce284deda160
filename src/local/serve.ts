import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { type Unstable_Config, unstable_readConfig, unstable_splitSqlQuery } from 'wrangler'
import { PROJECT, runWrangler } from '../programs/wrangler.ts'
import { type LocalHub, makeStateFolder, serveBuilt } from './serve-built.ts'
import { writeConfig } from './worker-options.ts'

/**
 * Serves the hub in the runtime itself, without the proxy of `wrangler dev`, which ends together
 * with the hub when a client breaks off in the middle of a body. `return_url` and `report_url` may
 * be http on this machine, with any port.
 */
export async function serve(hub: LocalHub, site: Parameters<typeof serveBuilt>[2]) {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-build-'))
  try {
    await Promise.all([build(folder), migrate(hub.stateDir)])
    return await serveBuilt(folder, hub, site)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Builds the Worker into a folder as a deploy does, with its settings for this machine. `others`
 * are more arguments for wrangler, such as the entry file. Throws with wrangler's output.
 */
export async function build(folder: string, ...others: string[]): Promise<void> {
  const { code, output, errors } = await runWrangler(
    ['deploy', ...others, '--dry-run', '--outdir', folder],
    'captured',
    // VitePress takes some seconds for the docs, so dev.ts builds them once the hub runs.
    { DOCS: 'none' },
  )
  if (code !== 0) throw new Error(`the Worker could not be built:\n${output}${errors}`)
  await writeConfig(folder, projectSettings())
}

const APPLIED = 'd1_migrations'
const MAKE_APPLIED = `CREATE TABLE IF NOT EXISTS ${APPLIED} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

type Migration = { name: string; statements: string[] }
type Database = Awaited<ReturnType<Miniflare['getD1Database']>>

/**
 * Brings the local databases up to date as `wrangler d1 migrations apply --local` does, but with
 * one runtime for all migrations. Throws if a migration fails: the ones before it stay, and nothing of the failed one.
 */
export async function migrate(stateDir: string): Promise<void> {
  makeStateFolder(stateDir)
  const { d1_databases: databases, compatibility_date: compatibilityDate = '' } = projectSettings()
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

/** Runs each missing migration in one transaction, with the row that records it. */
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

/** Returns wrangler.toml, as wrangler reads it. */
export function projectSettings(): Unstable_Config {
  return unstable_readConfig({ config: join(PROJECT, 'wrangler.toml') })
}
