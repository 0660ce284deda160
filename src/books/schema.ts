import { sql } from 'drizzle-orm'
import { Finding } from '../contract/books.ts'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The payouts of PSPs. `amount` is in minor units, `paidAt` in ms. `month`: the month in which a payout is
 * booked, which is that of its day or the first open one after that. Until `isWhole` its lines are still
 * arriving. `mode`: that of its account.
 */
export const payouts = sqliteTable(
  'payouts',
  {
    account: text().notNull(),
    id: text().notNull(),
    currency: text().notNull(),
    amount: integer().notNull(),
    paidAt: integer('paid_at').notNull(),
    month: text().notNull(),
    isWhole: integer('is_whole', { mode: 'boolean' }).notNull(),
    mode: text({ enum: ['test', 'live'] })
      .notNull()
      .default('live'),
    /** When (ms) the hub learnt that the bank gave it back; null if it did not. */
    returnedAt: integer('returned_at'),
  },
  (table) => [primaryKey({ columns: [table.account, table.id] }), index('payouts_by_month').on(table.month)],
)

/** The lines of payouts. `finding` says why the hub cannot explain a line; null if it can. */
export const payoutLines = sqliteTable(
  'payout_lines',
  {
    account: text().notNull(),
    payout: text().notNull(),
    line: integer().notNull(),
    kind: text({
      enum: ['payment', 'refund', 'chargeback', 'reversal', 'fee', 'correction'],
    }).notNull(),
    at: integer().notNull(),
    job: text(),
    reference: text(),
    orderNumber: text('order_number'),
    gross: integer().notNull(),
    fee: integer().notNull(),
    text: text().notNull(),
    finding: text({ enum: Finding.options }),
  },
  (table) => [
    primaryKey({ columns: [table.account, table.payout, table.line] }),
    index('payout_lines_by_job')
      .on(table.job)
      .where(sql`job is not null`),
  ],
)

/**
 * Accounts for which a fetch has read all payouts and left out none, and no later fetch was broken off.
 * Their next fetch stops at booked payouts; without a row it reads all pages again. Backups leave these
 * rows out.
 */
export const fetchedAccounts = sqliteTable('fetched_accounts', { account: text().primaryKey() })

/** The closed months of a mode. A later payout for one of them is booked in the first open month. */
export const closedMonths = sqliteTable(
  'closed_months',
  {
    month: text().notNull(),
    closedAt: integer('closed_at').notNull(),
    closedBy: text('closed_by').notNull(),
    note: text().notNull(),
    mode: text({ enum: ['test', 'live'] })
      .notNull()
      .default('live'),
  },
  (table) => [primaryKey({ columns: [table.mode, table.month] })],
)
