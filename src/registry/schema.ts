import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * Points of sale. `signingVersion` names the newest signing secret, made at `secretMadeAt`; the
 * former one signs until `formerSecretUntil`. Tokens issued before `tokensSince` have ended. Times
 * are in ms. `refundLimits`: how much of each currency (minor units) its keys may give back in a day; null
 * for no limit.
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
  dialect: text({ enum: ['v1', 'v2'] })
    .notNull()
    .default('v2'),
  refundLimits: text('refund_limits', { mode: 'json' }).$type<Record<string, number>>(),
})

/**
 * API keys by their SHA-256. Two may be live while one is rotated out. `expiresAt` (ms): when the key
 * ends; null for never. `can`: its rights; null for all. Neither ever changes.
 */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    hash: text().primaryKey(),
    pos: text()
      .notNull()
      .references(() => pointsOfSale.id),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
    expiresAt: integer('expires_at'),
    can: text({ mode: 'json' }).$type<string[]>(),
  },
  (table) => [index('api_keys_by_pos').on(table.pos)],
)

/**
 * Accounts at PSPs. `sealed` is bound to the id. `currencies`: those that it takes, null for any.
 * `unroutedAt` (ms): when a route or a terminal last left it.
 */
export const pspAccounts = sqliteTable('psp_accounts', {
  id: text().primaryKey(),
  psp: text().notNull(),
  mode: text({ enum: ['test', 'live'] }).notNull(),
  sealed: text().notNull(),
  currencies: text({ mode: 'json' }).$type<string[]>(),
  createdAt: integer('created_at').notNull(),
  unroutedAt: integer('unrouted_at'),
})

/** The accounts of a POS's payment method, in order of `position`; `*` is any method. */
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
 * Card terminals by the PSP's own id, with the account that drives them. `alertHours`: the hours
 * (`09:00-18:00`) in which the operator wants to hear that it is off; null for none.
 */
export const terminals = sqliteTable('terminals', {
  id: text().primaryKey(),
  account: text()
    .notNull()
    .references(() => pspAccounts.id),
  name: text().notNull(),
  alertHours: text('alert_hours'),
  createdAt: integer('created_at').notNull(),
})

/** The terminals that a POS may use, at most one of them by default. */
export const posTerminals = sqliteTable(
  'pos_terminals',
  {
    pos: text()
      .notNull()
      .references(() => pointsOfSale.id),
    terminal: text()
      .notNull()
      .references(() => terminals.id),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.pos, table.terminal] }),
    uniqueIndex('pos_terminals_default')
      .on(table.pos)
      .where(sql`is_default = 1`),
  ],
)

/**
 * Tokens of operators by their SHA-256. A revoked token keeps its row; live ones differ in name.
 * `usedAt` (ms): the last use, to the day. `expiresAt` (ms): when it ends; null for never.
 */
export const operatorTokens = sqliteTable(
  'operator_tokens',
  {
    hash: text().primaryKey(),
    id: text().notNull().unique(),
    name: text().notNull(),
    role: text({ enum: ['viewer', 'support', 'operator'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    revokedAt: integer('revoked_at'),
    usedAt: integer('used_at'),
    expiresAt: integer('expires_at'),
  },
  (table) => [
    uniqueIndex('operator_tokens_by_live_name')
      .on(table.name)
      .where(sql`revoked_at is null`),
  ],
)

/**
 * Sessions of the console by their SHA-256, for the list of them, until they expire (ms). `token`: the id
 * of the one that began it, `name`: its name.
 */
export const sessions = sqliteTable('sessions', {
  hash: text().primaryKey(),
  token: text().notNull(),
  name: text().notNull(),
  beganAt: integer('began_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

/** Refunds of the last days by points of sale with a limit. The same id may come again with another amount. */
export const countedRefunds = sqliteTable(
  'counted_refunds',
  {
    id: text().notNull(),
    amount: integer().notNull(),
    pos: text().notNull(),
    currency: text().notNull(),
    day: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.amount] }),
    index('counted_refunds_by_day').on(table.day, table.pos),
  ],
)

/**
 * The PINs by which keys without the right to refund may refund, as an HMAC each. `wrong`: how many tries were wrong
 * since the last right one. Until `lockedUntil` (ms) the hub looks at no further try.
 */
export const refundPins = sqliteTable('refund_pins', {
  pos: text()
    .primaryKey()
    .references(() => pointsOfSale.id),
  hash: text().notNull(),
  madeAt: integer('made_at').notNull(),
  wrong: integer().notNull(),
  lockedUntil: integer('locked_until').notNull(),
})

/** Ended sessions of the console by their SHA-256, until they would expire (ms). */
export const endedSessions = sqliteTable('ended_sessions', {
  hash: text().primaryKey(),
  expiresAt: integer('expires_at').notNull(),
})

/** The result of each account's last check. `since` (ms): when `state` last changed. */
export const accountChecks = sqliteTable('account_checks', {
  account: text().primaryKey(),
  state: text({ enum: ['working', 'refused', 'unavailable'] }).notNull(),
  message: text(),
  since: integer().notNull(),
  checkedAt: integer('checked_at').notNull(),
})
