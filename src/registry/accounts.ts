import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { PaymentRoute } from '../contract/points-of-sale.ts'
import type { Account } from './profile.ts'
import { isAccountId } from '../contract/ids.ts'
import { accountChecks, posTerminals, pspAccounts, routes, terminals } from './schema.ts'

export type AccountRow = typeof pspAccounts.$inferSelect

export const ACCOUNT = {
  id: pspAccounts.id,
  psp: pspAccounts.psp,
  mode: pspAccounts.mode,
  sealed: pspAccounts.sealed,
  currencies: pspAccounts.currencies,
}

export async function accountById(database: D1Database, id: string): Promise<Account | null> {
  if (!isAccountId(id)) return null
  const [account] = await drizzle(database).select(ACCOUNT).from(pspAccounts).where(eq(pspAccounts.id, id))
  return account ?? null
}

export async function accountIds(database: D1Database): Promise<string[]> {
  const rows = await drizzle(database).select({ id: pspAccounts.id }).from(pspAccounts)
  return rows.map(({ id }) => id)
}

export async function addAccount(database: D1Database, account: AccountRow): Promise<boolean> {
  const added = await drizzle(database)
    .insert(pspAccounts)
    .values(account)
    .onConflictDoNothing()
    .returning({ id: pspAccounts.id })
  return added.length > 0
}

/** Replaces the sealed credentials of an account. False if it no longer has those of `before`. */
export async function resealAccount(
  database: D1Database,
  id: string,
  sealed: string,
  before: string,
): Promise<boolean> {
  const changed = await drizzle(database)
    .update(pspAccounts)
    .set({ sealed })
    .where(and(eq(pspAccounts.id, id), eq(pspAccounts.sealed, before)))
    .returning({ id: pspAccounts.id })
  return changed.length > 0
}

/** Changes the currencies that an account takes; null means any. */
export async function setCurrencies(
  database: D1Database,
  id: string,
  currencies: string[] | null,
): Promise<void> {
  await drizzle(database).update(pspAccounts).set({ currencies }).where(eq(pspAccounts.id, id))
}

/** Notes that a PSP refused an account at `now` (ms). Writes nothing if that is known, or the account is gone. */
export async function noteRefused(
  database: D1Database,
  id: string,
  message: string,
  now: number,
): Promise<void> {
  await drizzle(database).run(sql`
    insert into account_checks (account, state, message, since, checked_at)
    select id, 'refused', ${message}, ${now}, ${now} from psp_accounts where id = ${id}
    on conflict (account) do update set state = 'refused', message = ${message}, since = ${now}, checked_at = ${now}
    where account_checks.state <> 'refused'`)
}

/** Forgets the last check of an account: its credentials are new. */
export async function forgetCheck(database: D1Database, id: string): Promise<void> {
  await drizzle(database).delete(accountChecks).where(eq(accountChecks.account, id))
}

/** Removes an account with its terminals and its last check: a later account with this id starts afresh. */
export async function removeAccount(database: D1Database, id: string): Promise<void> {
  const db = drizzle(database)
  await db.batch([
    db.delete(terminals).where(eq(terminals.account, id)),
    db.delete(pspAccounts).where(eq(pspAccounts.id, id)),
    db.delete(accountChecks).where(eq(accountChecks.account, id)),
  ])
}

export async function listAccounts(database: D1Database): Promise<AccountRow[]> {
  return drizzle(database).select().from(pspAccounts).orderBy(asc(pspAccounts.id))
}

/** Reads only the accounts of these ids, because a hub may have thousands. */
export async function accountsNamed(
  database: D1Database,
  ids: readonly string[],
): Promise<Pick<AccountRow, 'id' | 'psp' | 'mode'>[]> {
  return drizzle(database)
    .select({ id: pspAccounts.id, psp: pspAccounts.psp, mode: pspAccounts.mode })
    .from(pspAccounts)
    .where(sql`${pspAccounts.id} in (select value from json_each(${JSON.stringify(ids)}))`)
    .orderBy(asc(pspAccounts.id))
}

/** Returns when (ms) a route or a terminal last left an account; null for never. */
export async function unroutedAt(database: D1Database, id: string): Promise<number | null> {
  const [found] = await drizzle(database)
    .select({ at: pspAccounts.unroutedAt })
    .from(pspAccounts)
    .where(eq(pspAccounts.id, id))
  return found?.at ?? null
}

/** Returns the points of sale that use an account: by a route, or by one of its terminals. */
export async function posUsing(database: D1Database, account: string): Promise<string[]> {
  const db = drizzle(database)
  const routed = db.select({ pos: routes.pos }).from(routes).where(eq(routes.account, account))
  const atTerminals = db
    .select({ pos: posTerminals.pos })
    .from(posTerminals)
    .innerJoin(terminals, eq(posTerminals.terminal, terminals.id))
    .where(eq(terminals.account, account))
  return (await routed.union(atTerminals)).map(({ pos }) => pos)
}

export async function routesOf(database: D1Database, pos: string): Promise<PaymentRoute[]> {
  const rows = await drizzle(database)
    .select({ paymentMethod: routes.paymentMethod, account: routes.account })
    .from(routes)
    .where(eq(routes.pos, pos))
    .orderBy(asc(routes.paymentMethod), asc(routes.position))
  return Array.from(
    Map.groupBy(rows, ({ paymentMethod }) => paymentMethod),
    ([paymentMethod, group]) => ({ paymentMethod, accounts: group.map(({ account }) => account) }),
  )
}

/** Replaces the accounts of a payment method; an empty list removes the route. `now` is in ms. */
export async function setRoute(
  database: D1Database,
  pos: string,
  { paymentMethod, accounts }: PaymentRoute,
  now: number,
): Promise<void> {
  const db = drizzle(database)
  const isOld = and(eq(routes.pos, pos), eq(routes.paymentMethod, paymentMethod))
  const old = db.select({ account: routes.account }).from(routes).where(isOld)
  const noted = db.update(pspAccounts).set({ unroutedAt: now }).where(inArray(pspAccounts.id, old))
  const gone = db.delete(routes).where(isOld)
  const rows = accounts.map((account, position) => ({ pos, paymentMethod, position, account }))
  await (rows.length === 0
    ? db.batch([noted, gone])
    : db.batch([noted, gone, db.insert(routes).values(rows)]))
}
