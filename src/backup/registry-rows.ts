import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { type Inserted, insertMissing } from '../registry/insert-missing.ts'
import type { RegistryRow } from '../contract/backup.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import {
  apiKeys,
  operatorTokens,
  pointsOfSale,
  posTerminals,
  pspAccounts,
  refundPins,
  routes,
  terminals,
} from '../registry/schema.ts'
import { closedMonths, payoutLines, payouts } from '../books/schema.ts'
import { purges } from '../job-index/schema.ts'

const LINES = getTableName(payoutLines)

/** The tables of a backup. Each stands after those that its rows refer to. */
const TABLES: ReadonlyMap<string, SQLiteTable> = new Map(
  [
    pointsOfSale,
    pspAccounts,
    apiKeys,
    routes,
    terminals,
    posTerminals,
    refundPins,
    operatorTokens,
    purges,
    closedMonths,
    payouts,
    payoutLines,
  ].map((table) => [getTableName(table), table]),
)

/** The most lines of payouts on a page. */
const PAGE = 1000

/** The last line of the page before: its account, its payout and its number. */
const AfterLine = v.pipe(v.string(), v.parseJson(), v.tuple([v.string(), v.string(), v.number()]))
const FIRST_LINE = JSON.stringify(['', '', 0])

/**
 * Returns a page of the registry, with rows by the names of D1's columns. The first page has everything
 * except the lines of payouts, as of one moment. The pages after it have the lines of each payout that was
 * complete then. Null for an unknown `after`.
 */
export async function registryPage(
  database: D1Database,
  after: string | null,
): Promise<{ rows: RegistryRow[]; next: string | null } | null> {
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

/** Returns true if the registry has no rows except those that the hub writes by itself. */
export async function isRegistryEmpty(database: D1Database): Promise<boolean> {
  const names = [...TABLES.keys()].filter((name) => !GOES_ON.has(name))
  const there = names.map((name) => `exists(select 1 from ${name})`).join(' or ')
  return (await database.prepare(`select ${there} as it`).first<{ it: number }>())?.it === 0
}

/** The tables that the hub changes by itself: accounts pay out, jobs are purged, and tries at a PIN count. */
export const GOES_ON: ReadonlySet<string> = new Set(['purges', 'payouts', 'payout_lines', 'refund_pins'])

/** An SQL expression for each column that rows of older backups lack. */
const OLDER: ReadonlyMap<string, string> = new Map([
  ['closed_months.mode', `'live'`],
  [
    'payouts.mode',
    `(select mode from psp_accounts where id = given.value ->> 'account'),
     iif(given.value ->> 'account' = '${SANDBOX_ACCOUNT.id}', 'test', 'live')`,
  ],
])

/** Returns the ids of what rows refer to. */
export async function thereIn(database: D1Database) {
  const ids = async (table: 'psp_accounts' | 'terminals') =>
    new Set(
      (await database.prepare(`select id from ${table}`).all<{ id: string }>()).results.map(({ id }) => id),
    )
  return { psp_accounts: await ids('psp_accounts'), terminals: await ids('terminals') }
}

/**
 * Ends all operator tokens at `now` (ms), because a log that comes from the backup cannot know which were revoked
 * later. Names them.
 */
export async function endTokens(database: D1Database, now: number): Promise<string[]> {
  const end = 'update operator_tokens set revoked_at = ? where revoked_at is null returning name'
  const { results } = await database.prepare(end).bind(now).all<{ name: string }>()
  return results.map(({ name }) => `operator token ${name}`)
}

/** Writes missing rows of one table of the registry. Null for an unknown table. */
export async function restoreRegistryRows(
  database: D1Database,
  table: string,
  rows: readonly RegistryRow['row'][],
): Promise<Inserted | null> {
  const known = TABLES.get(table)
  return known ? insertMissing(database, known, rows, OLDER) : null
}
