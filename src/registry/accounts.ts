import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Account } from './profile.ts'
import { pspAccounts } from './schema.ts'

/** An account by its id, for jobs whose point of sale no longer routes to it. */
export const accountById = async (database: D1Database, id: string): Promise<Account | null> => {
  const [account] = await drizzle(database)
    .select({ id: pspAccounts.id, psp: pspAccounts.psp, sealed: pspAccounts.sealed })
    .from(pspAccounts)
    .where(eq(pspAccounts.id, id))
  return account ?? null
}
