import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../../src/tools/local/migrate.ts'
import { PROJECT } from '../../../src/tools/wrangler.ts'

const MIGRATIONS = readdirSync(join(PROJECT, 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .toSorted()

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payment-hub-migrate-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Asks the file of the local database itself. */
function inDatabase<Result>(ask: (database: DatabaseSync) => Result): Result {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const ofD1 = files.filter((file) => /d1\/.*\/[0-9a-f]{64}\.sqlite$/.test(file))
  expect(ofD1).toHaveLength(1)
  const database = new DatabaseSync(join(folder, ofD1[0] ?? ''))
  try {
    return ask(database)
  } finally {
    database.close()
  }
}
function applied() {
  return inDatabase((database) =>
    database
      .prepare('SELECT name FROM d1_migrations ORDER BY id')
      .all()
      .map(({ name }) => name),
  )
}

it('an empty local database gets every migration, in order, and remembers each where wrangler looks', async () => {
  await migrate(folder)
  expect(applied()).toEqual(MIGRATIONS)
  const tables = inDatabase((database) =>
    database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all(),
  )
  expect(tables.map(({ name }) => name)).toContain('points_of_sale')
})

it('a database that has had all of them stays as it is', async () => {
  await migrate(folder)
  expect(applied()).toEqual(MIGRATIONS)
})

it('a migration that fails says which and why, and is not remembered; the next run makes up for it', async () => {
  inDatabase((database) => {
    database.exec("DELETE FROM d1_migrations WHERE name = '0007_unrouted-accounts.sql'")
  })
  await expect(migrate(folder)).rejects.toThrow(
    /database DB could not be migrated: 0007_unrouted-accounts\.sql failed: .*duplicate column/,
  )
  expect(applied()).not.toContain('0007_unrouted-accounts.sql')
  inDatabase((database) => {
    database.exec('ALTER TABLE psp_accounts DROP COLUMN unrouted_at')
  })
  await migrate(folder)
  expect(applied().toSorted()).toEqual(MIGRATIONS)
})
