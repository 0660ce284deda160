import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { AlertKind } from '../contract/hub-health.ts'

/**
 * Points of sale. `signingVersion` names the newest signing secret, made at `secretMadeAt`; the
 * former one signs until `formerSecretUntil`. Tokens issued before `tokensSince` have ended. Times
 * are in ms.
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

/** The index of jobs; the objects hold the truth. Each index costs one more row for each job. */
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
    refunded: integer().notNull().default(0),
    chargedBack: integer('charged_back').notNull().default(0),
    movements: text(),
    unapplied: integer().notNull().default(0),
    alsoPaidBy: text('also_paid_by'),
    authorized: integer().notNull().default(0),
    released: integer().notNull().default(0),
    captureBefore: integer('capture_before'),
    terminal: text(),
    tip: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.pos, table.created, table.id] }),
    // Several points of sale may use the same order number: each has a range of its own.
    index('jobs_by_order_number').on(table.orderNumber, table.pos, table.created),
    index('jobs_given_up')
      .on(table.givenUpAt)
      .where(sql`given_up_at is not null`),
    // Most shops use one number for an order: their jobs cost nothing here.
    index('jobs_by_order_id')
      .on(table.orderId, table.pos, table.created)
      .where(sql`order_id <> order_number`),
    // Jobs in trouble, which are few: failing reports, and payments that no PSP has yet. By shop
    // first: many old ones of one shop must not hide what fails at another today.
    index('jobs_failing')
      .on(table.pos, table.failingSince)
      .where(sql`failing_since is not null`),
    index('jobs_unapplied')
      .on(table.pos, table.created)
      .where(sql`unapplied > 0`),
    // By time, so that those that end soon are found among many that do not.
    index('jobs_reserved')
      .on(table.captureBefore)
      .where(sql`capture_before is not null`),
    // Only jobs at a terminal that somebody may be standing at.
    index('jobs_at_terminal')
      .on(table.pos, table.terminal)
      .where(sql`terminal is not null and status = 'PENDING'`),
    index('jobs_unannounced')
      .on(table.account, table.created)
      .where(sql`announcement = 'due' and status = 'PENDING'`),
  ],
)

/**
 * Counters of the payments created in an hour (since 1970), by their outcome. `paid`, `refunded`
 * and `charged_back` are money (minor units); `paid_in_…` count how long the payments took (s).
 * Purged payments have counters of their own, because the others can be counted again from rows.
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
    refunded: integer().notNull().default(0),
    chargedBack: integer('charged_back').notNull().default(0),
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

/** How many jobs were purged, by day (`2026-01-31`): their objects and their rows. */
export const purges = sqliteTable('purges', {
  day: text().primaryKey(),
  objects: integer().notNull(),
  rows: integer().notNull(),
})

/**
 * Tokens of operators by their SHA-256. A revoked token keeps its row; live ones differ in name.
 * `usedAt` (ms): the last use, to the day.
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
  },
  (table) => [
    uniqueIndex('operator_tokens_by_live_name')
      .on(table.name)
      .where(sql`revoked_at is null`),
  ],
)

/** Ended sessions of the console by their SHA-256, until they would expire (ms). */
export const endedSessions = sqliteTable('ended_sessions', {
  hash: text().primaryKey(),
  expiresAt: integer('expires_at').notNull(),
})

/** Days of the index with findings at their last check (ms), and how many. */
export const indexFindings = sqliteTable('index_findings', {
  day: text().primaryKey(),
  wrong: integer().notNull(),
  checkedAt: integer('checked_at').notNull(),
})

/** The newest entry of the audit log on a day (`2026-01-31`), kept outside the log. */
export const auditHeads = sqliteTable('audit_heads', {
  day: text().primaryKey(),
  number: integer().notNull(),
  hash: text().notNull(),
})

/** The result of each account's last check. `since` (ms): when `state` last changed. */
export const accountChecks = sqliteTable('account_checks', {
  account: text().primaryKey(),
  state: text({ enum: ['working', 'refused', 'unavailable'] }).notNull(),
  message: text(),
  since: integer().notNull(),
  checkedAt: integer('checked_at').notNull(),
})

/** Alerts; one of a subject is open at a time. `toldAt` (ms): the queue took the newest message. */
export const alerts = sqliteTable(
  'alerts',
  {
    id: text().primaryKey(),
    kind: text({ enum: AlertKind.options }).notNull(),
    subject: text().notNull(),
    detail: text().notNull(),
    since: integer().notNull(),
    toldAt: integer('told_at'),
    wellSince: integer('well_since'),
    endedAt: integer('ended_at'),
  },
  (table) => [
    uniqueIndex('alerts_open')
      .on(table.kind, table.subject)
      .where(sql`ended_at is null`),
    index('alerts_by_end').on(table.endedAt),
  ],
)

/**
 * The payouts of PSPs (src/books). `amount` is in minor units, `paidAt` in ms. `month` is where it
 * is booked: that of its day, or the first that was open. Until `isWhole` its lines are coming in.
 * `mode` is that of its account.
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
  },
  (table) => [primaryKey({ columns: [table.account, table.id] }), index('payouts_by_month').on(table.month)],
)

/** The lines of payouts. `finding` says why the hub cannot explain a line; null where it can. */
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
    finding: text({ enum: ['unknown', 'amount-differs', 'refund-missing', 'fee-unusual'] }),
  },
  (table) => [
    primaryKey({ columns: [table.account, table.payout, table.line] }),
    index('payout_lines_by_job')
      .on(table.job)
      .where(sql`job is not null`),
  ],
)

/**
 * Accounts of which a fetch has read all payouts and left out none, and none was broken off since: a
 * fetch stops at what is booked. It is in no backup: without its row, a fetch reads all pages again.
 */
export const fetchedAccounts = sqliteTable('fetched_accounts', { account: text().primaryKey() })

/** Months of a mode that are closed: what is paid out later in one of them is booked in the next. */
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
