import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/local/serve.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'

const MIGRATIONS = readdirSync(join(PROJECT, 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .toSorted()

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payment-hub-migrate-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads the local database's file directly. */
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
function tablesOf(database: DatabaseSync): string[] {
  const tables = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
    )
    .all()
  return tables.map(({ name }) => String(name))
}

it('an empty local database gets every migration, in order, and records each where wrangler looks', async () => {
  chmodSync(folder, 0o755)
  await migrate(folder)
  expect(applied()).toEqual(MIGRATIONS)
  expect(inDatabase(tablesOf)).toContain('points_of_sale')
  // Only the owner may read it.
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
})

it('an up-to-date database stays as it is', async () => {
  await migrate(folder)
  expect(applied()).toEqual(MIGRATIONS)
})

it('a failing migration is named with the reason, and not recorded; the next run applies it', async () => {
  inDatabase((database) => database.exec('DELETE FROM d1_migrations'))
  await expect(migrate(folder)).rejects.toThrow(
    /database DB could not be migrated: 0001_hub\.sql failed: .*already exists/,
  )
  expect(applied()).toEqual([])
  inDatabase((database) => {
    database.exec('PRAGMA foreign_keys = OFF')
    for (const name of tablesOf(database)) if (name !== 'd1_migrations') database.exec(`DROP TABLE ${name}`)
  })
  await migrate(folder)
  expect(applied()).toEqual(MIGRATIONS)
})
