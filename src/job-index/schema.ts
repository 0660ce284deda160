import { sql } from 'drizzle-orm'
import { FIGURES, type FigureWith, figuresWith } from '../contract/money-figures.ts'
import { recordOf } from '../contract/record-of.ts'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A figure of money (minor units). */
function money(name: FigureWith<'column'>) {
  return integer(FIGURES[name].column).notNull().default(0)
}

/** The index of jobs; the objects hold the truth. Every D1 index costs another row for each job. */
export const jobs = sqliteTable(
  'jobs',
  {
    created: integer().notNull(),
    id: text().notNull(),
    pos: text().notNull(),
    account: text().notNull(),
    paymentMethod: text('payment_method').notNull(),
    orderId: text('order_id').notNull(),
    orderNumber: text('order_number').notNull(),
    currency: text().notNull(),
    amount: integer().notNull(),
    paid: integer().notNull(),
    status: text({ enum: ['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'] }).notNull(),
    updated: integer().notNull(),
    givenUpAt: integer('given_up_at'),
    sequence: integer().notNull(),
    reference: text(),
    announcement: text({ enum: ['due', 'announced', 'refused'] }).notNull(),
    failingSince: integer('failing_since'),
    paidAfter: integer('paid_after'),
    ...recordOf(figuresWith('column'), money),
    movements: text(),
    alsoPaidBy: text('also_paid_by'),
    captureBefore: integer('capture_before'),
    terminal: text(),
    foundBy: text('found_by'),
  },
  (table) => [
    primaryKey({ columns: [table.pos, table.created, table.id] }),
    // Several points of sale may use the same order number, so each has a range of its own.
    index('jobs_by_order_number').on(table.orderNumber, table.pos, table.created),
    index('jobs_given_up')
      .on(table.givenUpAt)
      .where(sql`given_up_at is not null`),
    // Most shops use one number per order, so their jobs cost nothing here.
    index('jobs_by_order_id')
      .on(table.orderId, table.pos, table.created)
      .where(sql`order_id <> order_number`),
    // The few jobs in trouble: failing reports, and payments that no PSP has yet. The shop comes first, so
    // that many old ones of one shop do not hide what fails at another today.
    index('jobs_failing')
      .on(table.pos, table.failingSince)
      .where(sql`failing_since is not null`),
    index('jobs_unapplied')
      .on(table.pos, table.created)
      .where(sql`unapplied > 0`),
    // Ordered by time, so that those that end soon are found among many that do not.
    index('jobs_reserved')
      .on(table.captureBefore)
      .where(sql`capture_before is not null`),
    // Only jobs that may still be open at a terminal.
    index('jobs_at_terminal')
      .on(table.pos, table.terminal)
      .where(sql`terminal is not null and status = 'PENDING'`),
    index('jobs_unannounced')
      .on(table.account, table.created)
      .where(sql`announcement = 'due' and status = 'PENDING'`),
  ],
)

/**
 * Counters of the payments created in an hour (since 1970), by outcome. `paid` and what went back are money (minor
 * units); `paid_in_…` count payments by the time that they took (s). Purged
 * payments have counters of their own, because only the others can be counted again from rows.
 */
export const jobCounts = sqliteTable(
  'job_counts',
  {
    hour: integer().notNull(),
    pos: text().notNull(),
    account: text().notNull(),
    paymentMethod: text('payment_method').notNull(),
    currency: text().notNull(),
    purged: integer({ mode: 'boolean' }).notNull(),
    created: integer().notNull(),
    success: integer().notNull(),
    failure: integer().notNull(),
    cancelled: integer().notNull(),
    expired: integer().notNull(),
    paid: integer().notNull(),
    ...recordOf(figuresWith('isBack'), money),
    paidIn10: integer('paid_in_10').notNull(),
    paidIn20: integer('paid_in_20').notNull(),
    paidIn40: integer('paid_in_40').notNull(),
    paidIn90: integer('paid_in_90').notNull(),
    paidIn180: integer('paid_in_180').notNull(),
    paidIn600: integer('paid_in_600').notNull(),
    paidIn3600: integer('paid_in_3600').notNull(),
    paidLater: integer('paid_later').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.hour, table.pos, table.account, table.paymentMethod, table.currency, table.purged],
    }),
  ],
)

/** The numbers of purged objects and rows of jobs, by day (`2026-01-31`). */
export const purges = sqliteTable('purges', {
  day: text().primaryKey(),
  objects: integer().notNull(),
  rows: integer().notNull(),
})

/** Days of the index with findings at their last check (ms), and the number of findings. */
export const indexFindings = sqliteTable('index_findings', {
  day: text().primaryKey(),
  wrong: integer().notNull(),
  checkedAt: integer('checked_at').notNull(),
})
