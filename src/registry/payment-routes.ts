import { and, asc, eq, inArray } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { PaymentRoute } from './route-rules.ts'
import { pspAccounts, routes } from './schema.ts'

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

/** Replaces the accounts of a payment method; none takes the route away. `now` is in ms. */
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
