import { and, asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { PaymentRoute } from '../../domain/payment-routes.ts'
import { routes } from './schema.ts'

export const routesOf = async (database: D1Database, pos: string): Promise<PaymentRoute[]> => {
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

/** Replaces the accounts of a payment method, all at once; none takes the route away. */
export const setRoute = async (
  database: D1Database,
  pos: string,
  { paymentMethod, accounts }: PaymentRoute,
): Promise<void> => {
  const db = drizzle(database)
  const gone = db.delete(routes).where(and(eq(routes.pos, pos), eq(routes.paymentMethod, paymentMethod)))
  const rows = accounts.map((account, position) => ({ pos, paymentMethod, position, account }))
  await (rows.length === 0 ? gone : db.batch([gone, db.insert(routes).values(rows)]))
}
