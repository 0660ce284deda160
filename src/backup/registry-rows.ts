import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { type Inserted, insertMissing } from '../registry/insert-missing.ts'
import type { RegistryBackup, RegistryRow } from '../contract/backup.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import {
  apiKeys,
  operatorTokens,
  pointsOfSale,
  posTerminals,
  pspAccounts,
  routes,
  terminals,
} from '../registry/schema.ts'
import { closedMonths, payoutLines, payouts } from '../books/schema.ts'
import { purges } from '../job-index/schema.ts'

const LINES = getTableName(payoutLines)

/** The tables of a backup. A table comes after those that its rows refer to. */
const TABLES: ReadonlyMap<string, SQLiteTable> = new Map(
  [
    pointsOfSale,
    pspAccounts,
    apiKeys,
    routes,
    terminals,
    posTerminals,
    operatorTokens,
    purges,
    closedMonths,
    payouts,
    payoutLines,
  ].map((table) => [getTableName(table), table]),
)

/** Lines of payouts on a page. */
const PAGE = 1000

/** The line of a payout that a page begins after: its account, its payout and its number. */
const AfterLine = v.pipe(v.string(), v.parseJson(), v.tuple([v.string(), v.string(), v.number()]))
const FIRST_LINE = JSON.stringify(['', '', 0])

/**
 * A page of the registry, read by SQL: a backup has rows by the names of D1's columns. The first
 * has all but the lines of payouts, as of one moment: the lines of each payout that is whole by
 * then come on the pages after it. Null for an unknown `after`.
 */
export async function registryPage(
  database: D1Database,
  after: string | null,
): Promise<v.InferOutput<typeof RegistryBackup> | null> {
  if (after === null) {
    const names = [...TABLES.keys()].filter((name) => name !== LINES)
    const found = await database.batch<RegistryRow['row']>(
      names.map((name) => database.prepare(`select * from ${name} order by 1, 2`)),
    )
    const rows = names.flatMap((table, at) => (found[at]?.results ?? []).map((row) => ({ table, row })))
    return { rows, next: FIRST_LINE }
  }
  const read = v.safeParse(AfterLine, after)
  if (!read.success) return null
  const lines = await database
    .prepare(
      `select * from ${LINES} where (account, payout, line) > (?, ?, ?)
       order by account, payout, line limit ${PAGE}`,
    )
    .bind(...read.output)
    .all<RegistryRow['row']>()
  const rows = lines.results.map((row) => ({ table: LINES, row }))
  const last = lines.results.at(-1)
  const next =
    last && rows.length === PAGE ? JSON.stringify([last['account'], last['payout'], last['line']]) : null
  return { rows, next }
}

/** Tells whether the registry has no row but of what the hub itself goes on with. */
export async function isRegistryEmpty(database: D1Database): Promise<boolean> {
  const names = [...TABLES.keys()].filter((name) => !GOES_ON.has(name))
  const there = names.map((name) => `exists(select 1 from ${name})`).join(' or ')
  return (await database.prepare(`select ${there} as it`).first<{ it: number }>())?.it === 0
}

/** Tables in which the hub itself goes on: its accounts pay out, and its jobs are purged. */
export const GOES_ON: ReadonlySet<string> = new Set(['purges', 'payouts', 'payout_lines'])

/** The values of columns that rows of older backups lack, by SQL. */
const OLDER: ReadonlyMap<string, string> = new Map([
  ['closed_months.mode', `'live'`],
  [
    'payouts.mode',
    `(select mode from psp_accounts where id = given.value ->> 'account'),
     iif(given.value ->> 'account' = '${SANDBOX_ACCOUNT.id}', 'test', 'live')`,
  ],
])

/** Writes missing rows of one table of the registry. Null for an unknown table. */
export async function restoreRegistryRows(
  database: D1Database,
  table: string,
  rows: readonly RegistryRow['row'][],
): Promise<Inserted | null> {
  const known = TABLES.get(table)
  return known ? insertMissing(database, known, rows, OLDER) : null
}
