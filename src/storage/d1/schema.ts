import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Points of sale. A disabled one keeps its rows; `signingVersion` names its newest signing secret; tokens that were issued
 * before `tokensSince` (ms) have ended. The newest secret was made at `secretMadeAt`, and the one before it signs until
 * `formerSecretUntil` (ms).
 */
export const pointsOfSale = sqliteTable('points_of_sale', {
  id: text().primaryKey(),
  name: text().notNull(),
  mode: text({ enum: ['test', 'live'] }).notNull(),
  signReturn: integer('sign_return', { mode: 'boolean' }).notNull(),
  signingVersion: integer('signing_version').notNull(),
  createdAt: integer('created_at').notNull(),
  disabledAt: integer('disabled_at'),
  tokensSince: integer('tokens_since'),
  secretMadeAt: integer('secret_made_at'),
  formerSecretUntil: integer('former_secret_until'),
})

/** API keys by their SHA-256. Two may be live while one is rotated out. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    hash: text().primaryKey(),
    pos: text()
      .notNull()
      .references(() => pointsOfSale.id),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
  },
  (table) => [index('api_keys_by_pos').on(table.pos)],
)

/** Accounts at PSPs, of the PSP's test environment or its real one. `sealed` holds the credentials, bound to the id. */
export const pspAccounts = sqliteTable('psp_accounts', {
  id: text().primaryKey(),
  psp: text().notNull(),
  mode: text({ enum: ['test', 'live'] })
    .notNull()
    .default('live'),
  sealed: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** Which account takes a payment method of a POS, in order of `position`; `*` stands for any method. */
export const routes = sqliteTable(
  'routes',
  {
    pos: text()
      .notNull()
      .references(() => pointsOfSale.id),
    paymentMethod: text('payment_method').notNull(),
    position: integer().notNull(),
    account: text()
      .notNull()
      .references(() => pspAccounts.id),
  },
  (table) => [primaryKey({ columns: [table.pos, table.paymentMethod, table.position] })],
)

/**
 * The index of jobs: a projection for operators, clustered by point of sale and time. The objects hold the truth. Each
 * index costs one more row for each job, so there are only two besides the key.
 */
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
    undeliveredAt: integer('undelivered_at'),
    sequence: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.pos, table.created, table.id] }),
    // A point of sale's jobs of an order number are one range of it: others may use the same number.
    index('jobs_by_order_number').on(table.orderNumber, table.pos, table.created),
    index('jobs_undelivered')
      .on(table.undeliveredAt)
      .where(sql`undelivered_at is not null`),
  ],
)

/** How many jobs were purged after their retention time, by day (`2026-01-31`): their objects and their rows. */
export const purges = sqliteTable('purges', {
  day: text().primaryKey(),
  objects: integer().notNull(),
  rows: integer().notNull(),
})
