import { applyD1Migrations, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, vi } from 'vitest'
import '../once.ts'

// Test files share a runtime. Each begins with an empty registry, index, audit log and directory of today's
// jobs, because backups and repairs read all of these. The plugin's `reset` will not do: writes after it are
// lost once the platform evicts the database.
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
await Promise.all([emptyD1(), emptyKv(), emptyAuditLog(), emptyDirectory()])

async function emptyD1(): Promise<void> {
  const tables = env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'sqlite_*' and name <> 'd1_migrations'",
  )
  const { results } = await tables.all<{ name: string }>()
  const emptied = results.map(({ name }) => env.DB.prepare(`delete from ${name}`))
  await env.DB.batch([env.DB.prepare('pragma defer_foreign_keys = on'), ...emptied])
}

async function emptyKv(): Promise<void> {
  const { keys } = await env.TOKENS.list()
  await Promise.all(keys.map(({ name }) => env.TOKENS.delete(name)))
}

function emptyAuditLog(): Promise<unknown> {
  const log = env.AUDIT_LOG.getByName('log')
  return runInDurableObject(log, (_, { storage }) => void storage.sql.exec('delete from entries'))
}

function emptyDirectory(): Promise<unknown> {
  const today = env.JOB_DIRECTORY.getByName(new Date().toISOString().slice(0, 10))
  return runInDurableObject(today, (_, { storage }) => storage.deleteAll())
}

// Files also share the clock and the objects of the runtime.
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})
