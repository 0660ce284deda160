import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { accountChecks } from '../registry/schema.ts'

/** What an account answered when it was last asked whether it works. */
export type AccountCheck = typeof accountChecks.$inferSelect

export async function listAccountChecks(database: D1Database): Promise<AccountCheck[]> {
  return drizzle(database).select().from(accountChecks)
}

export async function accountCheckOf(
  database: D1Database,
  account: string,
): Promise<AccountCheck | undefined> {
  const [check] = await drizzle(database)
    .select()
    .from(accountChecks)
    .where(eq(accountChecks.account, account))
  return check
}

export async function writeAccountCheck(database: D1Database, check: AccountCheck): Promise<void> {
  await drizzle(database)
    .insert(accountChecks)
    .values(check)
    .onConflictDoUpdate({ target: accountChecks.account, set: check })
}
